// Settings of a session, each checked, with defaults.
import { UserError } from '../base/errors.ts'
import { globFault } from '../policy/rules/rule-match.ts'
import type { ExperimentSetup } from '../tool/experiments.ts'
import { type GuardrailMetric, parseGuard } from './judge/guardrail-metric.ts'
import type { BenchmarkSettings, SegmentGoal } from './ledger/ledger-entry.ts'
import { benchmarkFormats } from './measure/benchmark-readers.ts'
import { parseMeasuredFile } from './measure/file-size.ts'
import { isMetricName } from './measure/metric-lines.ts'
import type { MetricDirection } from './stats/statistics.ts'

/** Settings from a user, a script or a model. All fields except name, metric and direction are optional. */
export interface SessionSettings extends ExperimentSetup {
  maxPlausible?: number
  looks?: readonly number[]
  confirm?: number
  /**
   * Paths that git ignores and that are copied into every checkout of a measurement,
   * for example `node_modules`.
   */
  carry?: readonly string[]
  /** Names of further environment variables that are passed to measured commands. */
  env?: readonly string[]
  /** Whether executions are isolated. Only a user, not an agent, may turn isolation off. */
  isolate?: 'auto' | 'off' | 'require'
  seed?: number
  skipNullTest?: boolean
  /** Benchmark tool whose output is read instead of METRIC lines. */
  format?: string
}

/** Merges the settings, with `over` taking precedence. An undefined setting replaces nothing. */
export function mergeSettings<T extends Partial<SessionSettings>>(
  under: Partial<SessionSettings>,
  over: T,
): Partial<SessionSettings> & T {
  const givenEntries = Object.entries(over).filter(([, value]) => value !== undefined)
  return { ...under, ...(Object.fromEntries(givenEntries) as T) }
}

/** Settings with all defaults filled in, from which the header of a segment is made. */
export interface CheckedSettings extends SegmentGoal, BenchmarkSettings {
  holdoutCommand?: string
}

const variable = /^[A-Za-z_][A-Za-z0-9_]*$/

/**
 * Returns the checked settings with all defaults. Throws UserError (exit 2) with the field and its allowed
 * values; nothing has been written then.
 */
export function checkSettings(settings: SessionSettings): CheckedSettings {
  const name = checkText('name', settings.name)
  const metricName = checkText('primary_metric', settings.metric)
  if (!isMetricName(metricName))
    throw settingError('primary_metric', 'letters, digits and . _ - µ, at most 64', metricName)
  const gate: SegmentGoal['gate'] = {
    kind: checkChoice('gate', settings.gate ?? 'plain', ['plain', 'paired']),
    looks: looksOf(settings.looks ?? [8, 16, 32]),
    alpha: 0.05,
    confirm: checkInteger('confirm', settings.confirm ?? 10, 0, 1000),
    maxPlausible: checkNumber('max_plausible', settings.maxPlausible ?? 10, 1, 1e9),
  }
  if (settings.minEffect !== undefined)
    gate.minEffect = checkNumber('min_effect', settings.minEffect, 0, 0.99)
  const checked: CheckedSettings = {
    name,
    metricName,
    bestDirection: checkChoice<MetricDirection>('direction', settings.direction, ['lower', 'higher']),
    scope: (settings.scope ?? []).map((entry) => checkPattern('scope', entry)),
    locked: (settings.lock ?? []).map((entry) => checkPattern('lock', entry)),
    maxRuns: checkInteger('max_runs', settings.maxRuns ?? 0, 0, 1e9),
    gate,
    guards: guardsOf(settings.guards ?? [], metricName),
    timeoutMs: checkInteger('timeout_ms', settings.timeoutMs ?? 600_000, 1, 2 ** 31 - 1),
    checksTimeoutMs: checkInteger('checks_timeout_ms', settings.checksTimeoutMs ?? 300_000, 1, 2 ** 31 - 1),
    strictMetrics: settings.strictMetrics ?? false,
    carry: (settings.carry ?? []).map((entry) => checkPattern('carry', entry)),
    env: (settings.env ?? []).map((entry) => {
      if (!variable.test(entry)) throw settingError('env', 'names of environment variables', entry)
      return entry
    }),
    isolate:
      settings.isolate === undefined
        ? undefined
        : checkChoice('isolate', settings.isolate, ['auto', 'off', 'require'] as const),
    format:
      settings.format === undefined ? undefined : checkChoice('format', settings.format, benchmarkFormats),
    ...filesOf(settings, metricName),
    seed: checkInteger('seed', settings.seed ?? 1, 0, Number.MAX_SAFE_INTEGER),
  }
  const optional = { objective: settings.objective, metricUnit: settings.unit }
  const commands = { command: settings.command, build: settings.build, checks: settings.checks }
  for (const [key, value] of Object.entries({ ...optional, ...commands })) {
    if (value === undefined || value.trim() === '') continue
    if (value.includes('\0')) throw settingError(key, 'text without NUL', value)
    Object.assign(checked, { [key]: value })
  }
  if (settings.holdout?.trim()) checked.holdoutCommand = settings.holdout
  return checked
}

function checkText(field: string, value: string): string {
  const trimmed = value.trim()
  if (trimmed === '' || trimmed.length > 200) throw settingError(field, '1 to 200 characters', value)
  return trimmed
}

function checkChoice<T extends string>(field: string, value: string, allowed: readonly T[]): T {
  const choice = allowed.find((entry) => entry === value)
  if (choice === undefined) throw settingError(field, allowed.join(' or '), value)
  return choice
}

function checkInteger(field: string, value: number, minimum: number, maximum: number): number {
  if (!Number.isSafeInteger(value) || value < minimum || value > maximum)
    throw settingError(field, `a whole number from ${minimum} to ${maximum}`, value)
  return value
}

function checkNumber(field: string, value: number, minimum: number, maximum: number): number {
  if (!Number.isFinite(value) || value < minimum || value > maximum)
    throw settingError(field, `a number from ${minimum} to ${maximum}`, value)
  return value
}

function looksOf(looks: readonly number[]): number[] {
  const ascending = looks.every((n, i) => Number.isSafeInteger(n) && n >= 2 && n > (looks[i - 1] ?? 1))
  if (looks.length === 0 || looks.length > 10 || !ascending || (looks.at(-1) ?? 0) > 1000)
    throw settingError('looks', 'up to 10 ascending numbers of pairs from 2 to 1000', looks.join(','))
  return [...looks]
}

function guardsOf(texts: readonly string[], primary: string): GuardrailMetric[] {
  const guards = texts.map(parseGuard)
  if (guards.some(({ metric }) => metric === primary))
    throw settingError('guards', 'other metrics than the primary one, which decides anyway', primary)
  for (const { metric } of guards)
    if (guards.filter((guard) => guard.metric === metric).length > 2)
      throw settingError('guards', 'at most two for one metric', metric)
  return guards
}

/**
 * Returns the files whose sizes are metrics. Throws UserError for an invalid entry, for a metric with two
 * files, and for a primary metric of this kind with the direction `higher`.
 */
function filesOf(settings: SessionSettings, primary: string): Pick<BenchmarkSettings, 'files'> {
  const files = (settings.measureFiles ?? []).map((text) => parseMeasuredFile(text, primary))
  const twice = files.find(({ metric }, i) => files.findIndex((one) => one.metric === metric) !== i)
  if (twice)
    throw settingError('measure_files', `one file for each metric; ${twice.metric} has two`, twice.path)
  if (settings.direction === 'higher' && files.some(({ metric }) => metric === primary))
    throw new UserError('direction cannot be "higher" for the size of a file', {
      hint: 'Any file grows by appended zeros, so only --direction lower tells something.',
    })
  return files.length > 0 ? { files } : {}
}

/**
 * Returns the path or glob without a leading `./` and trailing slashes. Throws UserError if it is empty,
 * absolute, contains `..`, or is an invalid glob.
 */
function checkPattern(field: string, value: string): string {
  const entry = value.trim().replace(/^\.\//, '').replace(/\/+$/, '')
  if (entry === '' || entry.startsWith('/') || entry.split('/').includes('..'))
    throw settingError(field, 'paths or globs relative to the workspace', value)
  const unreadable = globFault(entry)
  if (unreadable) throw new UserError(`${field}: ${unreadable}`)
  return entry
}

function settingError(field: string, allowed: string, value: unknown): UserError {
  return new UserError(`${field} cannot be ${JSON.stringify(value)}`, { hint: `${field}: ${allowed}.` })
}
