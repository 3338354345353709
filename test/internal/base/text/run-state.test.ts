// The words for the state of a run, the same in every list.
import { expect, it } from 'vitest'
import { describeRunState } from '../../../../internal/base/text/run-state.ts'

const none = { end: null, reason: null, waits: [] }

it.each([
  [{ ...none, state: 'waiting', waits: ['bash', 'Which?'] }, 'waiting: bash, Which?'],
  [{ ...none, state: 'running', end: 'done' }, 'running'],
  [{ ...none, state: 'broken' }, 'process died'],
  // the process of the first is alive, that of the second is not: both have done their work
  [{ ...none, state: 'idle', end: 'done' }, 'done'],
  [{ ...none, state: 'ended', end: 'done' }, 'done'],
  [{ ...none, state: 'ended', end: 'failed', reason: 'auth' }, 'failed: auth'],
  [{ ...none, state: 'idle' }, 'idle'],
  [{ ...none, state: 'ended' }, 'ended'],
] as const)('describes %j as "%s"', (run, words) => {
  expect(describeRunState(run)).toBe(words)
})
