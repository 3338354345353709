// The flag --since: a duration or a day, and its value as a point in time.
import { UserError } from '../../../internal/base/errors.ts'
import { parseDuration } from '../../../internal/tui/duration.ts'
import type { CommandOption } from '../verb.ts'

export const sinceOption: CommandOption = {
  type: 'string',
  describe: 'Only from then on: 7d, 12h or a day as 2026-11-01',
  value: 'WHEN',
}

/**
 * Returns the point in time in milliseconds since 1970, for a duration before `now` or a day with or without
 * a time; undefined without a text. Throws UserError (exit 2) for another text.
 */
export function readSince(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const days = /^(\d+(?:\.\d+)?)\s*(d|w)$/.exec(text.trim())
  if (days) return now - Number(days[1]) * (days[2] === 'w' ? 7 : 1) * 86_400_000
  // A day without a time starts at local midnight, not at midnight UTC.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text.trim())
  const date = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(isDay ? `${text.trim()}T00:00` : text) : Number.NaN
  if (!Number.isNaN(date)) return date
  try {
    return now - parseDuration(text)
  } catch (cause) {
    throw new UserError(`--since ${text} is not a point in time`, {
      hint: 'write it as 7d, 12h, 30m or as a day like 2026-11-01',
      cause,
    })
  }
}
