// Rows of usage as the server gives them.

export const usageKeys = ['day', 'model', 'profile', 'tool'] as const

/** As far as it is shown, of what `usage --json` has. */
export interface UsageRow {
  requests: number
  fresh: number
  cache_read: number
  cache_write: number
  output: number
  /** null: a price was unknown. */
  usd: number | null
  /** Of the input, 0 to 1. */
  cached_share: number | null
  [key: string]: string | number | null
}

export const nameRow = (by: string, row: UsageRow): string => String(row[by] ?? 'unknown')
