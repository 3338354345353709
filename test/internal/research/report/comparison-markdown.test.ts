// A comparison as a comment on a pull request: marker first, verdict next, and foreign text that stays text.
import { expect, it } from 'vitest'
import {
  commentMarker,
  comparisonMarkdown,
} from '../../../../internal/research/report/comparison-markdown.ts'
import { comparisonRecord, metricRow } from '../../../support/comparison.ts'

const linesOf = (over: Parameters<typeof comparisonRecord>[0] = {}) =>
  comparisonMarkdown(comparisonRecord(over)).split('\n')

it('begins with the marker and the verdict, and has a row for each metric', () => {
  const lines = linesOf()
  expect(lines[0]).toBe(commentMarker({ command: './bench' }))
  expect(lines[2]).toBe('### ❌ loss: `the working tree` against `main (1111111111)`')
  expect(lines.filter((line) => line.startsWith('| ')).slice(2)).toEqual([
    '| **loss** | `cpu_ms` | 48.5 | 50.9 | +4.9 % (4.4 to 5.6) | 18 rounds, p 0.0078, confirmed |',
    '| (undecided) | `wall_ms` | 48.5 | 50.9 | -2.4 % (-9.0 to 12.0) | spread 46.0 % |',
  ])
  expect(lines).toContain('- Control: `cpu_ms` of the base against itself 0.0 % (-0.3 to 0.3)')
})

it('has one marker for each command, with any result', () => {
  const first = linesOf({ verdict: 'gain', id: 'ffffffff' })[0]
  expect(first).toBe(linesOf()[0])
  expect(linesOf({ command: './other' })[0]).not.toBe(first)
})

it('says for equal sides that nothing was measured, without a table', () => {
  const text = comparisonMarkdown(
    comparisonRecord({
      verdict: 'same',
      measured: false,
      metrics: [],
      notes: ['both sides have the same files'],
    }),
  )
  expect(text).toContain('> both sides have the same files')
  expect(text).toContain('- Not measured')
  expect(text).not.toContain('| --- |')
})

it.each([
  'a|b',
  'a`b',
  'x\n| forged | row |',
  '<!-- end -->',
  '@everyone',
  '[link](http://x)',
  '\u001b[31mred',
])('shows %j in names, commands and notes as text in its place', (foreign) => {
  const harmless = comparisonRecord({ notes: ['a note'], build: 'make' })
  const record = comparisonRecord({
    command: foreign,
    build: foreign,
    sealed: [foreign],
    notes: [foreign],
    head: { name: foreign, tree: 'b', commit: '2222222222222222' },
    metrics: [metricRow({ name: foreign })],
  })
  const text = comparisonMarkdown(record)
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  expect(rows).toHaveLength(3)
  // a cell that ends early would make another number of columns
  for (const row of rows) expect(row.replaceAll('\\|', '').split('|')).toHaveLength(8)
  expect(text.match(/`/g)?.length).toBe(2 * (text.match(/`[^`]*`/g)?.length ?? 0))
  const outside = text.replace(/`[^`]*`/g, '').replace(/^<!--.*-->$/m, '')
  expect(outside).not.toMatch(/@everyone|<!--|\u001b|\[link\]\(/)
  expect(comparisonMarkdown(harmless)).toContain('> a note')
})

it('stays below the size of a comment with many benchmarks', () => {
  const metrics = Array.from({ length: 2_000 }, (_, i) =>
    metricRow({ name: `benchmark-with-a-long-name-${i}` }),
  )
  const text = comparisonMarkdown(comparisonRecord({ metrics }))
  expect(text.length).toBeLessThan(65_536)
  expect(text).toContain('1,900 other metrics')
})
