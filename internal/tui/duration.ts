// Durations: the text that users see, and the parser of the text that users type.
import { UserError } from '../base/errors.ts'

export function formatDuration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}

/**
 * Returns the milliseconds of `500ms`, `90s`, `20m`, `1h` or plain seconds. Throws a UserError for other text
 * and for zero.
 */
export function parseDuration(text: string): number {
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text.trim())
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[match?.[2] ?? 's'] ?? 1000
  const ms = match ? Number(match[1]) * unit : 0
  if (ms > 0) return ms
  throw new UserError(`${text} is not a length of time`, { hint: 'write it as 90s, 20m or 1h' })
}
