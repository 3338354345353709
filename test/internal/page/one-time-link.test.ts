// The link that `anode serve` prints on a terminal, opened in a real browser.
import { expect, it } from 'vitest'
import { withBrowser } from '../../support/browser.ts'
import { openScreenWorld } from '../../support/screen-program.ts'

/** The page that the link opens, bundled as dist/page. */
export type LinkedPage = typeof import('../../../internal/page/main.ts')

withBrowser('the link of serve', (open) => {
  it('opens the page once, leaves no code in the URL, and names --open', async () => {
    const at = openScreenWorld([])
    const served = at.start(['serve', '--port', '0'], { columns: 80 })
    await served.until(/serve --open/)
    const [link = '', origin = ''] =
      /(http:\/\/127\.0\.0\.1:\d+)\/#code=[\w-]{32}$/m.exec(served.lines()) ?? []
    expect(served.lines()).toMatch(/valid once, for 10 minutes; `anode serve --open`/)
    const { page, complaints } = await open()
    await page.goto(link)
    await page.getByText('Start a run, study').waitFor()
    expect(page.url()).toBe(`${origin}/`)
    await page.reload()
    await page.getByText('Start a run, study').waitFor()
    expect(complaints).toEqual([])
    // a page that has its rights is not disturbed by an old link
    await page.goto('about:blank')
    await page.goto(link)
    await page.getByText('Start a run, study').waitFor()
    const other = await open()
    await other.page.goto(link)
    await other.page.getByText('this link was used before or has expired').waitFor()
    expect(other.page.url()).toBe(`${origin}/`)
    await other.page.getByRole('heading', { name: 'This page needs a token' }).waitFor()
    served.program.kill('SIGTERM')
    await served.exit
  })
})
