// Formatting of times, tokens and money in few characters.

export function formatAge(since: number, now: number): string {
  const seconds = Math.max(0, Math.floor((now - since) / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} d`
}

/**
 * Returns the cost in US dollars, with four decimal places if it is between 0 and 10 cents, else with two.
 * Returns `unknown` if a price is unknown.
 */
export function formatMoney(usd: number | null): string {
  if (usd === null) return 'unknown'
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`
}

export const formatPercent = (share: number): string => `${Math.round(100 * share)} %`

export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(1)}M`
}

export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : formatAge(0, ms)
}
