// The first run of a segment in which pairs of samples are compared. It takes repeated samples of the
// baseline, the tree with which all candidates are compared.
import type { MetricSample } from '../judge/evidence.ts'
import { metricMedians, samplingMethodOf } from '../judge/segment-rules.ts'
import type { RunResult } from '../ledger/experiment-run.ts'
import { type MeasurementCheckout, openMeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { MeasurementStopped, type MeasurementTrace } from '../measure/measurement-stopped.ts'
import { type SamplingMethod, takeSamples, warmUp } from '../measure/sampling.ts'
import { noiseFloor, noiseWarning } from '../stats/noise-floor.ts'
import { isConstant, medianOf } from '../stats/statistics.ts'
import type { CandidateSnapshot } from '../workspace/candidate-snapshot.ts'
import { makeMeasuredFiles, runChecks } from './checks.ts'
import { refuseBrokenLock, refuseChangedContentRules, withCheckout } from './comparison.ts'
import { emptyResult } from './empty-result.ts'
import type { RunContext } from './run-context.ts'

const usualSamples = 8
const constantSamples = 3

/**
 * Measures the best tree, which is still the baseline, and runs the checks, whose failure is a result. The
 * current files of the checkout do not matter. Throws MeasurementStopped if an execution fails, if samples
 * have different metrics, or if a locked file or git's rules for file contents have changed.
 */
export async function measureBaseline(
  context: RunContext,
  snapshot: CandidateSnapshot,
  trace: MeasurementTrace,
): Promise<RunResult> {
  const { session, segment, command, order } = context
  const { config } = segment
  const { experiment } = session
  await refuseBrokenLock(context)
  await refuseChangedContentRules(session, segment.lock)
  const checkout = await openMeasurementCheckout(
    session,
    { ...config, lock: segment.lock },
    segment.best?.tree as string,
    0,
  )
  const method = samplingMethodOf(config, command, order.timeoutMs)
  const samples = await sampleBaseline(context, checkout, method, trace)
  refuseChangingMetrics(samples, trace)
  const values = samples.map(({ value }) => value)
  const floor_pct = 100 * noiseFloor(values)
  const metric = medianOf(values)
  experiment.tell({ kind: 'floor', metric, floor_pct, samples: values.length })
  let checks: Awaited<ReturnType<typeof runChecks>> | undefined
  if (config.checks !== undefined) {
    const command = config.checks
    checks = await withCheckout(checkout, async (stage) =>
      runChecks(context, stage, command, await makeMeasuredFiles(stage, method)),
    )
  }
  await refuseBrokenLock(context)
  const notes =
    snapshot.changes.length > 0 ? ['the changes in the checkout were not measured: run again for them'] : []
  if (floor_pct > 30) notes.push(noiseWarning(floor_pct))
  return {
    ...emptyResult(context, snapshot),
    tree: checkout.tree,
    changed: [],
    status: checks && checks.result !== 'ok' ? 'checks_failed' : 'baseline',
    reason:
      checks && checks.result !== 'ok' ? (checks.result === 'timeout' ? 'timeout' : 'checks') : 'baseline',
    metric,
    metrics: metricMedians(samples, medianOf),
    samples: { base: values, cand: [] },
    noise: { floor_pct },
    checks: checks?.result,
    checksOutput: checks?.output,
    notes,
  }
}

/**
 * Throws MeasurementStopped if two samples have different metrics, because a later run could not match both.
 */
function refuseChangingMetrics(samples: readonly MetricSample[], { last }: MeasurementTrace): void {
  const lists = new Set(samples.map(({ metrics }) => Object.keys(metrics).sort().join(', ')))
  if (lists.size <= 1) return
  const metricLists = [...lists].map((list) => list || 'only the primary one')
  throw new MeasurementStopped({
    arm: 'base',
    reason: 'ambiguous_metric',
    detail: `the benchmark prints different metrics from run to run: ${metricLists.join(' or ')}`,
    executed: last,
  })
}

/**
 * Returns the samples of the baseline, 8 unless the options have another number. If the values were constant
 * in the null test, 3 more equal values are enough.
 */
async function sampleBaseline(
  { session, segment }: RunContext,
  checkout: MeasurementCheckout,
  method: SamplingMethod,
  trace: MeasurementTrace,
): Promise<MetricSample[]> {
  const { experiment } = session
  const at = { arm: 'base', phase: 'baseline', trace } as const
  const { nullTest } = segment.config
  if (nullTest && nullTest !== 'skipped' && nullTest.deterministic) {
    const first = await takeSamples(experiment, checkout, method, { ...at, count: constantSamples })
    if (isConstant(first.map(({ value }) => value))) return first
  }
  await warmUp(experiment, { base: checkout }, method, trace)
  return takeSamples(experiment, checkout, method, {
    ...at,
    count: experiment.options.baselineSamples ?? usualSamples,
  })
}
