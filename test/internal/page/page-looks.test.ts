// How the views look in a real browser: nothing leaves the window, nothing is shown twice, marks agree.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'
import { appendEntry, parseLedger } from '../../../internal/research/ledger/ledger.ts'
import { withBrowser } from '../../support/browser.ts'
import { findBarriers } from '../../support/page.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { lines } from '../research/report/sample.ts'

/** The page, bundled as dist/page. */
export type LookedAtPage = typeof import('../../../internal/page/main.ts')

/** Returns the elements that reach past the right edge of the window and are in no part that scrolls. */
const findOverhang = (page: Page) =>
  page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const isScrolled = (element: Element): boolean => {
      const parent = element.parentElement
      if (parent === null) return false
      return getComputedStyle(parent).overflowX !== 'visible' || isScrolled(parent)
    }
    return [...document.querySelectorAll('main *')]
      .filter((element) => element.getBoundingClientRect().right > width + 1 && !isScrolled(element))
      .map(({ tagName, className }) => `${tagName}.${className}`)
  })

/** Returns the names of tools that take more than one line. */
const findSplitTools = (page: Page) =>
  page
    .locator('.call > summary')
    .evaluateAll((rows) =>
      rows
        .filter((row) => row.getBoundingClientRect().height > 34)
        .map((row) => row.querySelector('.tool')?.textContent),
    )

const command = `printf '%s\\n' ${'several words of a long command '.repeat(8)}; exit 0`
const lockPage =
  '# Locks\n\nThe store locks files for *at most* 30 seconds.\n\n| step | what |\n|---|---|\n| open | `O_EXCL` |\n'
const readCall = { name: 'read', args: { path: 'lock.md' } }
const edit = { path: 'lock.md', edits: [{ old: '30 seconds', new: '40 seconds' }] }

/** Returns a function that looks at the current view, wide and light, then narrow and dark. */
const lookAt = (page: Page) => async (name: string) => {
  for (const [width, colorScheme] of [
    [1280, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await page.emulateMedia({ colorScheme })
    // a chart gets its new width a moment after the page
    await expect.poll(async () => [name, width, await findOverhang(page)]).toEqual([name, width, []])
    expect([name, width, await findSplitTools(page)]).toEqual([name, width, []])
  }
  expect([name, await findBarriers(page)]).toEqual([name, []])
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** Opens the page of a new server for the data of `at`. */
async function openServed(at: ReturnType<typeof openScreenWorld>, page: Page) {
  const served = at.start(['serve', '--port', '0'], { columns: 120 })
  await served.until(/serve --open/)
  await page.goto(/http:\S+#code=[\w-]{32}/.exec(served.lines())?.[0] ?? '')
  const home = new URL('/', page.url()).href
  onTestFinished(async () => void (await at.anode(['serve', 'stop'])))
  return async (title: string | RegExp) => {
    await page.goto(home)
    await page.getByRole('link', { name: title }).first().click()
  }
}

withBrowser('views of the page', (open) => {
  it('of runs fit the window, and show each change once', { timeout: 300_000 }, async () => {
    const at = openScreenWorld([
      {
        text: 'I try.',
        calls: [
          { name: 'bash', args: { command } },
          { name: 'edit_file', args: edit },
        ],
      },
      { text: 'Tried.' },
    ])
    at.put('../.config/anode/config.json', JSON.stringify({ model: at.model[1] }))
    at.put('../reads.jsonl', `${JSON.stringify({ calls: [readCall] })}\n{"text":"Read."}\n`)
    at.put('lock.md', lockPage)
    expect((await at.anode(['execute', 'Change what is denied'])).code).not.toBe(0)
    await at.anode(['execute', 'Change the lock', '--approval', 'edits'])
    const reads = ['execute', 'Only read', '--model', `script:${join(at.dir, '..', 'reads.jsonl')}`]
    expect((await at.anode(reads)).code).toBe(0)
    const { page, complaints } = await open({ width: 1280 })
    const look = lookAt(page)
    const follow = await openServed(at, page)
    const denied = page.locator('.row', { hasText: 'Change what is denied' }).locator('.state')
    await expect.poll(() => denied.getAttribute('class')).toBe('state tone-short')
    await look('runs')
    await follow('Change what is denied')
    await page.getByText('Tried.').waitFor()
    await look('denied')
    await follow('Change the lock')
    await page.getByText('Tried.').waitFor()
    const change = page.locator('details.call', { hasText: 'edit_file' })
    expect(await change.locator('.removed .changed').allInnerTexts()).toEqual(['30'])
    expect(await change.getByText('"replace_all"').isVisible()).toBe(false)
    await change.getByText('Arguments and result').click()
    expect(await change.getByText('"replace_all"').isVisible()).toBe(true)
    const undo = page.getByRole('button', { name: /^Undo file changes of/ })
    expect(await undo.count()).toBe(1)
    await follow('Only read')
    await page.getByText('Read.').waitFor()
    await page.getByText('Change profile, model or mode').waitFor()
    expect(await undo.count()).toBe(0)
    await page.getByRole('link', { name: 'Permissions' }).click()
    const decision = page.locator('.decisions .reason').first()
    await decision.waitFor()
    expect(await decision.innerText()).not.toMatch(/\.$/)
    await look('permissions')
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.locator('.legend').waitFor()
    expect(await page.locator('.legend').innerText()).not.toContain('cost')
    await look('usage')
    expect(complaints).toEqual([])
  })

  it('of studies and experiments show each text once, with marks that agree', {
    timeout: 300_000,
  }, async () => {
    const at = openScreenWorld([])
    at.put('lock.md', lockPage)
    const asked = ['study', 'How does the store lock files?', '--in-process', '--model', 'builtin/extract']
    expect((await at.anode(asked)).code).toBe(0)
    const dir = join(at.data, 'research', 'shop-ab12', 'try')
    mkdirSync(dir, { recursive: true })
    let ledger = parseLedger(new Uint8Array(), '')
    for (const line of lines) ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
    const { page, complaints } = await open({ width: 1280 })
    const look = lookAt(page)
    const follow = await openServed(at, page)
    const found = page.locator('.row', { hasText: 'How does the store' }).locator('.state')
    await expect.poll(() => found.getAttribute('class')).toBe('state tone-good')
    await follow('How does the store lock files?')
    const claim = page.locator('.claim').first()
    await claim.waitFor()
    expect(await claim.locator('em').innerText()).toBe('at most')
    expect((await claim.innerText()).split('The store locks').length).toBe(2)
    const report = page.locator('.report')
    await report.getByRole('heading', { name: 'Answer' }).waitFor()
    const budget = report.getByRole('heading', { name: 'Budget' })
    expect(await budget.isVisible()).toBe(false)
    await report.getByText('About this study').click()
    expect(await budget.isVisible()).toBe(true)
    expect(await report.innerText()).not.toMatch(/Failed and not run/)
    await look('study')
    await follow(/gcc-flags/)
    await page.locator('.legend .dashes').waitFor()
    expect(await page.locator('.warning code').first().innerText()).toBe('anode research final')
    await look('research')
    expect(complaints).toEqual([])
  })
})
