// Entries of a ledger by type. Unknown keys are kept and ignored.

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

/** Result of the baseline compared with itself; `deterministic`: every value was equal. */
export interface NullTestResult {
  floor_pct: number
  pairs: number
  very_noisy: boolean
  deterministic?: boolean
}

/**
 * Source of the metrics that count, as the trial candidate at init has shown. `marked`: the benchmark prints
 * its metrics itself, so a marked run can tell its lines from others.
 */
export interface BenchmarkVoice {
  of: 'benchmark' | 'candidate' | 'unknown'
  marked: boolean
}

/** Header of a segment: everything that decides the meaning of a measurement. */
export interface ConfigLine {
  type: 'config'
  v: 1
  segment: number
  name: string
  objective?: string
  metricName: string
  metricUnit?: string
  bestDirection: MetricDirection
  command?: string
  build?: string
  checks?: string
  /** SHA-256 of the holdout command. Its text is stored outside of every worktree. */
  holdout?: string
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
  timeoutMs: number
  checksTimeoutMs: number
  strictMetrics: boolean
  /** Tool whose output the command prints. Default: METRIC lines. */
  format?: BenchmarkFormat
  /** Metrics that Anode measures as sizes of files. */
  files?: MeasuredFile[]
  /** Whether executions are isolated. Default: if the machine supports it. */
  isolate?: 'auto' | 'off' | 'require'
  carry: string[]
  env: string[]
  seed: number
  /** `sha256:` of the sealed files, see seal.ts. */
  lock: string
  host: HostMachine
  nullTest?: NullTestResult | 'skipped'
  voice?: BenchmarkVoice
  /** Tree of the baseline and its commit; undefined outside of git. */
  tree?: string
  head?: string
  branch?: string
  timestamp: string
}

/** Later samples of the baseline tree. */
export interface DriftLine {
  type: 'drift'
  segment: number
  pct: number
  drifted: boolean
  samples: number[]
  /** Set if the samples replace the first ones because the machine has changed. */
  host?: HostMachine
  timestamp: string
}

/** Best against baseline on fresh pairs. Only this line may state a gain. */
export interface FinalLine {
  type: 'final'
  segment: number
  run: number
  effect: MeasuredEffect
  /**
   * Number of this final for its best tree, from 1; its level; and whether the test shows a
   * gain at that level.
   */
  number?: number
  level?: number
  gain?: boolean
  /** Medians of the samples. */
  values?: { baseline: number; best: number }
  isolation?: string
  samples: SampleValues
  timestamp: string
}

/** Command of the first run in a segment without a configured command. It becomes the configured one. */
interface CommandLine {
  type: 'command'
  segment: number
  command: string
  lock: string
  timestamp: string
}

/** Leftovers of a crash, and how they were settled. */
interface RecoverLine {
  type: 'recover'
  what: string
  detail?: string
  timestamp: string
}

/** Commits of other authors between two runs. They belong to best from here on. */
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
 * Returns the entry as a line of a known type, or undefined if its type is unknown or a
 * required key is missing.
 */
export function asLedgerEntry(entry: LedgerRecord): (LedgerEntry & LedgerRecord) | undefined {
  const wanted = Object.hasOwn(needs, entry.type) ? needs[entry.type as LedgerEntry['type']] : undefined
  if (!wanted) return undefined
  for (const key in wanted) if (entry[key] === null || typeof entry[key] !== wanted[key]) return undefined
  return entry as unknown as LedgerEntry & LedgerRecord
}
