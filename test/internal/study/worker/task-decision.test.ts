// The decision about a task from the end of its conversation.
import { expect, test } from 'vitest'
import type { RunEnd } from '../../../../internal/agent/run-end.ts'
import { decideTask, decideTaskEnd } from '../../../../internal/study/worker/task-decision.ts'
import type { TaskStop } from '../../../../internal/study/worker/task-stop.ts'

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
