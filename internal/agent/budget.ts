// What a whole tree of agents may spend together: tokens, money, calls and time, counted in one place.
import type { Usage } from '../model/model.ts'
import type { Limit } from './end.ts'

export interface Caps {
  tokens?: number
  usd?: number
  calls?: number
  /** Epoch milliseconds. */
  deadline?: number
}

export interface Spent {
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
  readonly caps: Caps
  readonly spent: Spent
  /** Books one request. */
  use(usage: Usage | undefined): void
  call(): void
  /** The limit that is reached, if any; looked at before every request and every call. */
  reached(now?: number): Limit | undefined
  /** A part of this budget: what it spends is booked here too, its own caps are checked first. */
  part(caps: Caps): Budget
}

export function budget(caps: Caps, parent?: Budget): Budget {
  const spent: Spent = { input: 0, output: 0, cached: 0, usd: 0, estimated: false, requests: 0, calls: 0 }
  const own = (now: number): Limit | undefined => {
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
    part: (more) => budget(more, self),
  }
  return self
}
