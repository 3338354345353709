// Claims with an unknown id or a quote that is not in their evidence: what the worker gets, and what is kept.
import { expect, test } from 'vitest'
import { mergeCorrection, writeClaimNote } from '../../../../internal/study/worker/claim-correction.ts'

const evidence = new Map([
  ['E1.1', { excerpt: 'The store locks\n its files with O_EXCL.' }],
  ['E1.2', { excerpt: 'A lock is held for 30 seconds.' }],
])
const claim = (text: string, id: string, quote: string) => ({
  ...{ text, evidence: id, quote, stance: 'supports' as const, confidence: 0.5 },
})
const good = claim('It locks', 'E1.1', 'store locks its files')
const also = claim('It waits', 'E1.2', 'held for 30 seconds')

test.each([
  ['no claim', [], undefined],
  ['good claims', [good, also], undefined],
  [
    'an id of another task',
    [good, claim('x', 'E2.1', 'A lock')],
    /1 of 2 claims[\s\S]*2\. "x": you were not given evidence E2\.1/,
  ],
  ['no id', [claim('x', '', 'A lock')], /1 of 1 claim\.[\s\S]*names no evidence/],
  ['other words', [claim('x', 'E1.2', 'A lock is kept')], /its quote is not in E1\.2 word for word/],
  ['the quote of another evidence', [claim('x', 'E1.2', 'O_EXCL')], /not in E1\.2/],
  ['no quote', [claim('x', 'E1.2', '')], /not in E1\.2/],
  ['an ellipsis', [claim('x', 'E1.2', 'A lock … 30 seconds')], /not in E1\.2/],
])('%s', (_, claims, wanted) => {
  const note = writeClaimNote({ claims, gaps: [] }, evidence)
  if (wanted) expect(note).toMatch(wanted)
  else expect(note).toBeUndefined()
})

test('a note lists 20 claims and counts the others', () => {
  const claims = Array.from({ length: 30 }, (_, i) => claim(`c${i}`, 'E9', 'x'))
  expect(writeClaimNote({ claims, gaps: [] }, evidence)).toMatch(/30 of 30 claims[\s\S]*c19[\s\S]*… 10 more/)
})

test('a correction replaces what was wrong, and an empty one keeps it', () => {
  const bad = claim('x', 'E2.1', 'A lock')
  const before = { claims: [good, bad], gaps: ['a'] }
  expect(mergeCorrection(before, { claims: [also], gaps: ['b'] }, evidence)).toEqual({
    claims: [good, also],
    gaps: ['a', 'b'],
  })
  expect(mergeCorrection(before, { claims: [], gaps: [] }, evidence)).toEqual(before)
})
