// Answers of builtin/extract: quotes with positions, endings, a study's closing JSON, and open parts.
import { expect, test } from 'vitest'
import {
  cannotSearch,
  closingReply,
  plainAnswer,
  readVerdict,
} from '../../../../internal/model/extract/answer.ts'
import type { SearchOutcome, ShownHit } from '../../../../internal/model/extract/found-passages.ts'

const hit = (path: string, line: number, text: string, rest: Partial<ShownHit> = {}): ShownHit => ({
  path,
  line,
  lines: text.split('\n'),
  heading: 'Leases',
  kind: 'prose',
  score: 8,
  best: { from: line, to: line + text.split('\n').length - 1, key: line },
  part: 0,
  ...rest,
})
const outcome = (rest: Partial<SearchOutcome> = {}): SearchOutcome => ({
  called: true,
  hits: [
    hit('doc/a.md', 7, 'The lease of a lock lasts 30 seconds.', { evidence: 'E1.3' }),
    hit('doc/b.md', 1, 'The lease of a lock lasts 45\nseconds in all.', { score: 4, heading: '' }),
  ],
  verdict: 'found',
  coverage: '0.90',
  missing: [],
  lacking: [],
  mentions: [],
  nearest: ['Locks (doc/a.md)', 'Leases (doc/b.md)'],
  read: '2 files, 1 kB, 0.1 s',
  remarks: [],
  ...rest,
})

test('an ordinary answer quotes, lists the positions, and reports the number of files', () => {
  expect(
    plainAnswer('How long is the lease?', outcome({ remarks: ['1 file skipped: binary'] })),
  ).toBe(`builtin/extract (deterministic extraction, not a language model): quotations found.

> The lease of a lock lasts 30 seconds.

doc/a.md:7  Leases

> **The lease of a lock lasts 45**${'  '}
> **seconds in all.**

doc/b.md:1-2

Possible contradiction:
- doc/a.md:7  Leases
- doc/b.md:1-2

read 2 files, 1 kB, 0.1 s${'  '}
1 file skipped: binary`)
})

test('groups the quotes by the parts of the question', () => {
  const hits = [hit('a.md', 1, 'Locks are taken.'), hit('b.md', 1, 'Stale files go.', { part: 1 })]
  const text = plainAnswer('How are locks taken, and what removes stale files?', outcome({ hits }))
  expect(text).toContain('How are locks taken:\n\n> Locks are taken.')
  expect(text).toContain('what removes stale files:\n\n> Stale files go.')
})

test('a partial answer lists the missing words', () => {
  const partial = outcome({ verdict: 'partial', missing: ['Kafka'], coverage: '0.54' })
  expect(plainAnswer('q', partial).split('\n')[0]).toMatch(/: partial, no passage contains "Kafka"\.$/)
  expect(plainAnswer('q', { ...partial, missing: [] }).split('\n')[0]).toMatch(
    /the passages cover 54 % of the question/,
  )
  expect(closingReply('q', partial).gaps).toEqual(['no passage contains "Kafka"'])
  const open = { ...partial, lacking: ['no quote for: why'] }
  expect(plainAnswer('q', open).split('\n')[0]).toMatch(/no passage contains "Kafka"; no quote for: why\.$/)
  expect(closingReply('q', open).gaps).toEqual(['no passage contains "Kafka"', 'no quote for: why'])
  const uncounted = outcome({ verdict: 'partial', lacking: ['no quote gives a number for: why'] })
  expect(plainAnswer('q', uncounted)).toMatch(/^[^\n]*: partial, no quote gives a number for: why\.\n/)
  expect(closingReply('q', uncounted).gaps).toEqual(['no quote gives a number for: why'])
  expect(closingReply('q', { ...partial, missing: [] }).gaps).toEqual(['no quote for: q'])
  const apart = { ...partial, missing: [], coverage: '1.00' }
  expect(plainAnswer('q', apart).split('\n')[0]).toMatch(/cover 100 % of the question/)
  expect(closingReply('q', apart).gaps).toEqual(['no quote for: q'])
})

test('without a match quotes nothing and lists the nearest sections', () => {
  const nothing = outcome({ verdict: 'nothing', missing: ['QUIX'] })
  const text = plainAnswer('Does it speak QUIX?', nothing)
  expect(text).toContain('nothing found: no passage contains "QUIX".')
  expect(text).toContain('- Locks (doc/a.md)\n- Leases (doc/b.md)')
  expect(text).not.toContain('>')
  expect(closingReply('Does it speak QUIX?', nothing)).toEqual({
    claims: [],
    gaps: [
      'nothing found on: Does it speak QUIX?',
      'no passage contains "QUIX"',
      'nearest sections: Locks (doc/a.md); Leases (doc/b.md)',
    ],
  })
})

test('a failed search differs from a search without results', () => {
  const failed = outcome({ failure: 'error timeout: too slow', hits: [], verdict: 'nothing' })
  expect(plainAnswer('q', failed)).toContain('could not search: error timeout: too slow')
  expect(closingReply('q', failed).gaps).toEqual(['not searched: error timeout: too slow'])
})

test('a task closes with quotes and their evidence', () => {
  expect(closingReply('the lease', outcome())).toEqual({
    claims: [
      {
        text: 'The lease of a lock lasts 30 seconds.',
        evidence: 'E1.3',
        quote: 'The lease of a lock lasts 30 seconds.',
        key: 'The lease of a lock lasts 30 seconds.',
        stance: 'supports',
        confidence: 1,
      },
      {
        text: 'The lease of a lock lasts 45\nseconds in all.',
        quote: 'The lease of a lock lasts 45\nseconds in all.',
        key: 'The lease of a lock lasts 45 seconds in all.',
        stance: 'supports',
        confidence: 0.5,
      },
    ],
    gaps: [],
  })
})

test.each(['found', 'partial', 'nothing'] as const)('an answer reports that it is %s', (verdict) => {
  const hits = [hit('a.md', 1, 'Locks are taken.')]
  expect(readVerdict(plainAnswer('q', outcome({ hits, verdict })))).toBe(verdict)
})

test('a failed search and a missing search count as nothing found', () => {
  expect(readVerdict(plainAnswer('q', outcome({ failure: 'no such folder' })))).toBe('nothing')
  expect(readVerdict(cannotSearch('searches for words'))).toBe('nothing')
})

test('other texts have no verdict', () => {
  expect(readVerdict('quotations found')).toBeUndefined()
  expect(readVerdict('')).toBeUndefined()
})

test('escapes control characters of a quote for a terminal and keeps them in a claim', () => {
  const red = outcome({ hits: [hit('a.md', 1, 'The \u001b[31mlease\u001b[0m lasts 30 seconds.')] })
  expect(plainAnswer('How long is the lease?', red)).toContain('The \\x1b[31mlease')
  expect(JSON.stringify(closingReply('How long is the lease?', red))).toContain('\\u001b[31mlease')
})
