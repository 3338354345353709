// Parser of METRIC lines in the output of a benchmark. It reports why a line cannot be used.
import { stripVTControlCharacters } from 'node:util'

/**
 * Output of a run by stream. `fd3` (descriptor 3) is set only in a session with `--strict-metrics`, which
 * accepts plain METRIC lines only there.
 */
interface OutputStreams {
  stdout: string
  stderr: string
  fd3?: string
}

interface MetricOptions {
  /** Name of the primary metric. */
  primary: string
  /**
   * Random word of this execution, set in a session with `--strict-metrics`. A METRIC line then counts only
   * on `fd3`. On other streams a line has to begin with `METRIC@<nonce> `.
   */
  nonce?: string
  /** Names of the secondary metrics that the baseline printed. Default: any names are accepted. */
  expected?: readonly string[]
  /** First word of the lines to read, in place of METRIC. */
  mark?: string
  /**
   * Values that Anode measured itself, by metric. They replace printed values, and no line is
   * necessary for them.
   */
  measured?: Readonly<Record<string, number>>
}

export type MetricReading =
  | { ok: true; value: number; metrics: Record<string, number>; refused: string[] }
  | { ok: false; reason: 'no_metric' | 'ambiguous_metric'; detail: string }

/**
 * Names that are not allowed, because they would access an object's prototype in programs that
 * read the ledger.
 */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])
const named = /^[A-Za-z0-9_.µ-]{1,64}$/
const decimal = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/
const maxNames = 10

/** Returns whether a METRIC line may use the name. */
export function isMetricName(name: string): boolean {
  return named.test(name) && !forbidden.has(name)
}

/**
 * Returns the primary value and the secondary ones (`metrics` omits the primary one). A name that is printed
 * twice fails, even with equal values, because the code under test may have printed one of the lines. With
 * `expected`, a missing or new name fails too. An unreadable secondary line removes the value of its name, so
 * a guard on it fails as missing. `refused` lists such lines. Lines of measured metrics are ignored.
 */
export function readMetrics(streams: OutputStreams, options: MetricOptions): MetricReading {
  const values = new Map<string, number>()
  const printed = new Map<string, number>()
  const primaries = new Set<number>()
  const refused: string[] = []
  const { primary, measured = {} } = options
  for (const { name, text, line } of linesOf(streams, options.nonce, options.mark)) {
    if (Object.hasOwn(measured, name)) continue
    const value = decimal.test(text) ? withinRange(Number(text)) : Number.NaN
    const good = isMetricName(name) && Number.isFinite(value)
    if (isMetricName(name)) printed.set(name, (printed.get(name) ?? 0) + 1)
    if (name === primary) {
      if (!good) return { ok: false, reason: 'no_metric', detail: `cannot be read: ${clipLine(line)}` }
      primaries.add(value)
    } else if (good) values.set(name, value)
    else {
      values.delete(name)
      refused.push(clipLine(line))
    }
  }
  if (primaries.size > 1) {
    const list = [...primaries].slice(0, maxNames).join(', ')
    return { ok: false, reason: 'ambiguous_metric', detail: `${primary} has several values: ${list}` }
  }
  if (Object.hasOwn(measured, primary)) primaries.add(measured[primary] as number)
  const unlike = primaries.size === 0 ? undefined : differenceOf(printed, [...values.keys()], options)
  if (unlike) return unlike
  for (const [name, value] of Object.entries(measured)) if (name !== primary) values.set(name, value)
  for (const value of primaries) return { ok: true, value, metrics: Object.fromEntries(values), refused }
  return { ok: false, reason: 'no_metric', detail: describeMissing(primary, [...values.keys()], refused) }
}

/**
 * Returns the error for the first metric that is printed twice, or that only one of this run and the baseline
 * printed. Undefined without such a metric.
 */
function differenceOf(
  printed: ReadonlyMap<string, number>,
  readable: readonly string[],
  { expected, measured = {} }: MetricOptions,
): MetricReading | undefined {
  const fail = (reason: 'no_metric' | 'ambiguous_metric', detail: string): MetricReading => ({
    ok: false,
    reason,
    detail,
  })
  for (const [name, times] of printed)
    if (times > 1)
      return fail('ambiguous_metric', `${name} is printed ${times} times; print each metric once`)
  if (!expected) return undefined
  const absent = expected.find((name) => !printed.has(name) && !Object.hasOwn(measured, name))
  if (absent !== undefined) return fail('no_metric', `${absent} is missing, which the baseline printed`)
  const extra = readable.find((name) => !expected.includes(name))
  return extra === undefined
    ? undefined
    : fail('ambiguous_metric', `${extra} is printed, which the baseline did not print`)
}

/**
 * Limits for the size of values other than zero. Larger or smaller ones could make ratios and sums overflow.
 */
const largest = 1e150
const smallest = 1e-150

/** Returns the value, with minus zero as zero. Returns NaN if it is too large or too small to compare. */
function withinRange(value: number): number {
  if (value === 0) return 0
  const size = Math.abs(value)
  return size <= largest && size >= smallest ? value : Number.NaN
}

function describeMissing(primary: string, seenNames: string[], refused: string[]): string {
  const names =
    seenNames.length > 0 ? `seen: ${seenNames.slice(0, maxNames).join(', ')}` : 'no METRIC line was seen'
  const bad = refused.length > 0 ? `; cannot be read: ${refused[0]}` : ''
  return `no line METRIC ${primary}=<number>; ${names}${bad}`
}

interface MetricLine {
  name: string
  text: string
  line: string
}

/**
 * Yields the METRIC lines with their name and text, also those without `=`. A carriage return ends a line
 * too, because progress displays overwrite themselves before the metric is printed.
 */
function* linesOf(
  streams: OutputStreams,
  nonce: string | undefined,
  plain = 'METRIC',
): Generator<MetricLine> {
  const sources =
    nonce === undefined
      ? [[streams.stdout, plain] as const, [streams.stderr, plain] as const]
      : [
          [streams.stdout, `${plain}@${nonce}`] as const,
          [streams.stderr, `${plain}@${nonce}`] as const,
          [streams.fd3 ?? '', plain] as const,
        ]
  for (const [text, mark] of sources) {
    for (const raw of stripVTControlCharacters(text).split(/\r?\n|\r/)) {
      if (!raw.startsWith(mark)) continue
      const rest = raw.slice(mark.length)
      // Words such as `METRICS=3` and `METRIC@other` do not begin a METRIC line.
      if (!/^[ \t]/.test(rest)) continue
      const body = rest.trim()
      const at = body.indexOf('=')
      if (at < 0) yield { name: body, text: '', line: raw }
      else yield { name: body.slice(0, at), text: body.slice(at + 1), line: raw }
    }
  }
}

const clipLine = (line: string) => (line.length > 200 ? `${line.slice(0, 200)}…` : line)
