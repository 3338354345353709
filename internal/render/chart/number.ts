// Number formats for readers, and the arithmetic of scales.

/** Returns up to six significant digits, `1.2e+9` from a thousand million on, never `-0`. */
export function formatNumber(value: number): string {
  if (value === 0) return '0'
  const short = Number(value.toPrecision(6))
  if (Math.abs(short) < 1e9) return String(short)
  return short.toExponential().replace(/(\.\d{5})\d+/, '$1')
}

/** Returns a whole number with a comma before every three digits: `4,880`. */
export function formatCount(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/**
 * Returns the smallest and largest value, or [0, 0] for an empty list. NaN is ignored; a list of only NaN
 * gives [Infinity, -Infinity].
 */
export function findExtent(values: readonly number[]): [number, number] {
  let lo = Number.POSITIVE_INFINITY
  let hi = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < lo) lo = value
    if (value > hi) hi = value
  }
  return values.length === 0 ? [0, 0] : [lo, hi]
}

/**
 * Returns the position of `value` between `lo` and `hi`, clamped to 0 to 1; 0 if `hi` is not above `lo`. All
 * values are halved before they are subtracted, so that no difference overflows.
 */
export function fractionWithin(value: number, lo: number, hi: number): number {
  const range = hi / 2 - lo / 2
  return range > 0 ? Math.min(1, Math.max(0, (value / 2 - lo / 2) / range)) : 0
}

/** Returns the mean without overflow; 0 for an empty list. */
export function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0)
}

/**
 * Returns at most `width` values that represent all: means of the finite values in equal buckets. A bucket
 * with the overall largest or else smallest value shows that value; one without a finite value is NaN. A list
 * of at most `width` values is returned unchanged.
 */
export function downsampleValues(values: readonly number[], width: number): number[] {
  if (values.length <= width) return [...values]
  const [lo, hi] = findExtent(values.filter(Number.isFinite))
  return Array.from({ length: width }, (_, i) => {
    const start = Math.floor((i * values.length) / width)
    const end = Math.floor(((i + 1) * values.length) / width)
    const bucket = values.slice(start, end).filter(Number.isFinite)
    if (bucket.length === 0) return Number.NaN
    if (bucket.includes(hi)) return hi
    return bucket.includes(lo) ? lo : computeMean(bucket)
  })
}

/**
 * Returns exactly `width` values on straight lines between neighboring values. Values that are not finite
 * stay gaps. Needs at least two values and a `width` of at least 2.
 */
export function interpolateValues(values: readonly number[], width: number): number[] {
  const last = values.length - 1
  return Array.from({ length: width }, (_, i) => {
    const place = (i * last) / (width - 1)
    const leftIndex = Math.floor(place)
    const a = values[leftIndex] as number
    const b = values[Math.min(last, leftIndex + 1)] as number
    const share = place - leftIndex
    return share === 0 ? a : a * (1 - share) + b * share
  })
}
