// What a session has beside its thread, for the process that goes on with it.
import type { BudgetCaps, BudgetSpending } from '../../../agent/budget.ts'
import type { Effort } from '../../../model/model.ts'
import type { PermissionRule } from '../../../policy/rules/permission-rule.ts'
import type { Profile } from '../../../profile/profile.ts'
import type { CarriedMessage } from '../message-queue.ts'

/** As JSON between two processes of the same person. */
export interface CarriedSession {
  effort?: Effort
  /** Folders that were added, as real paths. */
  addedDirs: readonly string[]
  /** Rules that hold until the session ends. */
  rules: readonly PermissionRule[]
  /** What the model is told next. */
  notes: readonly string[]
  /** What messages of the queue have beside their text. */
  queued: readonly CarriedMessage[]
  /** Checksums of files as last read, by real path. */
  seen: readonly (readonly [path: string, checksum: string])[]
  tools?: readonly string[]
  /** Replies of the model so far: one that is written down goes on behind them. */
  replies: number
  /** What is left of the limits of the session. */
  limits: { tokens?: number; usd?: number; maxTurns?: number }
  /** Present where a run was cut off and is to go on: what is left of its own limits. */
  run?: LeftLimits
}

/** What is left to a run of its limits. */
export interface LeftLimits {
  caps: BudgetCaps
  maxTurns: number
}

/** What a run has taken. */
interface RunProgress {
  /** Milliseconds since 1970. */
  since: number
  spent: BudgetSpending
  steps: number
}

/** `before`: what was left when the run began, where it went on with another one. */
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

/** An unknown price leaves nothing of a limit in money. */
export function leftCaps(caps: BudgetCaps, spent: BudgetSpending | undefined): BudgetCaps {
  if (!spent) return caps
  const left = (cap: number | undefined, used: number) =>
    cap === undefined ? undefined : Math.max(0, cap - used)
  return {
    tokens: left(caps.tokens, spent.input + spent.output),
    usd: left(caps.usd, spent.usd ?? Number.MAX_VALUE),
    calls: left(caps.calls, spent.calls),
    deadline: caps.deadline,
  }
}
