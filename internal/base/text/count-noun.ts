// Counts and sizes as text: grouped digits, numbers with their nouns, bytes.

/** Returns `1 file`, `1,204 files`. `many` is for irregular plurals. */
export const countNoun = (n: number, one: string, many = `${one}s`): string =>
  `${groupDigits(n)} ${n === 1 ? one : many}`

/**
 * Returns a whole number with commas, such as `1,204`. Written by hand, because the first use of
 * toLocaleString costs 20 ms and 7 MiB.
 */
export const groupDigits = (n: number): string => String(n).replace(/\B(?=(?:\d{3})+$)/g, ',')

const units = ['KB', 'MB', 'GB', 'TB'] as const

/** Returns `512 bytes`, `9 KB`, `1.4 MB`: decimal units, from MB on with one decimal place below ten. */
export function formatByteSize(bytes: number): string {
  if (bytes < 1000) return countNoun(bytes, 'byte')
  let size = bytes / 1000
  let unit = 0
  // a size that would be rounded up to 1000 uses the next unit
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit++
  }
  const figures = size < 10 && unit > 0 ? size.toFixed(1).replace(/\.0$/, '') : Math.round(size)
  return `${figures} ${units[unit]}`
}
