// Readers of the outputs of known benchmark tools, which give the times of all benchmarks.
import { stripVTControlCharacters } from 'node:util'
import { findJsonObject, type JsonFields, listOf } from './json-output.ts'

export const benchmarkFormats = [
  'go',
  'criterion',
  'pytest-benchmark',
  'vitest',
  'hyperfine',
  'google-benchmark',
] as const
export type BenchmarkFormat = (typeof benchmarkFormats)[number]

export interface BenchmarkTiming {
  name: string
  /** Text that distinguishes benchmarks with the same name, such as a file or a suite. */
  group?: string
  /** Time in nanoseconds, or NaN if the tool reported none. */
  ns: number
}

const perUnit: Readonly<Record<string, number>> = {
  ps: 1e-3,
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
}

export const readers: Readonly<Record<BenchmarkFormat, (output: string) => BenchmarkTiming[]>> = {
  go: readGo,
  criterion: readCriterion,
  'pytest-benchmark': (output) =>
    listOf(findJsonObject(output, 'benchmarks'), 'benchmarks').map((one) => ({
      name: String(one.name),
      group: String(one.fullname ?? ''),
      ns: 1e9 * numberIn(one.stats as JsonFields | undefined, 'median'),
    })),
  vitest: (output) =>
    listOf(findJsonObject(output, 'files'), 'files')
      .flatMap((file) => listOf(file, 'groups'))
      .flatMap((group) =>
        listOf(group, 'benchmarks').map((one) => ({
          name: String(one.name),
          group: String(group.fullName ?? ''),
          ns: 1e6 * numberIn(one, 'median', 'mean'),
        })),
      ),
  hyperfine: (output) =>
    listOf(findJsonObject(output, 'results'), 'results').map((one) => ({
      name: String(one.command),
      group: JSON.stringify(one.parameters ?? ''),
      ns: 1e9 * numberIn(one, 'median', 'mean'),
    })),
  'google-benchmark': readGoogleBenchmark,
}

/**
 * Returns the value of the first key that has a number; NaN if none has, as in the report of
 * a failed benchmark.
 */
function numberIn(fields: JsonFields | undefined, ...keys: string[]): number {
  const values = keys.map((key) => fields?.[key])
  return values.find((value) => typeof value === 'number') ?? Number.NaN
}

/**
 * Reads lines such as `BenchmarkSum-8   1000   1234 ns/op`. Removes the number of processors from the name
 * if it is the same in all lines.
 */
function readGo(output: string): BenchmarkTiming[] {
  const text = /^\{"(?:Time|Action)":/m.test(output) ? joinTestEvents(output) : output
  const lines = text.matchAll(/^(Benchmark\S*)[ \t]+\d+[ \t]+([\d.]+(?:e[+-]?\d+)?) ns\/op/gm)
  const timings = [...lines].map(([, name = '', ns]): BenchmarkTiming => ({ name, ns: Number(ns) }))
  const suffixes = new Set(timings.map(({ name }) => /-\d+$/.exec(name)?.[0] ?? ''))
  if (suffixes.size !== 1) return timings
  return timings.map(({ name, ns }) => ({ name: name.replace(/-\d+$/, ''), ns }))
}

/**
 * Returns the joined texts of the events of `go test -json`, because one line can be split
 * over several events.
 */
function joinTestEvents(output: string): string {
  const texts = output.split('\n').map((line) => {
    if (!line.startsWith('{')) return ''
    const event = findJsonObject(line, 'Output')
    return typeof event?.Output === 'string' ? event.Output : ''
  })
  return texts.join('')
}

/**
 * Reads for each benchmark a name on the same line or on the previous line, then `time: [low middle high]`.
 * Returns the middle values in nanoseconds.
 */
function readCriterion(output: string): BenchmarkTiming[] {
  const times = /^(\S.*?)[ \t]*\n?[ \t]+time:\s+\[[\d.]+ \S+ ([\d.]+) ([pnuµμm]?s) [\d.]+ \S+\]/gm
  return [...stripVTControlCharacters(output).matchAll(times)].map(([, name = '', value, unit = '']) => ({
    name,
    ns: Number(value) * (perUnit[unit] ?? Number.NaN),
  }))
}

/**
 * Reads the JSON report of Google Benchmark, without failed and skipped benchmarks. If it contains medians of
 * repetitions, returns only these and not every run.
 */
function readGoogleBenchmark(output: string): BenchmarkTiming[] {
  const runs = listOf(findJsonObject(output, 'benchmarks'), 'benchmarks').filter(
    (one) => one.error_occurred !== true && one.skipped !== true,
  )
  const medians = runs.filter((one) => one.aggregate_name === 'median')
  const counted = medians.length > 0 ? medians : runs.filter((one) => one.run_type !== 'aggregate')
  return counted.map((one) => ({
    name: String(one.run_name ?? one.name),
    ns: numberIn(one, 'real_time') * (perUnit[String(one.time_unit ?? 'ns')] ?? Number.NaN),
  }))
}
