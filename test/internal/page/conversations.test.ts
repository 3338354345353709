// Conversations of the terminal on the page, in a real browser.
import { expect, it } from 'vitest'
import { withBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/page.ts'
import { openScreenWorld } from '../../support/screen-program.ts'

/** The page that lists them, bundled as dist/page. */
export type ListingPage = typeof import('../../../internal/page/main.ts')

withBrowser('conversations on the page', (open) => {
  it('are listed with the state and figures of runs, filtered, opened and continued', async () => {
    const usage = { in: 1_200, out: 34 }
    const replies = ['First answer.', 'Second answer.', 'Third answer.'].map((text) => ({ text, usage }))
    const at = openScreenWorld(replies)
    at.put('../.config/anode/config.json', JSON.stringify({ model: at.model[1] }))
    const session = at.start([])
    await session.until(/for help|for commands|\?/)
    session.type('What is in the shop?\r')
    await session.until(/First answer\./)
    expect(await at.anode(['execute', 'Fail at once', '--model', 'script:/nowhere'])).not.toMatchObject({
      code: 0,
    })
    expect((await at.anode(['execute', 'Count the carts'])).code).toBe(0)
    const begun = await at.anode(['runs', 'start', 'Start a run'])
    expect(begun.code).toBe(0)
    const served = at.start(['serve', '--port', '0'], { columns: 120 })
    await served.until(/serve --open/)
    const { page, complaints } = await open()
    await page.goto(/http:\S+#code=[\w-]{43}/.exec(served.lines())?.[0] ?? '')
    const row = (title: string) => page.locator('.row', { hasText: title })
    for (const title of ['What is in the shop?', 'Count the carts', 'Start a run'])
      await expect.poll(() => row(title).innerText()).toMatch(/done[\s\S]*1k tokens/)
    expect(await page.getByRole('status').innerText()).toMatch(
      /^1 run, \d conversations, 0 running, none waiting$/,
    )
    const listed = (await at.anode(['runs', 'list', '--everywhere'])).out
    expect(listed).toMatch(/ done +Start a run/)
    await page.getByLabel('Show').selectOption('conversations')
    await row('Start a run').waitFor({ state: 'detached' })
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: 'Count the carts' }).click()
    await page.getByRole('heading', { name: 'Count the carts' }).waitFor()
    await page.getByText('First answer.').waitFor()
    await page.getByLabel('Say').fill('And now?')
    await page.getByLabel('Say').press('Enter')
    await page.locator('.user', { hasText: 'And now?' }).waitFor()
    await expect.poll(() => page.locator('.answer').count()).toBe(2)
    await page.getByRole('status').getByText('done').waitFor()
    expect(complaints).toEqual([])
    expect(await at.anode(['serve', 'stop'])).toMatchObject({ out: 'stopped\n' })
    // their processes still write until no client is connected
    const isOver = async () => {
      const { out } = await at.anode(['runs', 'list', '--everywhere', '--json'])
      return (JSON.parse(out) as { state: string }[]).every(({ state }) => state === 'ended')
    }
    await expect.poll(isOver, { timeout: 20_000 }).toBe(true)
  })
})
