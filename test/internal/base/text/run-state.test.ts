// The words for the state of a run, the same in every list.
import { expect, it } from 'vitest'
import { describeRunState } from '../../../../internal/base/text/run-state.ts'

const none = { end: null, reason: null, waits: [] }
const files = ['a.txt', 'b.txt']
const open = { conflict: { files, resolved: false } }
const unknown = { conflict: { files: [], resolved: false } }
const resolved = { conflict: { files, resolved: true } }

it.each([
  [{ ...none, state: 'waiting', waits: ['bash', 'Which?'] }, 'waiting: bash, Which?'],
  [{ ...none, state: 'running', end: 'done' }, 'running'],
  [{ ...none, state: 'broken' }, 'process died'],
  // the process of the first is alive, that of the second is not: both have done their work
  [{ ...none, state: 'idle', end: 'done' }, 'done'],
  [{ ...none, state: 'ended', end: 'done' }, 'done'],
  [{ ...none, state: 'ended', end: 'failed', reason: 'auth' }, 'failed: no valid key'],
  [{ ...none, state: 'idle' }, 'idle'],
  [{ ...none, state: 'ended' }, 'ended'],
  [{ ...none, state: 'ended', end: 'done', worktree: { conflict: null } }, 'done'],
  [{ ...none, state: 'ended', end: 'done', worktree: open }, 'conflict: a.txt, b.txt'],
  [{ ...none, state: 'idle', end: 'done', worktree: open }, 'conflict: a.txt, b.txt'],
  [{ ...none, state: 'ended', end: 'done', worktree: unknown }, 'conflict'],
  [{ ...none, state: 'ended', end: 'done', worktree: resolved }, 'conflict resolved, not merged'],
  [{ ...none, state: 'running', end: 'done', worktree: open }, 'running, conflict'],
  [{ ...none, state: 'broken', worktree: open }, 'process died, conflict'],
  [
    { ...none, state: 'ended', end: 'failed', reason: 'auth', worktree: open },
    'failed: no valid key, conflict',
  ],
] as const)('describes %j as "%s"', (run, words) => {
  expect(describeRunState(run)).toBe(words)
})
