// Types of the entries of a ledger, and the check of their required keys. Unknown keys of an entry are
// kept and ignored.

import type { MeasuredEffect } from '../judge/evidence.ts'
import type { GuardrailMetric } from '../judge/guardrail-metric.ts'
import type { BenchmarkFormat } from '../measure/benchmark-readers.ts'
import type { MeasuredFile } from '../measure/file-size.ts'
import type { MetricDirection } from '../stats/statistics.ts'
import type { GateKind, RunLine, SampleValues } from './experiment-run.ts'
import type { LedgerRecord } from './ledger.ts'

/** The machine that the measurements were made on. */
export interface HostMachine {
  cpus: number
  model: string
  node: string
}

/** Result of comparing the baseline with itself. `deterministic`: every value was equal. */
export interface NullTestResult {
  floor_pct: number
  pairs: number
  very_noisy: boolean
  deterministic?: boolean
}

/**
 * Result of a trial at the start of a session. `of` says which code can print metrics that count: only the
 * benchmark, also a candidate, or unknown. `marked` is true if the benchmark itself prints its metrics, so
 * that its lines can get a secret mark.
 */
export interface BenchmarkVoice {
  of: 'benchmark' | 'candidate' | 'unknown'
  marked: boolean
}

/** What a segment improves, what its candidates may change, and when one of them is better. */
export interface SegmentGoal {
  name: string
  objective?: string
  metricName: string
  metricUnit?: string
  bestDirection: MetricDirection
  scope: string[]
  locked: string[]
  maxRuns: number
  gate: {
    kind: GateKind
    looks: number[]
    alpha: number
    minEffect?: number
    confirm: number
    maxPlausible: number
  }
  guards: GuardrailMetric[]
}

/** How the benchmark of a segment is built, executed and checked, and how its output is read. */
export interface BenchmarkSettings {
  command?: string
  build?: string
  checks?: string
  timeoutMs: number
  checksTimeoutMs: number
  strictMetrics: boolean
  /** Tool whose output the command prints. Default: the command prints METRIC lines. */
  format?: BenchmarkFormat
  /** Metrics whose values are sizes of files that Anode measures. */
  files?: MeasuredFile[]
  /** Whether executions are isolated. Default: if the machine supports it. */
  isolate?: 'auto' | 'off' | 'require'
  carry: string[]
  env: string[]
  seed: number
}

/** Settings of a segment. They do not depend on its workspace. */
export type SegmentSettings = SegmentGoal & BenchmarkSettings

/** Header of a segment: everything that decides the meaning of a measurement. */
export interface ConfigLine extends SegmentGoal, BenchmarkSettings {
  type: 'config'
  v: 1
  segment: number
  /**
   * SHA-256 of the holdout command, a secret second check. Its text is stored where no candidate can read it.
   */
  holdout?: string
  /**
   * `sha256:` and the hash of the lock, which lists the files that no candidate may
   * change; see integrity-lock.ts.
   */
  lock: string
  host: HostMachine
  nullTest?: NullTestResult | 'skipped'
  voice?: BenchmarkVoice
  /**
   * Tree of the baseline, and the commit and branch of the checkout when the segment began. All three are
   * undefined outside of git, and `branch` also if HEAD is detached.
   */
  tree?: string
  head?: string
  branch?: string
  timestamp: string
}

/** Samples of the baseline tree that were measured later, to find drift. */
export interface DriftLine {
  type: 'drift'
  segment: number
  pct: number
  /** Unit of `pct`: that of the metric if the median of the first samples is 0. Default: percent. */
  unit?: 'absolute'
  drifted: boolean
  samples: number[]
  /** Set if these samples replace the first ones, because they were measured on this other machine. */
  host?: HostMachine
  timestamp: string
}

/**
 * Result of the final comparison: the best tree against the baseline on fresh pairs. Only this line may
 * state a gain.
 */
export interface FinalLine {
  type: 'final'
  segment: number
  run: number
  effect: MeasuredEffect
  /**
   * Number of this final comparison for its best tree, from 1. `level` is its significance level, and `gain`
   * is true if its test shows a gain at that level.
   */
  number?: number
  level?: number
  gain?: boolean
  /** Medians of the samples of the baseline and of the best tree. */
  values?: { baseline: number; best: number }
  isolation?: string
  samples: SampleValues
  timestamp: string
}

/** Command of the first run in a segment whose header has no command. It becomes the configured command. */
interface CommandLine {
  type: 'command'
  segment: number
  command: string
  lock: string
  timestamp: string
}

/** What a crash has left, and what was done about it. */
interface RecoverLine {
  type: 'recover'
  what: string
  detail?: string
  timestamp: string
}

/** Commits of other authors that were made between two runs. They belong to the best tree from then on. */
interface AdoptLine {
  type: 'adopt'
  segment: number
  from: string
  head: string
  tree: string
  paths: string[]
  timestamp: string
}

/** Output of a hook of the session. */
interface HookLine {
  type: 'hook'
  segment: number
  hook: 'before' | 'after'
  exit: number | null
  output: string
  timestamp: string
}

export type LedgerEntry =
  | ConfigLine
  | RunLine
  | DriftLine
  | FinalLine
  | CommandLine
  | RecoverLine
  | AdoptLine
  | HookLine

const needs: Readonly<Record<LedgerEntry['type'], Readonly<Record<string, 'string' | 'number' | 'object'>>>> =
  {
    config: {
      segment: 'number',
      name: 'string',
      metricName: 'string',
      bestDirection: 'string',
      gate: 'object',
    },
    run: { run: 'number', segment: 'number', status: 'string' },
    drift: { segment: 'number', samples: 'object' },
    final: { segment: 'number', effect: 'object' },
    command: { segment: 'number', command: 'string' },
    recover: { what: 'string' },
    adopt: { segment: 'number', tree: 'string', head: 'string' },
    hook: { segment: 'number', hook: 'string' },
  }

/**
 * Returns the entry as a line of a known type, or undefined if its type is unknown or a required key is
 * missing or has another type.
 */
export function asLedgerEntry(entry: LedgerRecord): (LedgerEntry & LedgerRecord) | undefined {
  const keyTypes = Object.hasOwn(needs, entry.type) ? needs[entry.type as LedgerEntry['type']] : undefined
  if (!keyTypes) return undefined
  for (const key in keyTypes) if (entry[key] === null || typeof entry[key] !== keyTypes[key]) return undefined
  return entry as unknown as LedgerEntry & LedgerRecord
}
