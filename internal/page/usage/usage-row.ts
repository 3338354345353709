// Rows of usage as the server sends them, with the names under which the page shows them.

export const usageKeys = ['day', 'model', 'profile', 'tool'] as const

/** One row of `usage --json`, with the fields that the page shows. */
export interface UsageRow {
  requests: number
  fresh: number
  cache_read: number
  cache_write: number
  output: number
  /** Cost in US dollars; null if a price was unknown. */
  usd: number | null
  /** Share of the input that came from the cache, 0 to 1; null if unknown. */
  cached_share: number | null
  [key: string]: string | number | null
}

export const nameRow = (by: string, row: UsageRow): string => String(row[by] ?? 'unknown')
