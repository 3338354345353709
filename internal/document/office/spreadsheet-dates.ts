// Conversion of spreadsheet day numbers to dates.

const dayMs = 86_400_000

/**
 * Returns a day such as `2024-03-01`, and the time after it if the number has a fraction. A number below 1
 * gives only a time. Undefined for a negative number, and for one too large for a date.
 */
export function formatSerialDate(serial: number, from1904: boolean): string | undefined {
  // day 60 of the 1900 system is 29 February 1900, which did not exist
  const epoch = from1904 ? 24_107 : serial < 60 ? 25_568 : 25_569
  const ms = Math.round((serial - epoch) * 86_400) * 1_000
  if (!Number.isFinite(ms) || serial < 0 || Math.abs(ms) > 8e14) return undefined
  const text = new Date(ms).toISOString()
  if (serial < 1) return text.slice(11, 19)
  return ms % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
