// Dates of spreadsheets: what a number of days says.

const dayMs = 86_400_000

/** ISO form; the time only where there is one. Undefined for a number that is no day. */
export function formatSerialDate(serial: number, from1904: boolean): string | undefined {
  // the count of 1900 has a 29 February that never was
  const epoch = from1904 ? 24_107 : serial < 60 ? 25_568 : 25_569
  const ms = Math.round((serial - epoch) * 86_400) * 1_000
  if (!Number.isFinite(ms) || serial < 0 || Math.abs(ms) > 8e14) return undefined
  const text = new Date(ms).toISOString()
  if (serial < 1) return text.slice(11, 19)
  return ms % dayMs === 0 ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ')
}
