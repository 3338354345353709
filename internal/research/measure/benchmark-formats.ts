// Conversion of the output of benchmark tools to METRIC lines in nanoseconds, one for each benchmark.
import { medianOf } from '../stats/statistics.ts'
import { type BenchmarkFormat, type BenchmarkTiming, readers } from './benchmark-readers.ts'

/**
 * Largest size in bytes of a tool's standard output or report file that is read. Reports can contain
 * every single time.
 */
export const maxReportBytes = 64 << 20

/**
 * Returns one METRIC line per benchmark in `output`, in nanoseconds. Skips benchmarks without a time.
 * Returns an empty text if the output has another format. The value of a benchmark that the tool ran several
 * times is the median.
 */
export function toMetricLines(format: BenchmarkFormat, output: string): string {
  const runs = new Map<string, BenchmarkTiming[]>()
  for (const timing of readers[format](output)) {
    if (!Number.isFinite(timing.ns)) continue
    const identity = JSON.stringify([timing.group, timing.name])
    runs.set(identity, [...(runs.get(identity) ?? []), timing])
  }
  const benchmarks = [...runs.values()].map(([first, ...more]) => {
    const one = first as BenchmarkTiming
    return { ...one, ns: more.length === 0 ? one.ns : medianOf([one, ...more].map(({ ns }) => ns)) }
  })
  const names = nameMetrics(benchmarks)
  return benchmarks.map(({ ns }, i) => `METRIC ${names[i]}=${ns}\n`).join('')
}

/**
 * Returns the name of a metric for each benchmark: the benchmark's name if it is unique, otherwise with its
 * group before it. A number is added to a name that is still used twice.
 */
function nameMetrics(benchmarks: readonly BenchmarkTiming[]): string[] {
  const counts = new Map<string, number>()
  for (const { name } of benchmarks) counts.set(metricNameOf(name), (counts.get(metricNameOf(name)) ?? 0) + 1)
  const usedNames = new Set<string>()
  return benchmarks.map(({ name, group = '' }) => {
    const isAlone = counts.get(metricNameOf(name)) === 1
    const base = metricNameOf(isAlone ? name : `${group} ${name}`)
    let unique = base
    for (let n = 2; usedNames.has(unique); n++) unique = `${base.slice(0, maxChars - `_${n}`.length)}_${n}`
    usedNames.add(unique)
    return unique
  })
}

const maxChars = 64

/**
 * Returns a benchmark's name as that of a metric. Other characters than ASCII letters, digits, `.`, `-`, `_`
 * and `µ` become `_`, and every `_` at the ends is removed. At most 64 characters remain, and an empty
 * result becomes `benchmark`.
 */
export const metricNameOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_.µ-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, maxChars) || 'benchmark'
