// Overview of a session, computed from its ledger. The terminal, the pipe and the HTML page all
// show this overview.
import { finalLevel, isShown } from '../judge/baseline-rules.ts'
import type { MeasuredEffect } from '../judge/evidence.ts'
import type { ExperimentCost, RunLine } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { FinalLine } from '../ledger/ledger-entry.ts'
import type { PendingRunView, ResearchState } from '../session.ts'
import { type MetricDirection, medianOf } from '../stats/statistics.ts'
import { addCosts, noCost } from './cost.ts'
import { formatSigned } from './format.ts'

/** One logged run of an experiment session. */
export interface OverviewRow {
  run: number
  status: RunLine['status']
  reason: RunLine['reason']
  evidence: RunLine['evidence']
  description: string
  metric?: number
  effect?: MeasuredEffect
  /** Ends of the effect's interval as values of the metric, in its own unit. */
  range?: [number, number]
  commit?: string
  /** Measured value, if the caller passed another value as `metric`. */
  parsed?: number
  /** True if a kept run looks too good to be true; only lines of earlier versions say so. */
  suspect?: true
  /** Details that the reason does not contain. */
  detail?: string
  cost: ExperimentCost
  usd: ExperimentCost['usd']
  tokens: number
  timestamp: string
}

/** The last final comparison, with its verdict. */
interface FinalView extends MeasuredEffect {
  run: number
  timestamp: string
  gain: boolean
  /** Number of the final comparison, from 1, among those of the same best tree. */
  number: number
  level: number
  values: { baseline: number; best: number }
}

export interface SessionOverview {
  session: string
  name: string
  objective: string
  metric: string
  unit: string
  direction: MetricDirection
  gate: 'plain' | 'paired'
  segment: number
  /** Number of earlier segments, including those in files of earlier versions. */
  earlier: number
  command: string
  scope: readonly string[]
  guards: number
  host: string
  counts: ExperimentSegment['counts']
  /** Largest number of runs of the segment; 0: no limit. */
  maxRuns: number
  stopped: boolean
  baseline?: { value: number; floorPct: number }
  best?: OverviewRow
  rows: readonly OverviewRow[]
  final?: FinalView
  /** True if the final comparison measured an earlier best tree. */
  finalIsOld: boolean
  pending: readonly PendingRunView[]
  warnings: readonly string[]
  cost: ExperimentCost
  usd: ExperimentCost['usd']
  tokens: number
}

/** Returns the overview of the active segment, or undefined without a session or a segment. */
export function buildOverview(state: ResearchState): SessionOverview | undefined {
  const { active: segment, session } = state
  if (!segment || session === undefined) return undefined
  const { config, baseline, counts, stopped } = segment
  const rows = segment.runs.map(toRow)
  const cost = rows.reduce((sum, run) => addCosts(sum, run.cost), noCost)
  const best = rows.findLast(({ status }) => status === 'keep')
  const final = segment.finals.at(-1)
  return {
    session,
    name: config.name,
    objective: config.objective ?? '',
    metric: config.metricName,
    unit: config.metricUnit ?? '',
    direction: config.bestDirection,
    gate: config.gate.kind,
    segment: config.segment,
    earlier: state.segments.length - 1 + state.legacy.length,
    command: segment.command ?? '',
    scope: config.scope,
    guards: config.guards.length,
    host: `${config.host.model}, ${config.host.cpus} processors, Node ${config.host.node}`,
    counts,
    maxRuns: config.maxRuns,
    stopped,
    baseline: baseline ? { value: baseline.value, floorPct: baseline.floor_pct } : undefined,
    best,
    rows,
    final: final ? finalOf(final, segment) : undefined,
    finalIsOld: final !== undefined && rows.some(({ run, status }) => status === 'keep' && run > final.run),
    pending: state.pending,
    warnings: warningsOf(segment),
    cost,
    usd: cost.usd,
    tokens: cost.tokens,
  }
}

/**
 * Returns the final comparison with its verdict, which is computed again from the p value and the number of
 * the comparison. The verdict in its stored line is ignored.
 */
function finalOf(line: FinalLine, { finals, config }: ExperimentSegment): FinalView {
  const { effect, run, timestamp, samples } = line
  const number = finals.filter((one) => one.run === run).indexOf(line) + 1
  return {
    ...effect,
    run,
    timestamp,
    number,
    level: finalLevel(config.gate.alpha, number),
    gain: run > 0 && isShown(effect, config, number),
    values: { baseline: medianOf(samples.base), best: medianOf(samples.cand) },
  }
}

/** Returns a row. Its keys are set one by one for speed, because a long ledger has thousands of rows. */
function toRow(line: RunLine): OverviewRow {
  const { metric, effect, commit, parsed, cost = noCost } = line
  const overviewRow: OverviewRow = {
    run: line.run,
    status: line.status,
    reason: line.reason,
    evidence: line.evidence,
    description: line.description ?? '',
    cost,
    usd: cost.usd,
    tokens: cost.tokens,
    timestamp: line.timestamp,
  }
  if (metric !== undefined) overviewRow.metric = metric
  if (effect) overviewRow.effect = effect
  const range = rangeOf(line)
  if (range) overviewRow.range = range
  if (commit) overviewRow.commit = commit
  if (line.suspect) overviewRow.suspect = true
  if (line.detail !== undefined) overviewRow.detail = line.detail
  if (line.overridden && parsed !== undefined) overviewRow.parsed = parsed
  return overviewRow
}

/**
 * Returns the ends of the effect's interval as values of the metric. Undefined without a value or an effect,
 * or if an end is not finite. The interval is relative to the best tree, whose value follows from the run's
 * value and its change.
 */
function rangeOf({ metric, effect }: RunLine): [number, number] | undefined {
  if (metric === undefined || !effect) return undefined
  const { pct, ci, unit } = effect
  const moved = (by: number) =>
    unit === 'absolute' ? metric - pct + by : (metric / (1 + pct / 100)) * (1 + by / 100)
  const a = moved(ci[0])
  const b = moved(ci[1])
  return Number.isFinite(a + b) ? [Math.min(a, b), Math.max(a, b)] : undefined
}

function warningsOf({ config, baseline, drifts, runs }: ExperimentSegment): string[] {
  const warnings: string[] = []
  const isolation = runs.findLast(({ isolation: of }) => of !== undefined)?.isolation
  if (isolation?.startsWith('not isolated') && config.gate.kind === 'paired') warnings.push(isolation)
  const suspects = runs.filter(({ suspect }) => suspect).map(({ run }) => run)
  if (suspects.length > 0)
    warnings.push(
      `run ${suspects.join(', ')}: looks too good to be true; confirmed in fresh pairs with checks, ` +
        'but look at it',
    )
  if (baseline && baseline.floor_pct > 30)
    warnings.push(
      `the metric is very noisy (floor ${baseline.floor_pct.toFixed(0)}%): measure processor time, ` +
        'or for longer',
    )
  if (config.nullTest === 'skipped') warnings.push('the null test was skipped')
  const drift = drifts.findLast(({ drifted }) => drifted)
  if (drift)
    warnings.push(
      `the baseline itself moved by ${formatSigned(drift.pct, drift)}; decisions are paired and stay valid`,
    )
  if (drifts.some(({ host }) => host))
    warnings.push('the machine changed: values before and after are not comparable')
  const singles = runs.filter(({ status, evidence }) => status === 'keep' && evidence !== 'paired').length
  if (singles > 0)
    warnings.push(
      `${singles} kept on a single sample, which may be luck; check with \`anode research final\``,
    )
  return warnings
}
