// New limits of a resumed build, and the tasks that continue under them.
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
 * Limits that the user changes when a build is resumed. Other limits stay, and the time limit starts again.
 */
export interface RaisedLimits {
  budget?: BudgetLimits
  deadlineMs?: number
  attempts?: number
}

/**
 * Returns the journal lines with which a build continues. `hasNewPlan`: the build gets its plan only now.
 * Throws UserError: exit 1 if the build has neither a plan nor a planning agent, or nothing left to do under
 * the new limits; exit 2 if a worker's cost cannot be limited.
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
  // a partial build without tasks is one in which a limit ended the planning agent
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
  const newLimits = Object.entries(budget ?? {}).filter(([, limit]) => limit !== undefined)
  return {
    attempts: attempts ?? head.attempts,
    budget: { ...head.budget, ...Object.fromEntries(newLimits) },
    allowedMs,
    deadline: allowedMs === undefined ? undefined : Date.now() + allowedMs,
  }
}

const resumable: ReadonlySet<TaskEndReason | undefined> = new Set<TaskEndReason>([
  'limit',
  'cancelled',
  'dependency',
  'worktree',
])

/** Returns true if a task ended although its work did not fail, for example because of a limit. */
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
 * Returns the journal line with which a task continues, if its work did not fail, or if another attempt may
 * succeed and it has attempts left. Otherwise returns an empty list.
 */
function reopenTask(one: BuildTaskState, attempts: number): NewJournalLine[] {
  const { task, status, why, attempt, spare, detail = '', patch } = one
  if (isResumable(one)) return [makeBuildEntry('retry', { task: task.id })]
  const reason = why && repeatable[why]
  if (status !== 'failed' || reason === undefined || attempt - spare >= attempts) return []
  return [makeBuildEntry('reopened', { task: task.id, attempt, why: reason, detail, patch })]
}
