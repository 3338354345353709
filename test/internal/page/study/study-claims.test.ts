// The claims of a study on the page, in a real browser: a quote has the markup of its file.
import { expect, it, onTestFinished } from 'vitest'
import { withBrowser } from '../../../support/browser.ts'
import { openScreenWorld } from '../../../support/screen-program.ts'

/** The page, bundled as dist/page. */
export type ClaimsPage = typeof import('../../../../internal/page/main.ts')

withBrowser('claims of a study', (open) => {
  it('are shown without the marks of reStructuredText', { timeout: 120_000 }, async () => {
    const at = openScreenWorld([])
    at.put('d.rst', 'Use ``--debug`` and *only* in development, see `the guide <https://example.org>`_.\n')
    const asked = ['study', 'When is --debug used in development?', '--model', 'builtin/extract']
    const { code, err } = await at.anode(asked)
    expect(code).toBe(0)
    // one part needs no line that says so
    expect(err).not.toContain('not split')
    const served = at.start(['serve', '--port', '0'], { columns: 80 })
    onTestFinished(async () => void (await at.anode(['serve', 'stop'])))
    await served.until(/serve --open/)
    const { page, complaints } = await open()
    await page.goto(/http:\S+#code=[\w-]{32}/.exec(served.lines())?.[0] ?? '')
    await page.getByRole('link', { name: 'When is --debug' }).first().click()
    const quote = page.locator('.claim blockquote')
    await quote.waitFor()
    expect((await quote.innerText()).trim()).toBe('Use --debug and only in development, see the guide.')
    expect(await quote.locator('code').innerText()).toBe('--debug')
    expect(await quote.locator('em').innerText()).toBe('only')
    expect(await quote.locator('a').getAttribute('href')).toBe('https://example.org/')
    expect(complaints).toEqual([])
  })
})
