// Size limit for the structured result of a call, so that a record and a stream can carry it.

/** Characters of JSON up to which data stays unchanged. */
const maxDataChars = 65_536
const maxTextChars = 2_000
const maxItems = 100

/**
 * Returns `data`, or a copy with long texts and lists cut and `data_cut: true`, or `data_cut: true` alone if
 * even the copy is too long. Returns an empty object without data.
 */
export function boundData(data: unknown): { data?: unknown; data_cut?: true } {
  if (data === undefined || data === null) return {}
  if (sizeOf(data, maxDataChars) <= maxDataChars) return { data }
  const cut = shorten(data, 6)
  return sizeOf(cut, maxDataChars) <= maxDataChars ? { data: cut, data_cut: true } : { data_cut: true }
}

/** Returns an estimate of the length as JSON. Counting stops a little beyond `enough`. */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  for (const [key, item] of Object.entries(value)) {
    // JSON omits undefined values
    if (item === undefined) continue
    size += key.length + 4 + sizeOf(item, enough - size)
    if (size > enough) return size
  }
  return size
}

function shorten(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > maxTextChars ? `${value.slice(0, maxTextChars).toWellFormed()}…` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => shorten(item, depth - 1))
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .slice(0, maxItems)
  return Object.fromEntries(entries.map(([key, item]) => [key, shorten(item, depth - 1)]))
}
