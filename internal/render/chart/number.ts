// Numbers as people read them, and the arithmetic of scales.

/** Up to six significant digits, `1.2e+9` from a thousand million on, never `-0`. */
export function formatNumber(value: number): string {
  if (value === 0) return '0'
  const short = Number(value.toPrecision(6))
  if (Math.abs(short) < 1e9) return String(short)
  return short.toExponential().replace(/(\.\d{5})\d+/, '$1')
}

/** Whole numbers with commas: `4,880`. */
export function formatCount(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** Smallest and largest value; [0, 0] of none. */
export function findExtent(values: readonly number[]): [number, number] {
  let lo = Number.POSITIVE_INFINITY
  let hi = Number.NEGATIVE_INFINITY
  for (const value of values) {
    if (value < lo) lo = value
    if (value > hi) hi = value
  }
  return values.length === 0 ? [0, 0] : [lo, hi]
}

/** Where `value` lies between `lo` and `hi`, 0 to 1; halves first, so that no difference overflows. */
export function fractionWithin(value: number, lo: number, hi: number): number {
  const range = hi / 2 - lo / 2
  return range > 0 ? Math.min(1, Math.max(0, (value / 2 - lo / 2) / range)) : 0
}

/** Mean without overflow. */
export function computeMean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value / values.length, 0)
}

/**
 * At most `width` values that stand for all: means of equal buckets, but a bucket that holds the overall
 * smallest or largest value shows that. Fewer values stay as they are. Buckets without a number give NaN.
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
 * Exactly `width` values along straight lines between the given ones, at least two of them; gaps stay gaps.
 */
export function interpolateValues(values: readonly number[], width: number): number[] {
  const last = values.length - 1
  return Array.from({ length: width }, (_, i) => {
    const place = (i * last) / (width - 1)
    const left = Math.floor(place)
    const a = values[left] as number
    const b = values[Math.min(last, left + 1)] as number
    const share = place - left
    return share === 0 ? a : a * (1 - share) + b * share
  })
}
