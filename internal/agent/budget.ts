// The budget of a tree of agents: tokens, money, calls and time, counted in one place.
import type { TokenUsage } from '../model/model.ts'
import type { RunLimit } from './run-end.ts'

export interface BudgetCaps {
  tokens?: number
  usd?: number
  calls?: number
  /** Epoch milliseconds. */
  deadline?: number
}

export interface BudgetSpending {
  input: number
  output: number
  cached: number
  /** null as soon as one price was unknown. */
  usd: number | null
  estimated: boolean
  requests: number
  calls: number
}

export interface Budget {
  readonly caps: BudgetCaps
  readonly spent: BudgetSpending
  /** Adds what one request has used. */
  use(usage: TokenUsage | undefined): void
  call(): void
  /** The limit that is reached, if any; looked at before every request and every call. */
  reached(now?: number): RunLimit | undefined
  /** A part of this budget: what it spends counts here too, its own caps are checked first. */
  part(caps: BudgetCaps): Budget
}

export function createBudget(caps: BudgetCaps, parent?: Budget): Budget {
  const spent: BudgetSpending = {
    input: 0,
    output: 0,
    cached: 0,
    usd: 0,
    estimated: false,
    requests: 0,
    calls: 0,
  }
  const own = (now: number): RunLimit | undefined => {
    if (caps.tokens !== undefined && spent.input + spent.output >= caps.tokens) return 'tokens'
    // an unknown price cannot be held to a cap: it counts as reached rather than as free
    if (caps.usd !== undefined && (spent.usd === null || spent.usd >= caps.usd)) return 'usd'
    if (caps.calls !== undefined && spent.calls >= caps.calls) return 'calls'
    if (caps.deadline !== undefined && now >= caps.deadline) return 'time'
    return undefined
  }
  const self: Budget = {
    caps,
    spent,
    use(usage) {
      spent.requests++
      if (usage) {
        spent.input += usage.input
        spent.output += usage.output
        spent.cached += usage.cached ?? 0
        spent.usd = spent.usd === null || usage.usd === null ? null : spent.usd + usage.usd
        spent.estimated ||= usage.estimated === true
      } else spent.usd = null
      parent?.use(usage)
    },
    call() {
      spent.calls++
      parent?.call()
    },
    reached: (now = Date.now()) => own(now) ?? parent?.reached(now),
    part: (more) => createBudget(more, self),
  }
  return self
}
