// The state of a session, computed from the lines of its ledger: segments (parts under one configuration),
// baseline, best tree, and counts.
import type { MetricSample } from '../judge/evidence.ts'
import { noiseFloor } from '../stats/noise-floor.ts'
import { medianOf } from '../stats/statistics.ts'
import type { ExperimentRunStatus, RunLine } from './experiment-run.ts'
import type { LedgerRecord } from './ledger.ts'
import {
  asLedgerEntry,
  type ConfigLine,
  type DriftLine,
  type FinalLine,
  type LedgerEntry,
} from './ledger-entry.ts'

/** The best tree so far, with which later candidates are compared. */
interface BestTree {
  run: number
  tree: string | undefined
  commit: string | null
  value: number | undefined
  evidence: RunLine['evidence']
  /**
   * Ratio of the best tree to the baseline for each guard metric (a secondary metric with a
   * limit). Default: 1.
   */
  carry: Readonly<Record<string, number>>
}

interface SegmentBaseline {
  run: number
  tree: string | undefined
  /** Median of the samples of the baseline. */
  value: number
  samples: readonly MetricSample[]
  floor_pct: number
}

type RunCounts = Readonly<Record<ExperimentRunStatus | 'total', number>>

/** The part of a ledger under one configuration, with everything that happened under it. */
export interface ExperimentSegment {
  config: ConfigLine
  /** Configured command, from the header or from a later line that sets it. */
  command: string | undefined
  lock: string
  /** Logged runs, in the order in which they were logged. */
  runs: RunLine[]
  baseline: SegmentBaseline | undefined
  best: BestTree | undefined
  counts: RunCounts
  drifts: DriftLine[]
  finals: FinalLine[]
  /** Latest commit of the workspace's branch that is known to be part of the best tree. */
  head: string | undefined
  /** True when the segment has reached `max_runs`. */
  stopped: boolean
}

export interface LedgerState {
  segments: ExperimentSegment[]
  /** The last segment, to which new runs are added. */
  active: ExperimentSegment | undefined
  /** Number after the highest number of a logged run. Open runs are not counted. */
  nextRun: number
}

const none: RunCounts = { baseline: 0, keep: 0, discard: 0, crash: 0, checks_failed: 0, total: 0 }

/** Computes the state from the lines. Lines of unknown types or forms are skipped. */
export function foldLedger(entries: readonly LedgerRecord[]): LedgerState {
  const segments: GrowingSegment[] = []
  let nextRun = 1
  for (const entry of entries) {
    const line = asLedgerEntry(entry)
    if (!line) continue
    if (line.type === 'config') {
      segments.push(beginSegment(line))
      continue
    }
    if (line.type === 'run') nextRun = Math.max(nextRun, line.run + 1)
    const segment = segments.at(-1)
    if (segment) addLine(segment, line)
  }
  return { segments, active: segments.at(-1), nextRun }
}

/** A segment to which lines are still added, so that its counts can change. */
interface GrowingSegment extends ExperimentSegment {
  counts: Record<ExperimentRunStatus | 'total', number>
}

function beginSegment(config: ConfigLine): GrowingSegment {
  const best: BestTree | undefined =
    config.tree === undefined
      ? undefined
      : { run: 0, tree: config.tree, commit: null, value: undefined, evidence: 'none', carry: {} }
  return {
    config,
    command: config.command,
    lock: config.lock,
    runs: [],
    baseline: undefined,
    best,
    counts: { ...none },
    drifts: [],
    finals: [],
    head: config.head,
    stopped: false,
  }
}

/**
 * Adds a line to the segment by changing it, because a copy for each line would make a long ledger
 * slow to open.
 */
function addLine(segment: GrowingSegment, line: Exclude<LedgerEntry, ConfigLine>): void {
  switch (line.type) {
    case 'run':
      addRun(segment, line)
      return
    case 'command':
      segment.command = line.command
      segment.lock = line.lock
      return
    case 'adopt':
      segment.head = line.head
      if (segment.best) segment.best = { ...segment.best, tree: line.tree }
      return
    case 'drift':
      segment.drifts.push(line)
      if (line.host && segment.baseline) segment.baseline = updateBaseline(segment.baseline, line)
      return
    case 'final':
      segment.finals.push(line)
  }
}

function addRun(segment: GrowingSegment, line: RunLine): void {
  const { runs, counts, config } = segment
  runs.push(line)
  counts[line.status]++
  counts.total++
  segment.stopped = config.maxRuns > 0 && counts.total >= config.maxRuns
  if (line.status === 'baseline') {
    segment.baseline = baselineOf(line)
    segment.best = bestOf(line, {})
  } else if (line.status === 'keep') {
    if (line.where === 'workspace' && line.commit) segment.head = line.commit
    segment.best = bestOf(line, line.carry ?? {})
  }
}

function bestOf(line: RunLine, carry: Readonly<Record<string, number>>): BestTree {
  return {
    run: line.run,
    tree: line.tree,
    commit: line.commit ?? null,
    value: line.metric,
    evidence: line.evidence,
    carry,
  }
}

function baselineOf(line: RunLine): SegmentBaseline | undefined {
  // A value that a user typed is not a measured sample, so it is not used.
  const values = line.samples?.base ?? (line.metric === undefined || line.overridden ? [] : [line.metric])
  if (values.length === 0) return undefined
  return {
    run: line.run,
    tree: line.tree,
    value: medianOf(values),
    samples: values.map((value) => ({ value, metrics: line.metrics })),
    floor_pct: 100 * noiseFloor(values),
  }
}

function updateBaseline(baseline: SegmentBaseline, { samples }: DriftLine): SegmentBaseline {
  const metrics = baseline.samples[0]?.metrics ?? {}
  return {
    ...baseline,
    value: medianOf(samples),
    samples: samples.map((value) => ({ value, metrics })),
    floor_pct: 100 * noiseFloor(samples),
  }
}
