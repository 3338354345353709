// The words for the states and ends of the tasks of a build: each code has some, and none has an underscore.
import { expect, it } from 'vitest'
import type { TaskEndReason } from '../../../../internal/build/entries.ts'
import type { BuildTaskStatus } from '../../../../internal/session/board/build-board.ts'
import {
  buildReasonWords,
  describeBuildReason,
  describeBuildState,
  describeTaskState,
} from '../../../../internal/session/board/build-words.ts'

/** Codes of types. The compiler rejects a table if one is missing. */
const reasons: Readonly<Record<TaskEndReason, true>> = {
  ...{ conflict: true, checks: true, scope: true, no_change: true, work: true, tampered: true },
  ...{ denied: true, dependency: true, limit: true, cancelled: true, worktree: true },
}
const states: Readonly<Record<BuildTaskStatus, string>> = {
  ...{ waiting: 'waiting', running: 'running', proving: 'checking', queued: 'queued', merging: 'merging' },
  ...{ merged: 'merged', reopened: 'reopened', failed: 'failed', not_run: 'not run' },
}

it.each(Object.keys(reasons))('there are words for the reason %s', (reason) => {
  expect(Object.hasOwn(buildReasonWords, reason)).toBe(true)
  expect(describeBuildReason(reason)).toMatch(/^[a-z]+(?: [a-z]+){0,4}$/)
})

it.each(Object.entries(states))('the state %s is shown as "%s"', (state, words) => {
  expect(describeBuildState(state as BuildTaskStatus)).toBe(words)
})

it.each([
  ['merged', null, 'merged'],
  ['failed', 'checks', 'failed (a check failed)'],
  ['not_run', 'dependency', 'not run (depends on an unmerged task)'],
  ['reopened', 'a_later_reason', 'reopened (a later reason)'],
] as const)('shows a task that is %s by %s as "%s"', (state, why, words) => {
  expect(describeTaskState({ state, why })).toBe(words)
})
