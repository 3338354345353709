// Sampling of the benchmark. A sample is an execution in one checkout; a pair has one sample from each of two
// checkouts, in random order. A lock prevents that two processes measure at the same time.
import type { MetricSample, SamplePair } from '../judge/evidence.ts'
import type { MeasurementArm, MeasurementPhase } from '../progress.ts'
import { drawPairOrders } from '../stats/seeded-random.ts'
import { type ExperimentWorkspace, withTimingLock } from '../workspace/experiment-workspace.ts'
import type { MeasurementCheckout } from './benchmark-checkout.ts'
import { runBenchmark } from './benchmark-execution.ts'
import type { BenchmarkFormat } from './benchmark-readers.ts'
import type { MeasuredFile } from './file-size.ts'
import { lockViolation, MeasurementStopped, type MeasurementTrace } from './measurement-stopped.ts'
import { boundPairs } from './own-measurement.ts'

/** How samples are executed, which is the same for every sample of a run. */
export interface SamplingMethod {
  command: string
  timeoutMs: number
  primary: string
  strict: boolean
  format?: BenchmarkFormat
  files?: readonly MeasuredFile[]
  /** Secondary metrics that the baseline printed. Undefined if they are not known yet. */
  expected?: readonly string[]
}

const warmUps = 2

/**
 * Executes once, reverts what the execution changed, and returns the sample. Throws MeasurementStopped if the
 * execution fails or makes a forbidden change, such as of a locked file.
 */
async function takeSample(
  experiment: ExperimentWorkspace,
  checkout: MeasurementCheckout,
  method: SamplingMethod,
  at: { arm: MeasurementArm; phase: MeasurementPhase; trace: MeasurementTrace },
): Promise<MetricSample> {
  const { arm, phase, trace } = at
  const { value: executed, violated } = await checkout.use(arm, (stage) => runBenchmark(stage, method))
  trace.leaked += executed.leaked
  trace.ms += executed.ms
  if (arm === 'cand' || trace.last === undefined) trace.last = executed
  const { sample, reason, detail, ms } = executed
  experiment.tell({ kind: 'sample', phase, arm, ms, value: sample?.value })
  if (violated !== undefined)
    throw new MeasurementStopped({ arm, reason: 'lock_violation', detail: violated, executed })
  if (sample) return sample
  throw new MeasurementStopped({ arm, reason: reason ?? 'no_metric', detail, executed })
}

/**
 * Executes each side twice without using the values, so that the system fills its caches and the processor
 * raises its clock rate. Throws MeasurementStopped if an execution fails.
 */
export async function warmUp(
  experiment: ExperimentWorkspace,
  arms: Partial<Record<MeasurementArm, MeasurementCheckout>>,
  method: SamplingMethod,
  trace: MeasurementTrace,
): Promise<void> {
  await withTimingLock(experiment, 'warm-up', async () => {
    for (let i = 0; i < warmUps; i++)
      for (const arm of ['base', 'cand'] as const) {
        const checkout = arms[arm]
        if (checkout) await takeSample(experiment, checkout, method, { arm, phase: 'warm-up', trace })
      }
  })
}

export async function takeSamples(
  experiment: ExperimentWorkspace,
  checkout: MeasurementCheckout,
  method: SamplingMethod,
  at: { arm: MeasurementArm; phase: MeasurementPhase; trace: MeasurementTrace; count: number },
): Promise<MetricSample[]> {
  return withTimingLock(experiment, at.phase, async () => {
    const samples: MetricSample[] = []
    for (let i = 0; i < at.count; i++) samples.push(await takeSample(experiment, checkout, method, at))
    return samples
  })
}

interface PairSeries {
  phase: MeasurementPhase
  /** Number of pairs that exist before this call; `to` is their number after it. */
  from: number
  to: number
  seed: number
  /** Part of the label of the random stream that decides the order within each pair. */
  label: string
  trace: MeasurementTrace
}

/**
 * Measures the pairs from `from` to `to` of a series. Returns them with the random order within each pair.
 * Printed values are limited by what Anode measured itself. Throws MeasurementStopped if an execution fails
 * or changes a locked file, or if a copied file of the user has changed.
 */
export async function takePairs(
  experiment: ExperimentWorkspace,
  arms: { base: MeasurementCheckout; cand: MeasurementCheckout },
  method: SamplingMethod,
  series: PairSeries,
): Promise<{ pairs: SamplePair[]; order: string[] }> {
  const { phase, from, to, trace } = series
  const order = drawPairOrders(series.seed, series.label, to).slice(from)
  for (const arm of ['base', 'cand'] as const) {
    const detail = arms[arm].changedOrigin()
    if (detail !== undefined) throw lockViolation(detail, arm)
  }
  return withTimingLock(experiment, phase, async () => {
    const pairs: SamplePair[] = []
    for (const [i, first] of order.entries()) {
      const sides: readonly MeasurementArm[] = first === 'AB' ? ['base', 'cand'] : ['cand', 'base']
      const pair: Partial<SamplePair> = {}
      for (const arm of sides)
        pair[arm] = await takeSample(experiment, arms[arm], method, { arm, phase, trace })
      const { base, cand } = pair as SamplePair
      pairs.push({ base, cand })
      experiment.tell({ kind: 'pair', phase, n: from + i + 1, of: to, base: base.value, cand: cand.value })
    }
    return { pairs: boundPairs(method.primary, pairs), order }
  })
}
