// The budget of an agent and all its subagents: tokens, money, calls and time, counted in one place.
import { groupDigits } from '../base/text/count-noun.ts'
import { timeLimit } from '../base/time-limit.ts'
import type { TokenUsage } from '../model/model.ts'
import type { RunLimit } from './run-end.ts'

export interface BudgetCaps {
  tokens?: number
  usd?: number
  calls?: number
  /** Time at which the run has to end, in milliseconds since 1970. */
  deadline?: number
}

export interface BudgetSpending {
  input: number
  output: number
  /** Parts of `input`: read from a provider's cache, and written to it. */
  cached: number
  cacheWrite: number
  /** Costs in US dollars; null as soon as one price is unknown. */
  usd: number | null
  estimated: boolean
  requests: number
  calls: number
}

export interface Budget {
  readonly caps: BudgetCaps
  readonly spent: BudgetSpending
  /** Adds the usage of one request. Undefined makes the cost unknown. */
  use(usage: TokenUsage | undefined): void
  call(): void
  /** Returns the limit that is reached, if any. Checked before every request and every call. */
  reached(now?: number): RunLimit | undefined
  /**
   * Returns a limit of which at least four fifths are used, with the used amount and the limit as text, or
   * undefined. Each limit of this budget is returned only once, then those of the parent budget, each to the
   * first agent that asks. `turns` are the turns of the asking agent.
   */
  nearing(now?: number, turns?: TurnCount): NearLimit | undefined
  /**
   * Returns a budget for a part of the work, with the limits `caps`. Usage of the part counts in both
   * budgets, and the limits of the part are checked first.
   */
  part(caps: BudgetCaps): Budget
}

interface TurnCount {
  taken: number
  max: number
}

/** A limit that will be reached soon. */
interface NearLimit {
  limit: RunLimit
  /** Used part of the limit, such as `41,000 of 50,000 tokens`. */
  spent: string
}

const nearShare = 0.8

/** Adds the usage of one response to a sum. Once a price was unknown, the cost of the sum stays unknown. */
export function addUsage(sum: Omit<BudgetSpending, 'requests' | 'calls'>, usage: TokenUsage): void {
  sum.input += usage.input
  sum.output += usage.output
  sum.cached += usage.cached ?? 0
  sum.cacheWrite += usage.cacheWrite ?? 0
  sum.usd = sum.usd === null || usage.usd === null ? null : sum.usd + usage.usd
  sum.estimated ||= usage.estimated === true
}

export function createBudget(caps: BudgetCaps, parent?: Budget): Budget {
  const spent: BudgetSpending = {
    input: 0,
    output: 0,
    cached: 0,
    cacheWrite: 0,
    usd: 0,
    estimated: false,
    requests: 0,
    calls: 0,
  }
  const findOwnLimit = (now: number): RunLimit | undefined => {
    if (caps.tokens !== undefined && spent.input + spent.output >= caps.tokens) return 'tokens'
    // an unknown price cannot be compared with a limit, so the limit counts as reached
    if (caps.usd !== undefined && (spent.usd === null || spent.usd >= caps.usd)) return 'usd'
    if (caps.calls !== undefined && spent.calls >= caps.calls) return 'calls'
    if (caps.deadline !== undefined && now >= caps.deadline) return 'time'
    return undefined
  }
  const began = Date.now()
  const named = new Set<RunLimit>()
  const ownNear = (now: number, turns: TurnCount | undefined): NearLimit | undefined =>
    [...sharesOf(caps, spent, began, now), ...shareOfTurns(turns)].find(({ limit, share }) => {
      const isNear = share >= nearShare && !named.has(limit)
      if (isNear) named.add(limit)
      return isNear
    })
  const self: Budget = {
    caps,
    spent,
    use(usage) {
      spent.requests++
      if (usage) addUsage(spent, usage)
      else spent.usd = null
      parent?.use(usage)
    },
    call() {
      spent.calls++
      parent?.call()
    },
    reached: (now = Date.now()) => findOwnLimit(now) ?? parent?.reached(now),
    nearing: (now = Date.now(), turns) => ownNear(now, turns) ?? parent?.nearing(now),
    part: (more) => createBudget(more, self),
  }
  return self
}

/**
 * Returns the limit of turns with the share 1 once four fifths of the turns are used, before that with 0.
 * Four fifths are rounded down, so that a turn is left after the warning. Empty before the first turn, so a
 * limit of one turn causes no warning.
 */
function shareOfTurns(turns: TurnCount | undefined): (NearLimit & { share: number })[] {
  if (turns === undefined || turns.taken === 0) return []
  const share = turns.taken >= Math.floor(turns.max * nearShare) ? 1 : 0
  return [{ limit: 'turns', share, spent: `${turns.taken} of ${turns.max} turns` }]
}

/**
 * Returns the used share of each limit that is set, also as text. A limit of money is skipped while the
 * cost is unknown.
 */
function sharesOf(
  { tokens, usd, calls, deadline }: BudgetCaps,
  spent: BudgetSpending,
  began: number,
  now: number,
): (NearLimit & { share: number })[] {
  const usedTokens = spent.input + spent.output
  const rows: (NearLimit & { share: number })[] = []
  const add = (limit: RunLimit, share: number, text: string) => rows.push({ limit, share, spent: text })
  if (tokens !== undefined)
    add('tokens', usedTokens / tokens, `${groupDigits(usedTokens)} of ${groupDigits(tokens)} tokens`)
  if (usd !== undefined && spent.usd !== null)
    add('usd', spent.usd / usd, `$${spent.usd.toFixed(4)} of $${usd.toFixed(4)}`)
  if (calls !== undefined) add('calls', spent.calls / calls, `${spent.calls} of ${calls} tool calls`)
  if (deadline !== undefined) {
    const [took, whole] = [now - began, deadline - began].map((ms) => Math.round(ms / 1000))
    add('time', (now - began) / Math.max(1, deadline - began), `${took} of ${whole} s`)
  }
  return rows
}

/** Limits that a profile can have for each of its runs. */
type RunLimits = Readonly<Partial<Record<'seconds' | 'toolCalls' | 'tokens' | 'usd', number>>>

/**
 * Returns the caps of one run. Missing caps default to the limits of the profile; its limit in seconds
 * counts from now.
 */
export function capsOf(caps: BudgetCaps, limits: RunLimits): BudgetCaps {
  const ownDeadline = limits.seconds === undefined ? undefined : Date.now() + limits.seconds * 1000
  return {
    calls: caps.calls ?? limits.toolCalls,
    deadline: caps.deadline ?? ownDeadline,
    tokens: caps.tokens ?? limits.tokens,
    usd: caps.usd ?? limits.usd,
  }
}

/**
 * Returns a signal that aborts with `signal` and at the deadline, so that it ends a long call or response.
 * Without a deadline, returns `signal` itself.
 */
export function untilDeadline(deadline: number | undefined, signal: AbortSignal): AbortSignal {
  if (deadline === undefined) return signal
  return AbortSignal.any([signal, timeLimit(deadline - Date.now())])
}
