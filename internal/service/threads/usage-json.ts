// Usage as JSON, for `--json` and the server. The keys are stable.
import { cachedShare } from '../../base/text/token-kinds.ts'
import type { UsageGroup, UsageKey, UsageQuery, UsageTotals } from '../../store/usage-totals.ts'
import type { UsageReport } from './usage-report.ts'

export function describeUsage({ by, since }: UsageQuery, { groups, total }: UsageReport) {
  return {
    by,
    since: since === undefined ? null : new Date(since).toISOString(),
    rows: groups.map((group) => ({ ...nameOf(by, group), ...figuresOf(group) })),
    total: figuresOf(total),
  }
}

function nameOf(by: UsageKey, { key, title }: UsageGroup): Record<string, string | null> {
  if (by === 'tool') return { tool: key === '' ? null : key }
  return by === 'thread' ? { thread: key, title } : { [by]: key }
}

/**
 * Returns the figures of a row. `usd` is null if the price of any request is unknown; `usd_known` is the sum
 * of the known costs.
 */
function figuresOf(totals: UsageTotals) {
  const { requests, fresh, cacheRead, cacheWrite, output, usd, unpriced, estimated } = totals
  return {
    requests,
    fresh,
    cache_read: cacheRead,
    cache_write: cacheWrite,
    output,
    usd: unpriced > 0 ? null : usd,
    usd_known: usd,
    requests_without_price: unpriced,
    requests_estimated: estimated,
    cached_share: cachedShare(totals) ?? null,
  }
}
