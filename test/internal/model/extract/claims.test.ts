// Checks which quotations are chosen from what was read.
import { expect, test } from 'vitest'
import { chooseClaims, type FilePassage } from '../../../../internal/model/extract/claims.ts'
import type { TermWeights } from '../../../../internal/model/extract/file-ranking.ts'

const weight: TermWeights = { of: (term) => (term === 'lease' ? 3 : 1), missing: [] }
const passage = (path: string, line: number, text: string): FilePassage => ({
  path,
  line,
  lines: text.split('\n'),
})
const quotes = (passages: FilePassage[], ...terms: string[]) =>
  chooseClaims(passages, terms, weight).taken.map((quote) => [
    `${quote.path}:${quote.from}-${quote.to}`,
    quote.text,
  ])

test('prose by sentence, also over line ends, with the lines it stands on', () => {
  const text =
    '# Leases of the store\n\nA lock is a file. The lease of a lock lasts\nthirty seconds. Then it ends.\n\n- a lease in a list item\n- another lease in it'
  expect(quotes([passage('doc/a.md', 10, text)], 'lease')).toEqual([
    ['doc/a.md:12-13', 'The lease of a lock lasts thirty seconds.'],
    ['doc/a.md:16-16', '- another lease in it'],
    ['doc/a.md:15-15', '- a lease in a list item'],
  ])
  expect(quotes([passage('doc/a.md', 10, text)], 'leases')).toEqual([])
})

test('the head of a table states nothing, its rows do', () => {
  const text = '| lease of what | how long it is |\n|---|:--:|\n| the lease of a lock | thirty seconds |'
  expect(quotes([passage('a.md', 1, text)], 'lease')).toEqual([
    ['a.md:3-3', '| the lease of a lock | thirty seconds |'],
  ])
})

test('code by line, without its indentation', () => {
  const text = 'const a = 1\n  return lease.extend(30_000)\n}'
  expect(quotes([passage('src/a.ts', 4, text)], 'lease')).toEqual([
    ['src/a.ts:5-5', 'return lease.extend(30_000)'],
  ])
})

test('short lines and lines without a term are no candidates', () => {
  expect(quotes([passage('a.ts', 1, 'the lease\nnothing about it in this line')], 'lease')).toEqual([])
})

test('lines that only bring names in state nothing', () => {
  const text =
    "import { lease } from './lease.ts'\nexport { lease } from './lease.ts'\n} from './lease.ts' // and so on"
  expect(quotes([passage('a.ts', 1, text)], 'lease')).toEqual([])
  expect(quotes([passage('a.ts', 1, 'export const lease = 30_000')], 'lease')).toHaveLength(1)
})

test('an abbreviation followed by a small letter ends no sentence', () => {
  expect(quotes([passage('a.md', 1, 'A lease, e.g. of a lock, lasts. It ends!')], 'lease')).toEqual([
    ['a.md:1-1', 'A lease, e.g. of a lock, lasts.'],
  ])
})

test('heavier terms first, long lines later, the plainer one of equals', () => {
  const long = `a lease ${'x'.repeat(300)}`
  const { taken } = chooseClaims(
    [
      passage('b.ts', 1, `// ${long}\n// the lock is a plain file here`),
      passage('a.ts', 1, '// the lock is never a folder, too'),
    ],
    ['lease', 'lock'],
    { of: () => 1, missing: [] },
  )
  expect(taken.map(({ path, from }) => `${path}:${from}`)).toEqual(['b.ts:2', 'a.ts:1', 'b.ts:1'])
  expect(taken[2]?.score).toBeCloseTo(1 / (1 + (long.length + 3 - 200) / 200))
})

test('what asks is no answer, and what a program does comes after what is said of it', () => {
  const text =
    'assert(lease("when does the lease of the lock end?"))\nlease.lock(file, true)\n// the lease of the lock ends'
  expect(quotes([passage('a.ts', 1, text)], 'lease', 'lock').map(([, quote]) => quote)).toEqual([
    '// the lease of the lock ends',
    'lease.lock(file, true)',
  ])
  const page =
    'The lease of the lock ends.\n\n```\nlock(lease, path, owner)\n```\nWhoever holds a lock renews its lease daily.'
  expect(quotes([passage('a.md', 1, page)], 'lease', 'lock').map(([place]) => place)).toEqual([
    'a.md:1-1',
    'a.md:6-6',
    'a.md:4-4',
  ])
})

test('what says less than half of the best is left out', () => {
  const text = 'the lease of the lock ends\nthe lock alone is mentioned here'
  expect(quotes([passage('a.ts', 1, text)], 'lease', 'lock')).toEqual([
    ['a.ts:1-1', 'the lease of the lock ends'],
  ])
})

test('twins are skipped unless they differ in what they say', () => {
  const one = 'The lease lasts 30 seconds here.'
  const beside = (text: string) => quotes([passage('a.ts', 1, `${one}\n${text}`)], 'lease')
  expect(beside('Here the lease lasts 30 seconds.')).toHaveLength(1)
  expect(beside('The lease lasts 45 seconds here.')).toHaveLength(2)
  expect(beside('The lease never lasts 30 seconds.')).toHaveLength(2)
  expect(beside('The lease is renewed by its owner.')).toHaveLength(2)
  expect(quotes([passage('a.ts', 1, one), passage('b.ts', 1, one)], 'lease')).toHaveLength(1)
})

test('five at most', () => {
  const many = Array.from({ length: 9 }, (_, i) => `The lease lasts ${i} seconds here.`).join('\n')
  expect(quotes([passage('a.ts', 1, many)], 'lease')).toHaveLength(5)
})

test('answered when one quotation holds half of the terms', () => {
  const of = (text: string) =>
    chooseClaims([passage('a.ts', 1, text)], ['lease', 'lock', 'crash', 'store'], weight).answered
  expect(of('a lease is held by a lock')).toBe(true)
  expect(of('a lease is held by someone\nand a lock is something else')).toBe(false)
  expect(of('nothing of the kind stands here')).toBe(false)
})
