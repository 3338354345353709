// Cost of proposals, added up over runs and formatted for users. A sum with an unknown price is unknown.
import { formatTokenKinds, type TokenKinds, tokenFields } from '../../base/text/token-kinds.ts'
import type { ExperimentCost } from '../ledger/experiment-run.ts'

export const noCost: ExperimentCost = { usd: 0, tokens: 0 }

/**
 * Returns what an agent has spent as a cost in the form of the ledger. `standIns` are the fallback models
 * that were used.
 */
export function experimentCost(
  spent: Parameters<typeof tokenFields>[0] & { usd: number | null },
  standIns: readonly string[] = [],
): ExperimentCost {
  const cost = { usd: spent.usd, tokens: spent.input + spent.output, ...tokenFields(spent) }
  return standIns.length === 0 ? cost : { ...cost, stand_ins: [...new Set(standIns)] }
}

/**
 * Adds two costs. If one price is unknown (null), the sum is unknown. Runs of earlier versions have only a
 * total of tokens, so their kinds of tokens count as 0.
 */
export function addCosts(a: ExperimentCost, b: ExperimentCost): ExperimentCost {
  const sum = (kind: 'fresh' | 'cache_read' | 'cache_write' | 'output') =>
    a[kind] === undefined && b[kind] === undefined ? {} : { [kind]: (a[kind] ?? 0) + (b[kind] ?? 0) }
  const standIns = [...new Set([...(a.stand_ins ?? []), ...(b.stand_ins ?? [])])]
  return {
    usd: a.usd === null || b.usd === null ? null : a.usd + b.usd,
    tokens: a.tokens + b.tokens,
    ...sum('fresh'),
    ...sum('cache_read'),
    ...sum('cache_write'),
    ...sum('output'),
    ...(standIns.length > 0 && { stand_ins: standIns }),
  }
}

/**
 * Returns the cost as words, such as `1200 tokens, $0.0123 (40 fresh, …)`, or an empty text if no tokens were
 * used. An unknown price gives `cost unknown`.
 */
export function costWords(cost: ExperimentCost): string {
  if (cost.tokens === 0) return ''
  const money = cost.usd === null ? 'cost unknown' : `$${cost.usd.toFixed(4)}`
  const kinds = kindsOf(cost)
  const standIns = cost.stand_ins
    ? `; ${cost.stand_ins.join(', ')} replied where the model named could not`
    : ''
  return `${cost.tokens} tokens, ${money}${kinds ? ` (${formatTokenKinds(kinds)})` : ''}${standIns}`
}

function kindsOf({ fresh, cache_read, cache_write, output }: ExperimentCost): TokenKinds | undefined {
  if (fresh === undefined) return undefined
  return { fresh, cacheRead: cache_read ?? 0, cacheWrite: cache_write ?? 0, output: output ?? 0 }
}
