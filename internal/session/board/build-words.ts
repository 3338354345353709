// Words for the states and ends of the tasks of a build, the same on the page and in the terminal.
import { describeCode } from '../../base/text/reason-words.ts'
import type { BuildBoardTask, BuildTaskStatus } from './build-board.ts'

/** Words by the reason why a task was reopened or ended without a merge. */
export const buildReasonWords: Readonly<Record<string, string>> = {
  conflict: 'conflict',
  checks: 'a check failed',
  scope: 'outside its scope',
  no_change: 'no change',
  work: 'its worker failed',
  tampered: 'the check was changed',
  denied: 'a call was denied',
  dependency: 'depends on an unmerged task',
  limit: 'a limit was reached',
  cancelled: 'cancelled',
  worktree: 'no worktree',
}

const stateWords: Readonly<Record<BuildTaskStatus, string>> = {
  waiting: 'waiting',
  running: 'running',
  proving: 'checking',
  queued: 'queued',
  merging: 'merging',
  merged: 'merged',
  reopened: 'reopened',
  failed: 'failed',
  not_run: 'not run',
}

/** Returns the words for the reason why a task was reopened or ended without a merge. */
export const describeBuildReason = (why: string): string => describeCode(why, buildReasonWords)

export const describeBuildState = (state: BuildTaskStatus): string => stateWords[state]

/** Returns the state of a task with its reason: `failed (a check failed)`, `merged`. */
export const describeTaskState = ({ state, why }: Pick<BuildBoardTask, 'state' | 'why'>): string =>
  why === null ? stateWords[state] : `${stateWords[state]} (${describeBuildReason(why)})`
