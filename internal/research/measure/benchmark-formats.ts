// Readers of benchmark tools: their output becomes METRIC lines in nanoseconds, one for each benchmark.

export const benchmarkFormats = [
  'go',
  'criterion',
  'pytest-benchmark',
  'vitest',
  'hyperfine',
  'google-benchmark',
] as const
export type BenchmarkFormat = (typeof benchmarkFormats)[number]

const perUnit: Readonly<Record<string, number>> = {
  ps: 1e-3,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
}

type Timing = readonly [name: string, ns: number]

/** Returns the METRIC lines of an output; none where the output is not of this format. */
export function toMetricLines(format: BenchmarkFormat, output: string): string {
  return readTimings(format, output)
    .filter(([, ns]) => Number.isFinite(ns))
    .map(([name, ns]) => `METRIC ${metricNameOf(name)}=${ns}\n`)
    .join('')
}

/** Returns a benchmark's name as that of a metric: other characters become `_`, at most 64 characters. */
export const metricNameOf = (name: string): string =>
  name
    .replace(/[^A-Za-z0-9_.µ-]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 64) || 'benchmark'

function readTimings(format: BenchmarkFormat, output: string): Timing[] {
  if (format === 'go') return readGo(output)
  if (format === 'criterion') return readCriterion(output)
  const json = readJson(output)
  if (format === 'hyperfine')
    return listOf(json, 'results').map((one) => [String(one.command), 1e9 * Number(one.median)])
  if (format === 'pytest-benchmark')
    return listOf(json, 'benchmarks').map((one) => {
      const { median } = (one.stats ?? {}) as { median?: number }
      return [String(one.name), 1e9 * Number(median)]
    })
  if (format === 'vitest')
    return listOf(json, 'files')
      .flatMap((file) => listOf(file, 'groups'))
      .flatMap((group) => listOf(group, 'benchmarks'))
      .map((one) => [String(one.name), 1e6 * Number(one.median ?? one.mean)])
  const runs = listOf(json, 'benchmarks')
  // with repetitions, the median counts and not each run
  const medians = runs.filter((one) => one.aggregate_name === 'median')
  const counted = medians.length > 0 ? medians : runs.filter((one) => one.run_type !== 'aggregate')
  return counted.map((one) => [
    String(one.run_name ?? one.name),
    Number(one.real_time) * (perUnit[String(one.time_unit ?? 'ns')] ?? Number.NaN),
  ])
}

/** `BenchmarkSum-8   1000   1234 ns/op`; the number of processors is no part of the name. */
const readGo = (output: string): Timing[] =>
  [...output.matchAll(/^(Benchmark\S*?)(?:-\d+)?\s+\d+\s+([\d.]+(?:e[+-]?\d+)?) ns\/op/gm)].map(
    ([, name = '', ns]) => [name, Number(ns)],
  )

/** The name, on the same line or on the one before, then `time: [low middle high]`. */
const readCriterion = (output: string): Timing[] =>
  [...output.matchAll(/^(\S.*?)\s*\n?\s+time:\s+\[[\d.]+ \S+ ([\d.]+) ([pnuµμm]?s) [\d.]+ \S+\]/gm)].map(
    ([, name = '', value, unit = '']) => [name, Number(value) * (perUnit[unit] ?? Number.NaN)],
  )

type Fields = Readonly<Record<string, unknown>>

function listOf(value: Fields | undefined, key: string): Fields[] {
  const list = value?.[key]
  return Array.isArray(list) ? list.filter((one) => typeof one === 'object' && one !== null) : []
}

/** The JSON object of an output that may have lines before and after it. */
function readJson(output: string): Fields | undefined {
  const start = output.search(/^\{/m)
  const end = output.lastIndexOf('}')
  if (start < 0 || end < start) return undefined
  try {
    return JSON.parse(output.slice(start, end + 1)) as Fields
  } catch {
    // the run then has no metric, and says so
    return undefined
  }
}
