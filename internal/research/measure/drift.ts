// Drift of the baseline: its later samples are compared with the first ones.
import { driftDue, isDeterministic, judgeDrift } from '../judge/baseline-rules.ts'
import { samplingMethodOf } from '../judge/segment-rules.ts'
import type { RunResult } from '../ledger/experiment-run.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { formatSigned } from '../report/format.ts'
import type { RunContext } from '../run/run-context.ts'
import { isConstant } from '../stats/statistics.ts'
import { recordEntry } from '../workspace/experiment-workspace.ts'
import { type MeasurementCheckout, openMeasurementCheckout } from './benchmark-checkout.ts'
import { baselineHostChanges } from './host-check.ts'
import { currentHost } from './host-machine.ts'
import type { MeasurementTrace } from './measurement-stopped.ts'
import { takeSamples, warmUp } from './sampling.ts'

const afterwards = 5
const onNewHost = 8
/**
 * Number of later samples that are enough if all samples of the baseline, the later ones included, are equal.
 */
const constant = 2

/**
 * Measures the baseline again after 10 runs or 30 minutes since its last measurement. On another machine it
 * does so at once, and the new samples replace the first ones. Records a `drift` line and returns the
 * change. Returns undefined if no measurement was due, or the baseline has no tree. `best`
 * returns the checkout of the best tree, which is used if that tree is the baseline. Throws
 * MeasurementStopped if an execution fails.
 */
export async function measureDrift(
  context: RunContext,
  best: () => Promise<MeasurementCheckout>,
  trace: MeasurementTrace,
): Promise<RunResult['drift']> {
  const { session, segment, command } = context
  const { experiment } = session
  const { baseline, config, drifts, runs } = segment
  if (!baseline?.tree) return undefined
  const moved = baselineHostChanges(experiment, segment)
  const last =
    drifts.at(-1)?.timestamp ?? runs.find(({ run }) => run === baseline.run)?.timestamp ?? config.timestamp
  const since = runs.filter(({ timestamp }) => timestamp > last).length
  if (moved.length === 0 && !driftDue(since, Date.now() - Date.parse(last))) return undefined
  const same = segment.best?.tree === baseline.tree
  const checkout = same
    ? await best()
    : await openMeasurementCheckout(session, { ...config, lock: segment.lock }, baseline.tree, 98)
  const method = samplingMethodOf(config, command)
  const first = baseline.samples.map(({ value }) => value)
  const take = async (count: number) =>
    (await takeSamples(experiment, checkout, method, { arm: 'base', phase: 'drift', trace, count })).map(
      ({ value }) => value,
    )
  let values = moved.length === 0 && isDeterministic(segment) ? await take(constant) : []
  if (!isConstant([...first, ...values]) || values.length === 0) {
    await warmUp(experiment, { base: checkout }, method, trace)
    values = await take(moved.length > 0 ? onNewHost : afterwards)
  }
  const drift = judgeDrift(first, values)
  if (drift.drifted && moved.length === 0) {
    const by = formatSigned(drift.pct, drift)
    const text = `the baseline has moved by ${by}; verdicts stay valid, they compare pairs`
    experiment.tell({ kind: 'warning', code: 'drift', text })
  }
  const host = moved.length > 0 ? { host: currentHost() } : {}
  await recordEntry(session, {
    type: 'drift',
    segment: config.segment,
    ...drift,
    samples: values,
    ...host,
    timestamp: currentTimestamp(),
  })
  return { pct: drift.pct, unit: drift.unit }
}
