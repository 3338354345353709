// The null test, which compares the baseline with itself. A metric by which the baseline beats itself twice
// in a row is unusable.
import { UserError } from '../../base/errors.ts'
import { judgeNullTest } from '../judge/baseline-rules.ts'
import type { SamplePair } from '../judge/evidence.ts'
import { judgeRulesOf, samplingMethodOf } from '../judge/segment-rules.ts'
import type { ConfigLine, NullTestResult } from '../ledger/ledger-entry.ts'
import { isConstant } from '../stats/statistics.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { openTwinCheckouts } from './benchmark-checkout.ts'
import { describeClosed } from './closed-places.ts'
import { MeasurementStopped, type MeasurementTrace } from './measurement-stopped.ts'
import { takePairs } from './sampling.ts'

/**
 * Runs the null test and returns its result for the header. Throws UserError (exit 2) if the metric is
 * unusable or cannot be measured, and exit 130 if interrupted.
 */
export async function runNullTest(session: LockedSession, config: ConfigLine): Promise<NullTestResult> {
  const { experiment } = session
  const method = samplingMethodOf(config, config.command as string)
  const trace: MeasurementTrace = { leaked: 0, ms: 0 }
  const rules = judgeRulesOf(config)
  try {
    const arms = await openTwinCheckouts(session, config, config.tree as string)
    const { seed } = config
    const label = 'null/first'
    const first = await takePairs(experiment, arms, method, {
      phase: 'warm-up',
      from: 0,
      to: 3,
      seed,
      label,
      trace,
    })
    // These first pairs serve only as a warm-up. But if all their values are equal, the metric has no noise,
    // and no further pairs are necessary.
    if (isConstant(first.pairs.flatMap(({ base, cand }) => [base.value, cand.value])))
      return { floor_pct: 0, pairs: first.pairs.length, very_noisy: false, deterministic: true }
    const samplePairs: SamplePair[] = []
    for (;;) {
      const step = judgeNullTest(rules, samplePairs)
      if (!('need' in step)) {
        if (step.usable)
          return { floor_pct: step.floorPct, pairs: samplePairs.length, very_noisy: step.veryNoisy }
        throw unusableError(
          'the baseline beats itself twice in a row',
          'Measure CPU time, or make the benchmark longer.',
        )
      }
      const from = samplePairs.length
      const series = {
        phase: 'null test',
        from,
        to: from + step.count,
        seed,
        label: 'null',
        trace,
      } as const
      samplePairs.push(...(await takePairs(experiment, arms, method, series)).pairs)
    }
  } catch (error) {
    if (!(error instanceof MeasurementStopped)) throw error
    const { reason, detail, executed } = error.failed
    if (reason === 'interrupted') throw new UserError('interrupted', { exit: 130 })
    const lastLine = executed?.outcome.stderr.text.trim().split('\n').at(-1)
    throw unusableError(
      [reason, detail ?? lastLine].filter(Boolean).join(': '),
      await describeClosed(session, config),
    )
  }
}

const unusableError = (why: string, hint: string) => new UserError(`metric unusable: ${why}`, { hint })
