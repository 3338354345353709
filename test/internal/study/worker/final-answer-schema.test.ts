// The last response of a worker: the text that is read as its result, and the accepted claims.
import { expect, test } from 'vitest'
import { admitClaims, readFinalAnswer } from '../../../../internal/study/worker/final-answer-schema.ts'

const one = { text: 'a', evidence: 'E1.1', quote: 'q' }
const full = { ...one, stance: 'supports', confidence: 0.5 }

test.each([
  ['as asked', JSON.stringify({ claims: [one], gaps: ['g'] }), { claims: [full], gaps: ['g'] }],
  [
    'in a fence',
    `Here:\n\`\`\`json\n${JSON.stringify({ claims: [one] })}\n\`\`\``,
    { claims: [full], gaps: [] },
  ],
  [
    'after braces in prose',
    `The set {a} holds. ${JSON.stringify({ gaps: ['g'] })} Done {}.`,
    { claims: [], gaps: ['g'] },
  ],
  [
    'with braces in a quote',
    JSON.stringify({ claims: [{ ...one, quote: 'if (x) { y() }' }] }),
    { claims: [{ ...full, quote: 'if (x) { y() }' }], gaps: [] },
  ],
])('%s', (_, text, closing) => {
  expect(readFinalAnswer(text)).toEqual({ ok: true, closing })
})

test.each([
  ['words', 'It locks.'],
  ['another object', '{"answer": 42}'],
  ['half an object', '{"claims": [{"text": "a"'],
  ['a claim without text', '{"claims": [{"evidence": "E1.1"}]}'],
  ['a confidence beyond one', JSON.stringify({ claims: [{ ...one, confidence: 7 }] })],
  ['an unknown stance', JSON.stringify({ claims: [{ ...one, stance: 'maybe' }] })],
])('%s is rejected as a result, with the reason', (_, text) => {
  const read = readFinalAnswer(text)
  expect(read.ok).toBe(false)
  expect(!read.ok && read.error).toMatch(/\w/)
})

test('claims refer to read evidence, count from one, and are created once', () => {
  const read = readFinalAnswer(
    JSON.stringify({
      claims: [one, one, { ...one, evidence: 'E9.9' }, { text: 'none' }, { ...one, text: 'b' }],
    }),
  )
  if (!read.ok) throw new Error(read.error)
  const { claims, refused } = admitClaims(read.closing, 't3', new Map([['E1.1', { id: 'E1.1' }]]))
  expect(claims.map(({ id, text, task }) => [id, text, task])).toEqual([
    ['C3.1', 'a', 't3'],
    ['C3.2', 'b', 't3'],
  ])
  expect(refused).toEqual(['E9.9 for: a', 'no evidence for: none'])
})

const place = (n: number) => ({ evidence: `E1.${n}`, quote: `q${n}` })

test.each([
  ['one place', { places: [place(1)] }, { ...place(1), places: undefined }],
  ['two places', { places: [place(1), place(2)] }, { ...place(1), places: [place(1), place(2)] }],
  [
    'a quote and a place',
    { ...place(1), places: [place(1), place(2)] },
    { ...place(1), places: [place(1), place(2)] },
  ],
  ['six places', { places: [1, 2, 3, 4, 5, 6].map(place) }, { ...place(1), places: [1, 2, 3, 4].map(place) }],
])('a claim with %s keeps at most four', (_, given, wanted) => {
  const read = readFinalAnswer(JSON.stringify({ claims: [{ text: 'a', ...given }] }))
  expect(read.ok && read.closing.claims).toMatchObject([wanted])
  const known = new Map([1, 3].map((n) => [`E1.${n}`, { id: `E1.${n}` }]))
  const { claims } = admitClaims(read.ok ? read.closing : { claims: [] }, 't1', known)
  const kept = (wanted.places ?? [place(1)]).filter(({ evidence }) => known.has(evidence))
  expect(claims[0]).toMatchObject({ ...place(1), places: kept.length > 1 ? kept : undefined })
})
