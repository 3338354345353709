// The last response of a worker: the text that is read as its result, and the accepted claims.
import { expect, test } from 'vitest'
import type { RunEnd } from '../../../../internal/agent/run-end.ts'
import {
  admitClaims,
  decideTask,
  decideTaskEnd,
  readFinalAnswer,
} from '../../../../internal/study/worker/final-answer-schema.ts'
import type { TaskStop } from '../../../../internal/study/worker/task-stop.ts'

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

// The decision about a task from the end of its conversation.

const text = '{"claims": [], "gaps": ["g"]}'
const closing = { claims: [], gaps: ['g'] }
const failed = (reason: string) => ({ end: 'failed', reason, message: 'm', text: '' }) as RunEnd

const cases: [string, RunEnd, TaskStop | undefined, object][] = [
  ['a result', { end: 'done', text }, undefined, { next: 'record', closing }],
  ['words', { end: 'done', text: 'x' }, undefined, { next: 'again' }],
  ['the last turn', { end: 'partial', reason: 'turns', text }, undefined, { next: 'record', cut: 'steps' }],
  [
    'a cut reply',
    { end: 'partial', reason: 'length', text: 'x' },
    undefined,
    { next: 'again', cut: 'length' },
  ],
  ['a loop', { end: 'partial', reason: 'loop', text }, undefined, { next: 'close' }],
  ['no time', { end: 'limit', reason: 'time', text }, undefined, { next: 'end', end: 'timed_out' }],
  ['an outage', failed('unreachable'), undefined, { next: 'retry', reason: 'model_unreachable' }],
  ['a busy endpoint', failed('rate_limit'), undefined, { next: 'retry', reason: 'rate_limit' }],
  ['a refusal', failed('auth'), undefined, { next: 'end', end: 'failed', reason: 'auth', detail: 'm' }],
  ['a lost lease', { end: 'done', text }, { why: 'fenced' }, { next: 'drop' }],
  ['a wish to stop', { end: 'done', text }, { why: 'cancelled' }, { next: 'back' }],
  ['the deadline', { end: 'cancelled', reason: '', text }, { why: 'deadline' }, { end: 'timed_out' }],
  [
    'an empty purse',
    { end: 'cancelled', reason: '', text },
    { why: 'budget', detail: 'd' },
    { end: 'budget', detail: 'd' },
  ],
  ['no ideas', { end: 'cancelled', reason: '', text }, { why: 'stalled' }, { next: 'close' }],
]
test.each(cases)('%s', (_, end, stop, wanted) => {
  expect(decideTask(end, stop)).toMatchObject(wanted)
})

test('late', () => {
  expect(decideTask({ end: 'cancelled', reason: '', text }, { why: 'late' })).toEqual({
    next: 'close',
    cut: 'deadline',
  })
})

test('done requires a claim and no gap', () => {
  const claim = ['C1.1']
  expect(decideTaskEnd(claim, [], {})).toEqual({ end: 'done', claims: ['C1.1'], gaps: [] })
  expect(decideTaskEnd(claim, ['g'], {})).toMatchObject({ end: 'partial', reason: 'no_evidence_for_part' })
  expect(decideTaskEnd(claim, [], { cut: 'steps' })).toMatchObject({ end: 'partial', reason: 'steps' })
  expect(decideTaskEnd([], [], {})).toMatchObject({ end: 'partial', reason: 'no_evidence' })
  expect(decideTaskEnd([], ['g'], { cut: 'stalled' })).toMatchObject({ end: 'partial', reason: 'stalled' })
  expect(decideTaskEnd(claim, ['g'], { cut: 'budget', end: 'budget' })).toEqual({
    end: 'budget',
    reason: 'budget',
    claims: ['C1.1'],
    gaps: ['g'],
  })
})
