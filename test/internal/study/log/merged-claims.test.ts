// Merged claims: one fact of one source is one claim for all tasks that found it. Claims that differ in
// substance stay separate.
import { expect, test } from 'vitest'
import { makeStudyEntry } from '../../../../internal/study/log/entries.ts'
import { compareIds, createOrderedItems } from '../../../../internal/study/log/merged-claims.ts'
import { documentOf } from '../../../../internal/study/report/document.ts'
import { rng, shuffled } from '../../../support/rng.ts'
import { claim, evidence, studyOf } from '../../../support/study.ts'

const fact = 'The store locks files with O_EXCL.'
const excerpt = `${fact} It waits for 30 seconds.`

function study(...claims: ReturnType<typeof claim>[]) {
  return studyOf([
    makeStudyEntry('evidence', evidence('E1.1', excerpt, { canonical: 'doc/a.md', locator: '3' })),
    makeStudyEntry('evidence', evidence('E2.1', excerpt, { canonical: 'doc/a.md', locator: '1-9' })),
    makeStudyEntry('evidence', evidence('E3.1', excerpt, { canonical: 'doc/b.md', locator: '3' })),
    ...claims.map((one) => makeStudyEntry('claim', one)),
  ])
}
const first = claim('C1.1', fact, { evidence: 'E1.1' })

test.each([
  ['the same', fact, {}],
  ['white space', fact.replaceAll(' ', '\n '), {}],
  ['case and mark', fact, { text: fact.toUpperCase().replace(/\.$/, '!') }],
  ['less of the quotation', 'locks files with O_EXCL', { text: fact }],
  ['more of the quotation', excerpt, { text: fact }],
  ['another confidence', fact, { confidence: 0.1 }],
] as const)('one claim under two tasks: %s', (_name, quote, over) => {
  const state = study(first, claim('C2.1', quote, { evidence: 'E2.1', ...over }))
  expect([...state.claims.keys()]).toEqual(['C1.1'])
  expect([...state.recorded.keys()]).toEqual(['C1.1', 'C2.1'])
  expect(state.standIns.get('C2.1')).toBe('C1.1')
  expect(documentOf(state).claims.map(({ id }) => id)).toEqual(['C1.1'])
})

test.each([
  ['another source', fact, { evidence: 'E3.1' }],
  ['another statement', fact, { evidence: 'E2.1', text: 'The store never locks.' }],
  ['another figure', fact, { evidence: 'E2.1', text: 'The store locks 31 files.' }],
  ['another stance', fact, { evidence: 'E2.1', stance: 'refutes' }],
  ['other words of the source', 'It waits for 30 seconds.', { evidence: 'E2.1', text: fact }],
] as const)('two claims: %s', (_name, quote, over) => {
  expect([...study(first, claim('C2.1', quote, { ...over })).claims.keys()]).toEqual(['C1.1', 'C2.1'])
})

test('does not depend on the order in which workers finish', () => {
  const both = [
    first,
    claim('C2.1', fact, { evidence: 'E2.1' }),
    claim('C2.2', 'It waits for 30 seconds.', { evidence: 'E2.1' }),
  ]
  for (const order of [both, [...both].reverse()]) {
    expect([...study(...order).claims.keys()]).toEqual(['C1.1', 'C2.2'])
  }
})

test('returns items in the order of ids, for any order of arrival', () => {
  const ids = Array.from({ length: 300 }, (_, i) => `E${1 + (i % 12)}.${1 + Math.floor(i / 12)}`)
  const mixed = shuffled(rng(7), ids)
  const kept = createOrderedItems<{ id: string }>()
  const first = kept.items()
  for (const [i, id] of mixed.entries()) {
    kept.put({ id })
    if (i % 50 === 0) expect([...kept.items().keys()]).toEqual([...kept.items().keys()].sort(compareIds))
  }
  expect([...kept.items().keys()]).toEqual(ids.toSorted(compareIds))
  expect(kept.items()).toBe(first)
})

test('keeps the latest item of one id', () => {
  const kept = createOrderedItems<{ id: string; n: number }>()
  for (const [id, n] of [
    ['C2.1', 1],
    ['C1.1', 2],
    ['C2.1', 3],
  ] as const)
    kept.put({ id, n })
  expect([...kept.items().values()]).toEqual([
    { id: 'C1.1', n: 2 },
    { id: 'C2.1', n: 3 },
  ])
})
