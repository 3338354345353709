// The caps of one run, with the limits of its profile as defaults, and the signal of its deadline.
import type { BudgetCaps } from '../../agent/budget.ts'
import { timeLimit } from '../../base/time-limit.ts'
import type { Profile } from '../../profile/profile.ts'

/** Returns a signal that also aborts at the deadline. It ends a call or a response that takes longer. */
export function untilDeadline(deadline: number | undefined, signal: AbortSignal): AbortSignal {
  if (deadline === undefined) return signal
  return AbortSignal.any([signal, timeLimit(deadline - Date.now())])
}

/** Returns the caps of one run. Missing caps default to the limits of the profile. */
export function capsOf(caps: BudgetCaps, limits: Profile['limits']): BudgetCaps {
  const ownDeadline = limits.seconds === undefined ? undefined : Date.now() + limits.seconds * 1000
  return {
    calls: caps.calls ?? limits.toolCalls,
    deadline: caps.deadline ?? ownDeadline,
    tokens: caps.tokens ?? limits.tokens,
    usd: caps.usd ?? limits.usd,
  }
}
