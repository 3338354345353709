// The statistics behind a verdict: pair differences, median, bootstrap interval and sign-flip test.
import type { SeededRandom } from './seeded-random.ts'

export type MetricDirection = 'lower' | 'higher'

/**
 * How the difference of a pair is computed. `ratio`: every sample is above 0. Otherwise `relative` to the
 * median size of the base values, or `absolute` if that is 0.
 */
type DifferenceScale = 'ratio' | 'relative' | 'absolute'

/**
 * One difference per pair, in the order of the pairs. A value below 0 means that the candidate is better, in
 * both directions of the metric.
 */
export interface PairDifferences {
  d: number[]
  scale: DifferenceScale
  direction: MetricDirection
}

const signOf = (direction: MetricDirection) => (direction === 'lower' ? 1 : -1)

/** Returns the median: the middle value, or the mean of the two middle values. NaN without values. */
export function medianOf(values: readonly number[]): number {
  const sorted = Float64Array.from(values).sort()
  return middleOf(sorted)
}

function middleOf(sorted: Float64Array): number {
  const half = sorted.length >> 1
  if (sorted.length === 0) return Number.NaN
  if (sorted.length % 2 === 1) return sorted[half] as number
  return ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

/**
 * Returns the differences of paired samples, `base[i]` with `cand[i]`; both have the same length. With s = 1
 * if lower is better and -1 if higher is: `s ln(B/A)` when every sample is above 0, else `s (B - A) / m` with
 * m the median of |A|, or 1 if that is 0.
 */
export function pairDifferences(
  base: readonly number[],
  cand: readonly number[],
  direction: MetricDirection,
): PairDifferences {
  const s = signOf(direction)
  const positive = base.every((a) => a > 0) && cand.every((b) => b > 0)
  if (positive) {
    return { d: base.map((a, i) => s * Math.log((cand[i] as number) / a)), scale: 'ratio', direction }
  }
  const size = medianOf(base.map(Math.abs))
  const unit = size === 0 ? 1 : size
  const d = base.map((a, i) => (s * ((cand[i] as number) - a)) / unit)
  return { d, scale: size === 0 ? 'absolute' : 'relative', direction }
}

/**
 * Converts one difference to the change of the raw metric in percent (minus means a smaller value), or in the
 * metric's unit for scale `absolute`.
 */
export function rawChange(d: number, scale: DifferenceScale, direction: MetricDirection): number {
  const s = signOf(direction)
  if (scale === 'ratio') return 100 * (Math.exp(s * d) - 1)
  return (scale === 'relative' ? 100 : 1) * s * d
}

/**
 * Returns the percentile bootstrap of the median: the ends of the interval that contains the share `level`
 * (default: 0.95) of the medians of `draws` (default: 2,000) resamples (Efron and Tibshirani, An
 * Introduction to the Bootstrap, 1993, chapter 13). For display only, because with few pairs its coverage
 * is below `level`.
 */
export function bootstrapMedianInterval(
  d: readonly number[],
  random: SeededRandom,
  options: { draws?: number; level?: number } = {},
): [number, number] {
  return bootstrapInterval(d, random, middleOf, options)
}

/**
 * Returns the percentile bootstrap of `trimmedMeanOf`. For the ends of the interval and the
 * options see `bootstrapMedianInterval`.
 */
export function bootstrapTrimmedInterval(
  d: readonly number[],
  random: SeededRandom,
  options: { draws?: number; level?: number } = {},
): [number, number] {
  return bootstrapInterval(d, random, middleMeanOf, options)
}

/**
 * Returns the mean of the middle half of the values. A few far values do not move it, and it has finer steps
 * than the median where a clock counts whole milliseconds. NaN without values.
 */
export function trimmedMeanOf(values: readonly number[]): number {
  return middleMeanOf(Float64Array.from(values).sort())
}

function middleMeanOf(sorted: Float64Array): number {
  const tail = Math.floor(sorted.length / 4)
  let sum = 0
  for (let i = tail; i < sorted.length - tail; i++) sum += sorted[i] as number
  return sum / (sorted.length - 2 * tail)
}

function bootstrapInterval(
  d: readonly number[],
  random: SeededRandom,
  estimate: (sorted: Float64Array) => number,
  { draws = 2000, level = 0.95 }: { draws?: number; level?: number },
): [number, number] {
  const medians = new Float64Array(draws)
  const sample = new Float64Array(d.length)
  for (let i = 0; i < draws; i++) {
    for (let j = 0; j < sample.length; j++) sample[j] = d[random.below(d.length)] as number
    medians[i] = estimate(sortValues(sample))
  }
  medians.sort()
  const tail = Math.floor(((1 - level) / 2) * draws)
  return [medians[tail] as number, medians[draws - 1 - tail] as number]
}

/** Number of values up to which sorting by insertion is several times as fast as the built-in sort. */
const fewValues = 48

/** Sorts in place, and returns the values. */
function sortValues(values: Float64Array): Float64Array {
  if (values.length > fewValues) return values.sort()
  for (let i = 1; i < values.length; i++) {
    const value = values[i] as number
    let j = i
    for (; j > 0 && (values[j - 1] as number) > value; j--) values[j] = values[j - 1] as number
    values[j] = value
  }
  return values
}

/**
 * Largest number of pairs for which every assignment of signs is counted; for more, random ones are drawn.
 */
const exactUpTo = 12

/**
 * Returns the p value of a one-sided sign-flip test of "no better than 0": the share of sign assignments e
 * with `sum e_i d_i` at most the observed sum (Fisher, The Design of Experiments, 1935, section 21). Up to n
 * = 12 all 2^n assignments count. Above that, `draws` random ones count with p = (c + 1) / (draws + 1)
 * (Phipson and Smyth, SAGMB 9, 2010), which is never 0. Without pairs p is 1.
 */
export function signFlipTest(d: readonly number[], random: SeededRandom, draws = 4000): number {
  if (d.length === 0) return 1
  const total = d.reduce((sum, value) => sum + value, 0)
  // Sums that are mathematically equal differ in their last bits, so the bound is slightly higher. A tie then
  // counts against the candidate.
  const bound = total + 1e-12 * d.reduce((sum, value) => sum + Math.abs(value), 0)
  return d.length <= exactUpTo
    ? computeExactP(d, total, bound)
    : computeSampledP(d, total, bound, random, draws)
}

/** Returns the exact p value. Each step flips one sign (Gray code), so each sum takes one addition. */
function computeExactP(d: readonly number[], total: number, bound: number): number {
  const count = 2 ** d.length
  const signs = new Int8Array(d.length).fill(1)
  let sum = total
  let low = 1
  for (let i = 1; i < count; i++) {
    const bit = 31 - Math.clz32(i & -i)
    const flipped = -(signs[bit] as number)
    signs[bit] = flipped
    sum += 2 * flipped * (d[bit] as number)
    if (sum <= bound) low++
  }
  return low / count
}

function computeSampledP(
  d: readonly number[],
  total: number,
  bound: number,
  random: SeededRandom,
  draws: number,
): number {
  let low = 0
  for (let i = 0; i < draws; i++) {
    let sum = total
    let bits = 0
    for (let j = 0; j < d.length; j++) {
      if (j % 32 === 0) bits = random.bits()
      if (bits & 1) sum -= 2 * (d[j] as number)
      bits >>>= 1
    }
    if (sum <= bound) low++
  }
  return (low + 1) / (draws + 1)
}

/** Returns whether all values are equal; false without values. */
export function isConstant(values: readonly number[]): boolean {
  return values.length > 0 && values.every((value) => value === values[0])
}
