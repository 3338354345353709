// The final comparison of an experiment session: the best tree against the baseline on fresh pairs. Its
// result is stored as a `final` line.
import { UserError } from '../base/errors.ts'
import {
  concludeConstant,
  concludeFinal,
  constantPairs,
  finalLevel,
  isDeterministic,
  isShown,
  minFinalPairs,
} from './judge/baseline-rules.ts'
import type { JudgeRules, MeasuredEffect, SamplePair } from './judge/evidence.ts'
import { judgeRulesOf, sampleValuesOf } from './judge/segment-rules.ts'
import type { ExperimentSegment } from './ledger/fold.ts'
import type { FinalLine } from './ledger/ledger-entry.ts'
import { currentTimestamp } from './ledger/ledger-file.ts'
import { type MeasurementCheckout, openMeasurementCheckout } from './measure/benchmark-checkout.ts'
import { warnOfClosed } from './measure/closed-places.ts'
import { describeIsolation } from './measure/isolation/isolation.ts'
import type { MeasurementTrace } from './measure/measurement-stopped.ts'
import { type SamplingMethod, takePairs, warmUp } from './measure/sampling.ts'
import { prepareTreeMeasurement, withMeasurementErrors } from './measure/tree-measurement.ts'
import { refuseChangedContentRules } from './run/comparison.ts'
import { isConstant, medianOf } from './stats/statistics.ts'
import { type ExperimentWorkspace, recordEntry, withActiveSession } from './workspace/experiment-workspace.ts'

/**
 * Measures the final comparison, appends its line to the ledger and returns that line. Throws UserError if
 * the best tree is the baseline (exit 1) or after an interrupt (exit 130). Throws FailureError, such as
 * `no_session`, `no_command`, `needs_git`, `run_failed` or `lock_violation`.
 */
export function measureFinal(
  experiment: ExperimentWorkspace,
  order: { pairs?: number; seed?: number } = {},
): Promise<FinalLine> {
  return withActiveSession(experiment, async (session, segment) => {
    const { config, method, trees } = prepareTreeMeasurement(session, segment)
    if (trees.best === trees.baseline)
      throw new UserError('best is the baseline: there is nothing to compare', {
        hint: 'Keep a run first.',
        exit: 1,
      })
    const seed = order.seed ?? config.seed
    const count = Math.max(minFinalPairs, Math.floor(order.pairs ?? minFinalPairs))
    return withMeasurementErrors(async () => {
      await refuseChangedContentRules(session, config.lock)
      const base = await openMeasurementCheckout(session, config, trees.baseline, 0)
      const cand = await openMeasurementCheckout(session, config, trees.best, 1)
      const {
        pairs,
        order: arms,
        effect,
      } = await compareTreePairs(
        { experiment, segment, arms: { base, cand }, method },
        judgeRulesOf(config, seed),
        count,
      )
      const run = segment.best?.run ?? 0
      const number = 1 + segment.finals.filter((one) => one.run === run).length
      const line: FinalLine = {
        type: 'final',
        segment: config.segment,
        run,
        effect,
        number,
        level: finalLevel(config.gate.alpha, number),
        gain: isShown(effect, config, number),
        values: {
          baseline: medianOf(pairs.map(({ base }) => base.value)),
          best: medianOf(pairs.map(({ cand }) => cand.value)),
        },
        isolation: describeIsolation(await session.isolation(config)),
        samples: sampleValuesOf(pairs, arms),
        timestamp: currentTimestamp(),
      }
      await recordEntry(session, line)
      warnOfClosed(session)
      return line
    })
  })
}

interface FinalMeasurement {
  experiment: ExperimentWorkspace
  segment: ExperimentSegment
  arms: { base: MeasurementCheckout; cand: MeasurementCheckout }
  method: SamplingMethod
}

/**
 * Measures pairs of the baseline and the best tree, and returns them with their effect. If the stored values
 * of each tree are equal, two pairs with the same values are enough, unless `count` is above its minimum.
 * Otherwise measures `count` pairs after a warm-up.
 */
async function compareTreePairs(
  { experiment, segment, arms, method }: FinalMeasurement,
  rules: JudgeRules,
  count: number,
): Promise<{ pairs: SamplePair[]; order: string[]; effect: MeasuredEffect }> {
  const trace: MeasurementTrace = { leaked: 0, ms: 0 }
  const label = `final ${segment.finals.length}`
  const at = { phase: 'final', from: 0, seed: rules.seed, trace } as const
  const base = segment.baseline?.value
  const cand = constantBest(segment)
  if (count === minFinalPairs && isDeterministic(segment) && base !== undefined && cand !== undefined) {
    const series = { ...at, to: constantPairs, label: `${label}/first` }
    const firstResult = await takePairs(experiment, arms, method, series)
    const effect = concludeConstant(rules, firstResult.pairs, { base, cand })
    if (effect) return { ...firstResult, effect }
  }
  await warmUp(experiment, arms, method, trace)
  const fullResult = await takePairs(experiment, arms, method, { ...at, to: count, label })
  const effect = concludeFinal(rules, fullResult.pairs)
  if ('need' in effect) throw new Error('too few pairs for a final')
  return { ...fullResult, effect }
}

/**
 * Returns the value of the best tree if all of its samples are equal. Returns undefined if they are not, and
 * if the best tree has no samples.
 */
function constantBest({ best, runs }: ExperimentSegment): number | undefined {
  const samples = runs.find(({ run }) => run === best?.run)?.samples
  const values = best?.run === 0 ? [] : ((samples?.cand.length ? samples.cand : samples?.base) ?? [])
  return isConstant(values) ? values[0] : undefined
}
