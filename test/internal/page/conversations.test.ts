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
    const lab = { baseUrl: 'http://127.0.0.1:1/v1' }
    const config = { model: at.model[1], providers: { east: lab, west: lab } }
    at.put('../.config/anode/config.json', JSON.stringify(config))
    const session = at.start([])
    await session.until(/for help|for commands|\?/)
    session.type('What is in the shop?\r')
    await session.until(/First answer\./)
    expect(await at.anode(['execute', 'Fail at once', '--model', 'script:/nowhere'])).not.toMatchObject({
      code: 0,
    })
    // two models of one name
    for (const model of ['east/demo', 'west/demo'])
      expect((await at.anode(['execute', 'Count', '--model', model])).code).toBe(1)
    expect((await at.anode(['execute', 'Count the carts'])).code).toBe(0)
    const begun = await at.anode(['runs', 'start', 'Start a run'])
    expect(begun.code).toBe(0)
    const served = at.start(['serve', '--port', '0'], { columns: 120 })
    await served.until(/serve --open/)
    const { page, complaints } = await open()
    await page.goto(/http:\S+#code=[\w-]{32}/.exec(served.lines())?.[0] ?? '')
    const row = (title: string) => page.locator('.row', { hasText: title })
    for (const title of ['What is in the shop?', 'Count the carts', 'Start a run'])
      await expect.poll(() => row(title).innerText()).toMatch(/done[\s\S]*1k tokens/)
    expect(await page.getByRole('status').innerText()).toMatch(
      /^1 run, \d conversations, 0 running, none waits$/,
    )
    const listed = (await at.anode(['runs', 'list', '--everywhere'])).out
    expect(listed).toMatch(/ done +Start a run/)
    const models = await page.getByLabel('Model').first().locator('option').allInnerTexts()
    expect(models).toEqual(expect.arrayContaining(['east/demo', 'west/demo']))
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

  it('an open question of a session is shown as waiting, until it is answered or its process dies', async () => {
    const call = (name: string, args: object) => ({ calls: [{ name, args }] })
    const at = openScreenWorld([
      call('ask_user', { question: 'Which cart?', options: ['A', 'B'] }),
      call('bash', { command: 'rm -f cart.txt' }),
      { text: 'All done.' },
    ])
    at.put('../.config/anode/config.json', JSON.stringify({ model: at.model[1] }))
    const session = at.start(['--approval', 'ask'])
    await session.until(/for help|for commands|\?/)
    session.type('Sort the carts\r')
    await session.until(/Which cart\?/)
    const served = at.start(['serve', '--port', '0'], { columns: 120 })
    await served.until(/serve --open/)
    const { page, complaints } = await open()
    await page.goto(/http:\S+#code=[\w-]{32}/.exec(served.lines())?.[0] ?? '')
    const row = page.locator('.row', { hasText: 'Sort the carts' })
    const state = () => row.locator('.state').innerText()
    await expect.poll(state).toBe('waiting: Which cart?')
    expect(await page.getByRole('status').innerText()).toMatch(/1 conversation, 0 running, 1 waits for you$/)
    const badge = page.locator('.badge')
    await expect.poll(() => badge.innerText()).toBe('1 waits')
    await page.getByRole('link', { name: 'Usage' }).click()
    await badge.click()
    await page.getByRole('heading', { name: 'Sort the carts' }).waitFor()
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByLabel('State').selectOption('waiting')
    await row.waitFor()
    session.type('1')
    await session.until(/✔ 1 A/)
    session.type('\r')
    await session.until(/rm -f cart\.txt/)
    await expect.poll(state, { timeout: 20_000 }).toBe('waiting: bash')
    await row.getByRole('link').click()
    await page.getByRole('status').getByText('waiting: bash').waitFor()
    await page.getByText('This conversation is open in a terminal. Answer it there.').waitFor()
    session.program.kill('SIGKILL')
    await session.exit
    await page.goto(new URL('/', page.url()).href)
    await expect.poll(state, { timeout: 20_000 }).toBe('process died')
    expect(complaints).toEqual([])
    expect(await at.anode(['serve', 'stop'])).toMatchObject({ out: 'stopped\n' })
  })
})
