// Checks the answers: quotations with places, a study's closing JSON, and what stays open.
import { expect, test } from 'vitest'
import { closingReply, plainAnswer } from '../../../../internal/model/extract/answer.ts'
import { chooseClaims } from '../../../../internal/model/extract/claims.ts'
import type { ExtractProgress } from '../../../../internal/model/extract/search-steps.ts'

function progress(missing: string[] = [], unsearched: string[] = []): ExtractProgress {
  const passages = [
    {
      path: 'doc/a.md',
      line: 7,
      lines: ['The lease of a lock lasts 30 seconds.'],
      evidence: [{ id: 'E1.2', path: 'other' }, { id: 'E1.3' }],
    },
    { path: 'doc/b.md', line: 1, lines: ['The lease of a lock lasts 45', 'seconds in all.'] },
  ]
  return {
    seen: { called: new Set(), files: 2, hits: [], passages, unsearched: new Set(unsearched) },
    weight: { of: () => 1, missing },
    steps: [],
  }
}
const of = (terms: string[], from: ExtractProgress) => chooseClaims(from.seen.passages, terms, from.weight)

const part = (objective: string, terms: string[], from: ExtractProgress) => ({
  objective,
  terms,
  claims: of(terms, from),
})

test('an ordinary answer quotes, names the places, and says what it is', () => {
  const from = progress(['moon'])
  expect(
    plainAnswer([part('the lease', ['lease', 'lock', 'moon'], from)], from),
  ).toBe(`builtin/extract (deterministic extraction, not a language model) searched for: lease, lock, moon.

> The lease of a lock lasts 30 seconds.
doc/a.md:7

> The lease of a lock lasts 45 seconds in all.
doc/b.md:1-2

Possible contradiction: doc/a.md:7 and doc/b.md:1-2.

Found nowhere: moon.`)
})

test('parts are answered one by one, and nothing is quoted twice', () => {
  const from = progress(['moon'])
  const text = plainAnswer(
    [part('the lease', ['lease'], from), part('the lock', ['lock'], from), part('the moon', ['moon'], from)],
    from,
  )
  expect(text).toContain('searched for: lease, lock, moon.\n\nthe lease:\n\n> The lease of a lock lasts 30')
  expect(text.match(/lasts 30/g)).toHaveLength(1)
  expect(text).not.toContain('the lock:')
  expect(text).toContain('No quotation holds half of the words of: the moon.')
})

test('nothing found, and nothing to search for', () => {
  const from = progress(['moon'])
  expect(plainAnswer([part('the moon', ['moon'], from)], from)).toMatch(
    /Nothing that could be quoted was found\./,
  )
  expect(plainAnswer([], from)).toMatch(/has none it can search for/)
})

test('what was not searched to the end is nowhere claimed to be nowhere', () => {
  const terms = ['lease', 'moon', 'star', 'crash']
  for (const unsearched of [['moon'], ['moon', 'star'], ['lease'], terms]) {
    const from = progress(['moon', 'star', 'crash'], unsearched)
    const nowhere = ['moon', 'star', 'crash'].filter((term) => !unsearched.includes(term))
    const text = plainAnswer([part('all', terms, from)], from)
    const { gaps } = closingReply('all', terms, of(terms, from), from) as { gaps: string[] }
    for (const reply of [text, gaps.join('\n')]) {
      expect(/found nowhere: ([a-z, ]*)/i.exec(reply)?.[1]?.split(', ') ?? []).toEqual(nowhere)
      expect(/not searched to the end: ([a-z, ]*)/i.exec(reply)?.[1]?.split(', ')).toEqual(unsearched)
    }
  }
})

test('the closing JSON points at evidence', () => {
  const from = progress()
  const terms = ['lease', 'lock', 'crash', 'store']
  expect(closingReply('the facet', terms, of(terms, from), from)).toEqual({
    claims: [
      {
        text: 'The lease of a lock lasts 30 seconds.',
        evidence: 'E1.3',
        quote: 'The lease of a lock lasts 30 seconds.',
        stance: 'supports',
        confidence: 0.5,
      },
      {
        text: 'The lease of a lock lasts 45 seconds in all.',
        quote: 'The lease of a lock lasts 45 seconds in all.',
        stance: 'supports',
        confidence: 0.5,
      },
    ],
    gaps: [],
  })
})

test('a facet without a good quotation is a gap', () => {
  const from = progress(['crash'])
  const terms = ['lease', 'crash', 'store', 'journal']
  expect(closingReply('the facet', terms, of(terms, from), from).gaps).toEqual([
    'the facet',
    'found nowhere: crash',
  ])
})
