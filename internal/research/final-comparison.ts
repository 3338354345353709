// Measurements beside the loop: the final comparison, and the null test of the whole procedure.
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
import type { MeasuredEffect, SamplePair } from './judge/evidence.ts'
import { judgeRulesOf, sampleValuesOf } from './judge/segment-rules.ts'
import type { ExperimentSegment } from './ledger/fold.ts'
import type { FinalLine } from './ledger/ledger-entry.ts'
import { currentTimestamp } from './ledger/ledger-file.ts'
import type { MeasurementTrace } from './measure/measurement-stopped.ts'
import { openMeasurementCheckout } from './measure/open-checkout.ts'
import { takePairs, warmUp } from './measure/sampling.ts'
import { measuring, prepared } from './measure/tree-measurement.ts'
import { refuseChangedContentRules } from './run/comparison.ts'
import { isConstant, medianOf } from './stats/statistics.ts'
import { type ExperimentWorkspace, recordEntry, withActiveSession } from './workspace/experiment-workspace.ts'

/** Throws UserError when best is the baseline, FailureError `no_command`, `needs_git` or `run_failed`. */
export function measureFinal(
  experiment: ExperimentWorkspace,
  order: { pairs?: number; seed?: number } = {},
): Promise<FinalLine> {
  return withActiveSession(experiment, async (session, segment) => {
    const { config, method, trees } = prepared(session, segment)
    if (trees.best === trees.baseline)
      throw new UserError('best is the baseline: there is nothing to compare', {
        hint: 'Keep a run first.',
        exit: 1,
      })
    const trace: MeasurementTrace = { leaked: 0, ms: 0 }
    const count = Math.max(minFinalPairs, Math.floor(order.pairs ?? minFinalPairs))
    const seed = order.seed ?? config.seed
    return measuring(async () => {
      await refuseChangedContentRules(session, config.lock)
      const base = await openMeasurementCheckout(session, config, trees.baseline, 0)
      const cand = await openMeasurementCheckout(session, config, trees.best, 1)
      const label = `final ${segment.finals.length}`
      const at = { phase: 'final', from: 0, seed, trace } as const
      const known = { base: segment.baseline?.value, cand: constantBest(segment) }
      let taken: { pairs: SamplePair[]; order: string[] } | undefined
      let effect: MeasuredEffect | undefined
      if (count === minFinalPairs && isDeterministic(segment) && isKnown(known)) {
        taken = await takePairs(experiment, { base, cand }, method, {
          ...at,
          to: constantPairs,
          label: `${label}/first`,
        })
        effect = concludeConstant(judgeRulesOf(config, seed), taken.pairs, known)
      }
      if (!taken || !effect) {
        await warmUp(
          experiment,
          [
            [base, 'base'],
            [cand, 'cand'],
          ],
          method,
          trace,
        )
        taken = await takePairs(experiment, { base, cand }, method, { ...at, to: count, label })
        const found = concludeFinal(judgeRulesOf(config, seed), taken.pairs)
        if ('need' in found) throw new Error('too few pairs for a final')
        effect = found
      }
      const run = segment.best?.run ?? 0
      const number = 1 + segment.finals.filter((one) => one.run === run).length
      const isolation = await session.isolation(config)
      const line = {
        type: 'final',
        segment: config.segment,
        run,
        effect,
        number,
        level: finalLevel(config.gate.alpha, number),
        gain: isShown(effect, config, number),
        values: {
          baseline: medianOf(taken.pairs.map(({ base }) => base.value)),
          best: medianOf(taken.pairs.map(({ cand }) => cand.value)),
        },
        isolation: isolation.kind === 'none' ? `not isolated: ${isolation.why}` : 'namespaces',
        samples: sampleValuesOf(taken.pairs, taken.order),
        timestamp: currentTimestamp(),
      } as const
      await recordEntry(session, line)
      return line
    })
  })
}

/** The value of best, if it was the same in every sample. */
function constantBest({ best, runs }: ExperimentSegment): number | undefined {
  const samples = runs.find(({ run }) => run === best?.run)?.samples
  const values = best?.run === 0 ? [] : ((samples?.cand.length ? samples.cand : samples?.base) ?? [])
  return isConstant(values) ? values[0] : undefined
}

const isKnown = (known: {
  base: number | undefined
  cand: number | undefined
}): known is { base: number; cand: number } => known.base !== undefined && known.cand !== undefined
