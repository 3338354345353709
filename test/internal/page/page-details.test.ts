// Details of the page in a real browser: tables, marks, citations and subjects of calls.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { appendEntry, parseLedger } from '../../../internal/research/ledger/ledger.ts'
import { withBrowser } from '../../support/browser.ts'
import { servedData, startServer } from '../../support/http-server.ts'
import { findBarriers } from '../../support/page.ts'
import { rng } from '../../support/rng.ts'
import { plant } from '../../support/scratch.ts'
import { openScreenWorld } from '../../support/screen-program.ts'
import { lines, run } from '../research/report/sample.ts'

/** The page, bundled as dist/page. */
export type DetailedPage = typeof import('../../../internal/page/main.ts')

/** Returns words of tables that are split over two lines. */
const findBrokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = []
    for (const cell of document.querySelectorAll('td, th')) {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        for (const match of (node.textContent ?? '').matchAll(/[\p{L}\p{N}_]+/gu)) {
          const range = document.createRange()
          range.setStart(node, match.index)
          range.setEnd(node, match.index + match[0].length)
          const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
          if (tops.size > 1) broken.push(match[0])
        }
    }
    return broken
  })

withBrowser('details of the page', (open) => {
  it('break no word of a table at any width, and show what grep searched for', async () => {
    const random = rng(7)
    const word = () => 'tokenizerboundaries'.slice(0, 1 + Math.floor(random() * 18))
    const cell = () => {
      const text = Array.from({ length: 1 + Math.floor(random() * 9) }, word).join(' ')
      return random() < 0.3 ? `\`${text}\`` : text
    }
    const table = (columns: number) =>
      [cell, () => '---', cell, cell, cell]
        .map((make) => `| ${Array.from({ length: columns }, make).join(' | ')} |`)
        .join('\n')
    const grep = { calls: [{ name: 'grep', args: { pattern: 'one|two', path: 'a.txt' } }] }
    const at = servedData([grep, { text: [2, 3, 5, 8].map(table).join('\n\n') }])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: at.wishes('Tabulate') })
    const { page } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${server.token}`)
    await expect.poll(() => page.locator('.answer table').count()).toBe(4)
    const call = page.locator('.call summary', { hasText: 'grep' })
    expect(await call.locator('code').innerText()).toBe('one|two a.txt')
    for (const width of [1280, 1000, 700, 390]) {
      await page.setViewportSize({ width, height: 800 })
      expect([width, await findBrokenWords(page)]).toEqual([width, []])
      const outer = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(outer).toBeLessThanOrEqual(width)
    }
  })

  it('color the words of an answer and of a diff, in both themes', async () => {
    const at = servedData([
      { calls: [{ name: 'create_file', args: { path: 'a.ts', content: 'const old = 1\n' } }] },
      {
        calls: [{ name: 'edit_file', args: { path: 'a.ts', edits: [{ old: 'old = 1', new: 'fresh = 1' }] } }],
      },
      { text: "Done:\n\n```ts\n/* one\ntwo */ const a = '<b>\\x1b[2J'\n```\n" },
    ])
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: { ...at.wishes('Edit'), mode: 'edits' } })
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${server.token}`)
    const code = page.locator('.answer pre code')
    await expect.poll(() => code.locator('.code-keyword').allInnerTexts()).toEqual(['const'])
    expect(await code.innerText()).toBe("/* one\ntwo */ const a = '<b>\\x1b[2J'")
    expect(await page.locator('.removed .changed').allInnerTexts()).toEqual(['old'])
    expect(await page.locator('.added .changed').allInnerTexts()).toEqual(['fresh'])
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect([theme, await findBarriers(page)]).toEqual([theme, []])
    }
    expect(complaints).toEqual([])
  })

  it('color the change and the command of a call that waits, and mark the changed words', async () => {
    const edit = { path: 'a.ts', edits: [{ old: 'old = 1', new: 'fresh = 1' }] }
    const at = servedData([
      { calls: [{ name: 'edit_file', args: edit }] },
      { calls: [{ name: 'bash', args: { command: 'true\nfor i in 1 2; do echo "$i"; done > out.txt' } }] },
    ])
    plant(at.cwd, { 'a.ts': 'const old = 1 // first\n' })
    const server = await startServer(at)
    const begun = await server.ask('/v1/runs', { body: { ...at.wishes('Edit'), mode: 'ask' } })
    const { page, complaints } = await open()
    await page.goto(`http://127.0.0.1:${server.port}/runs/${begun.json['thread']}#token=${server.token}`)
    const card = page.locator('.approval')
    await expect.poll(() => card.locator('.removed .changed').allInnerTexts()).toEqual(['old'])
    expect(await card.locator('.added .changed').allInnerTexts()).toEqual(['fresh'])
    expect(await card.locator('.code-keyword').allInnerTexts()).toEqual(['const', 'const'])
    expect(await card.locator('.added').innerText()).toBe('+const fresh = 1 // first')
    for (const theme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme: theme })
      expect([theme, await findBarriers(page)]).toEqual([theme, []])
    }
    await card.getByRole('button', { name: 'Allow once' }).click()
    await expect
      .poll(() => card.locator('.code-keyword').allInnerTexts())
      .toEqual(expect.arrayContaining(['for', 'in', 'do', 'done']))
    await page.getByText('true ⏎ for i in 1 2').first().waitFor()
    expect(complaints).toEqual([])
  })

  it('put what was tried first on a phone, and the marks of the chart into its legend', async () => {
    const at = servedData([])
    const dir = join(at.data, 'research', 'shop-ab12', 'try')
    mkdirSync(dir, { recursive: true })
    let ledger = parseLedger(new Uint8Array(), '')
    for (const line of [...lines, run(7, { status: 'crash', reason: 'timeout', metric: undefined })])
      ledger = await appendEntry(join(dir, 'ledger.jsonl'), ledger, line)
    const server = await startServer(at)
    const { page, complaints } = await open({ width: 390 })
    await page.goto(`http://127.0.0.1:${server.port}/#token=${server.token}`)
    await page.locator('a[href^="/research/"]').click()
    const heads = () => page.getByRole('columnheader').allInnerTexts()
    await expect.poll(async () => (await heads())[0]).toBe('what was tried')
    expect(await page.locator('.wide-table').evaluate(isFirstCellInSight)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(async () => (await heads()).at(-1)).toBe('what was tried')
    const marks = await page
      .locator('.legend .key')
      .evaluateAll((keys) => keys.map(({ className }) => className))
    expect(marks).toEqual([
      'key kept disc',
      'key same ring',
      'key broken cross',
      'key line',
      'key line dashes',
    ])
    expect(await page.locator('.legend .cross').evaluate(backgroundOfMark)).toContain('linear-gradient')
    expect(complaints).toEqual([])
  })

  it('lead from a citation to the quote in its source', async () => {
    const at = openScreenWorld([])
    at.put('lock.md', '# Locks\n\nThe store locks its files with O_EXCL.\n')
    const study = ['study', 'How does the store lock its files?', '--workers', '1', '--in-process', '--serve']
    const done = await at.anode(study)
    const link = /^page {2}(http\S+)$/m.exec(done.err)?.[1] ?? ''
    const { page, complaints } = await open({ height: 500 })
    await page.goto(link)
    const report = page.locator('.report')
    await report.getByRole('heading', { name: 'Answer' }).waitFor()
    expect(await report.innerText()).not.toMatch(/^None\.$/m)
    await report.getByRole('button', { name: 'Source 1' }).first().click()
    const quoted = page.locator('.claim mark')
    await quoted.last().waitFor()
    expect((await quoted.allInnerTexts()).join('')).toContain('locks its files with O_EXCL')
    // The number of a line and its colored words are in one row.
    expect(await quoted.first().innerText()).toMatch(/^ *1 {2}# Locks\s*$/)
    expect(await page.locator('.claim').first().evaluate(isInWindow)).toBe(true)
    expect(await findBarriers(page)).toEqual([])
    expect(complaints).toEqual([])
    expect(await at.anode(['serve', 'stop'])).toMatchObject({ out: 'stopped\n' })
  })
})

function isFirstCellInSight(table: Element): boolean {
  const cell = table.querySelector('tbody tr > *') as Element
  const { left, right } = cell.getBoundingClientRect()
  return left >= 0 && right <= innerWidth
}

const backgroundOfMark = (key: Element) => getComputedStyle(key, '::before').backgroundImage

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect()
  return bottom > 0 && top < innerHeight
}
