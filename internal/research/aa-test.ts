// The A/A test: candidates that are the baseline itself, judged as any other, so that every keep is a false one.

import { isNaiveGain } from './judge/baseline-rules.ts'
import type { CandidateEvidence, SamplePair } from './judge/evidence.ts'
import { nextStep } from './judge/judge.ts'
import { judgeRulesOf } from './judge/segment-rules.ts'
import type { MeasurementTrace } from './measure/measurement-stopped.ts'
import { openTwinCheckouts } from './measure/open-checkout.ts'
import { takePairs, takeSamples, warmUp } from './measure/sampling.ts'
import { measuring, prepared } from './measure/tree-measurement.ts'
import type { AaTestResult } from './session.ts'
import { noiseFloor } from './stats/noise-floor.ts'
import { medianOf, pairDifferences, rawChange } from './stats/statistics.ts'
import { type ExperimentWorkspace, withActiveSession } from './workspace/experiment-workspace.ts'

/** Candidates that are the baseline itself, judged as any other and by the naive rule on the same samples. */
export function runAaTest(
  experiment: ExperimentWorkspace,
  order: { candidates?: number; seed?: number } = {},
): Promise<AaTestResult> {
  return withActiveSession(experiment, async (session, segment) => {
    const { config, method, trees } = prepared(session, segment)
    const rules = { ...judgeRulesOf(config, order.seed ?? config.seed), after: [] }
    const trace: MeasurementTrace = { leaked: 0, ms: 0 }
    return measuring(async () => {
      const arms = await openTwinCheckouts(session, config, trees.baseline)
      await warmUp(
        experiment,
        [
          [arms.base, 'base'],
          [arms.cand, 'cand'],
        ],
        method,
        trace,
      )
      const baseline = await takeSamples(experiment, arms.base, method, {
        arm: 'base',
        phase: 'baseline',
        trace,
        count: 8,
      })
      const values = baseline.map(({ value }) => value)
      const count = Math.max(1, Math.floor(order.candidates ?? 30))
      const found: AaTestResult = {
        candidates: count,
        false_keeps: 0,
        naive_keeps: 0,
        naive_claimed_pct: 0,
        floor_pct: 100 * noiseFloor(values),
        pairs: 0,
      }
      let champion = values[0] as number
      for (let run = 1; run <= count; run++) {
        const evidence = {
          run,
          baseline,
          best: [],
          alone: [] as CandidateEvidence['alone'][number][],
          pairs: [] as SamplePair[],
          confirmation: [] as SamplePair[],
        }
        let step = nextStep(rules, evidence)
        while (!('status' in step)) {
          if (!('count' in step)) break
          const { need } = step
          if (need === 'alone') {
            const at = { arm: 'cand', phase: 'pairs', trace, count: step.count } as const
            evidence.alone.push(...(await takeSamples(experiment, arms.cand, method, at)))
          } else {
            const from = evidence[need].length
            const label = `aa ${run}/${need}`
            const series = {
              phase: need,
              from,
              to: from + step.count,
              seed: rules.seed,
              label,
              trace,
            } as const
            evidence[need].push(...(await takePairs(experiment, arms, method, series)).pairs)
          }
          step = nextStep(rules, evidence)
        }
        if ('status' in step && step.status === 'keep') found.false_keeps++
        const sample = evidence.pairs[0]?.cand ?? evidence.alone[0]
        if (sample && isNaiveGain(champion, sample.value, config.bestDirection)) {
          found.naive_keeps++
          champion = sample.value
        }
        found.pairs += evidence.pairs.length + evidence.confirmation.length
        const status = 'status' in step ? step : { status: 'discard' as const, reason: 'noise' as const }
        experiment.tell({ kind: 'verdict', run, status: status.status, reason: status.reason })
      }
      const moved = pairDifferences([values[0] as number], [champion], config.bestDirection)
      found.naive_claimed_pct = rawChange(medianOf(moved.d), moved.scale, config.bestDirection)
      return found
    })
  })
}
