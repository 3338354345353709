// State of a session that is not in its thread, for another process that continues the session.
import type { BudgetCaps, BudgetSpending } from '../../../agent/budget.ts'
import type { Effort } from '../../../model/model.ts'
import type { PermissionRule } from '../../../policy/rules/permission-rule.ts'
import type { Profile } from '../../../profile/profile.ts'
import type { CarriedMessage } from '../message-queue.ts'

/** State of a session, sent as JSON between two processes of the same user. */
export interface CarriedSession {
  effort?: Effort
  /** Real paths of added directories. */
  addedDirs: readonly string[]
  /** Rules that are in force until the session ends. */
  rules: readonly PermissionRule[]
  /** Notes for the model with the next message. */
  notes: readonly string[]
  /** Data of queued messages that their recorded events lack, such as mentioned files and skills. */
  queued: readonly CarriedMessage[]
  /** Checksums of files when an agent last read them, by real path. */
  seen: readonly (readonly [path: string, checksum: string])[]
  tools?: readonly string[]
  /** Number of model responses so far. A model that replays recorded responses needs it to continue. */
  replies: number
  /** Remaining tokens and US dollars of the session, and maximum number of steps of each run. */
  limits: { tokens?: number; usd?: number; maxTurns?: number }
  /** Remaining limits of an interrupted run that must continue; undefined without one. */
  run?: LeftLimits
}

/** The remaining limits of a run. */
export interface LeftLimits {
  caps: BudgetCaps
  maxTurns: number
}

/** The usage of a run so far. */
interface RunProgress {
  /** Start of the run, in milliseconds since 1970. */
  since: number
  spent: BudgetSpending
  steps: number
}

/**
 * Returns the limits that are left for a run. `before` are its limits at the start, if it
 * continued another run.
 */
export function leftLimits(
  { limits, maxTurns }: Pick<Profile, 'limits' | 'maxTurns'>,
  { since, spent, steps }: RunProgress,
  before: LeftLimits | undefined,
): LeftLimits {
  const { toolCalls: calls, seconds, tokens, usd } = limits
  const deadline = seconds === undefined ? undefined : since + seconds * 1000
  const caps = before?.caps ?? { calls, tokens, usd, deadline }
  return { caps: leftCaps(caps, spent), maxTurns: Math.max(0, (before?.maxTurns ?? maxTurns) - steps) }
}

/**
 * Returns the limits minus the spending; the deadline stays. If a price is unknown, a cost limit counts
 * as used up.
 */
export function leftCaps(caps: BudgetCaps, spent: BudgetSpending | undefined): BudgetCaps {
  if (!spent) return caps
  const remainderOf = (cap: number | undefined, amount: number) =>
    cap === undefined ? undefined : Math.max(0, cap - amount)
  return {
    tokens: remainderOf(caps.tokens, spent.input + spent.output),
    usd: remainderOf(caps.usd, spent.usd ?? Number.MAX_VALUE),
    calls: remainderOf(caps.calls, spent.calls),
    deadline: caps.deadline,
  }
}
