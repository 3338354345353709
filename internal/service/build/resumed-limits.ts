// The limits of a build that is resumed, and the tasks that continue under them.
import { UserError } from '../../base/errors.ts'
import {
  type BuildLimits,
  makeBuildEntry,
  type ReopenReason,
  type TaskEndReason,
} from '../../build/entries.ts'
import { type BuildState, type BuildTaskState, isTaskOver } from '../../build/state.ts'
import type { BudgetLimits, NewJournalLine } from '../../store/journal/journal.ts'
import { ownWorker, requireKnownCost } from './program/acp-programs.ts'

/**
 * New limits for a resumed build. Limits that are not set stay unchanged, and the time limit counts from
 * the start again.
 */
export interface RaisedLimits {
  budget?: BudgetLimits
  deadlineMs?: number
  attempts?: number
}

/**
 * Returns the lines with which a build continues. `hasNewPlan`: its plan starts only now. Throws UserError
 * (exit 1) if nothing is left to do under the new limits, and (exit 2) if its workers cannot respect them.
 */
export function renewBuild(state: BuildState, renewed: RaisedLimits, hasNewPlan: boolean): NewJournalLine[] {
  const { head } = state
  if (state.tasks.size === 0 && head.planner === undefined)
    throw new UserError(`build ${head.id} has no plan: its process ended before the plan was stored`, {
      hint: `start it again; anode build drop ${head.id} removes this one`,
      exit: 1,
    })
  const limits = renewLimits(state, renewed)
  const reopened = [...state.tasks.values()].flatMap((task) => reopenTask(task, limits.attempts))
  const isOpen = [...state.tasks.values()].some((task) => !isTaskOver(task))
  // a partial build without tasks is one whose planner a limit has ended
  const hasNoPlan = state.tasks.size === 0 && state.end === 'partial'
  if (state.end !== undefined && reopened.length === 0 && !isOpen && !hasNoPlan && !hasNewPlan)
    throw new UserError(`build ${head.id} is ${state.end}: nothing is left to resume`, {
      hint: `anode build retry ${head.id} TASK starts a failed task again`,
      exit: 1,
    })
  const { turns, minutes } = head.programs ?? { turns: [] }
  for (const spec of turns) if (spec !== ownWorker) requireKnownCost(spec, limits.budget, minutes)
  return [makeBuildEntry('limits', limits), ...reopened]
}

/**
 * Returns the limits of a build that starts again now: the new ones, and otherwise the earlier ones. The time
 * limit counts from now on.
 */
export function renewLimits(
  { head, allowedMs: before }: BuildState,
  { budget, deadlineMs, attempts }: RaisedLimits,
): BuildLimits {
  const first = head.deadline === undefined ? undefined : head.deadline - head.created
  const allowedMs = deadlineMs ?? before ?? first
  const given = Object.entries(budget ?? {}).filter(([, limit]) => limit !== undefined)
  return {
    attempts: attempts ?? head.attempts,
    budget: { ...head.budget, ...Object.fromEntries(given) },
    allowedMs,
    deadline: allowedMs === undefined ? undefined : Date.now() + allowedMs,
  }
}

const resumable: ReadonlySet<TaskEndReason | undefined> = new Set<TaskEndReason>([
  'limit',
  'cancelled',
  'dependency',
  'worktree',
  'branch',
  'store',
])

/** Returns true for a task that ended for another reason than its work, such as a limit. */
export const isResumable = ({ status, why }: BuildTaskState): boolean =>
  (status === 'failed' || status === 'not_run') && resumable.has(why)

/** Reasons for the end of a task after which another attempt may succeed. */
const repeatable: Partial<Record<TaskEndReason, ReopenReason>> = {
  conflict: 'conflict',
  checks: 'checks',
  tampered: 'checks',
  work: 'work',
}

/**
 * Returns a list with the line that lets a task continue, if it ended for another reason than its work or has
 * attempts left now; otherwise an empty list.
 */
function reopenTask(one: BuildTaskState, attempts: number): NewJournalLine[] {
  const { task, status, why, attempt, spare, detail = '', patch } = one
  if (isResumable(one)) return [makeBuildEntry('retry', { task: task.id })]
  const reason = why && repeatable[why]
  if (status !== 'failed' || reason === undefined || attempt - spare >= attempts) return []
  return [makeBuildEntry('reopened', { task: task.id, attempt, why: reason, detail, patch })]
}
