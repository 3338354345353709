// The A/A test: candidates that are equal to the baseline are judged by the measurements like any other, but
// without checks and without a second check. Every candidate that is kept is a false positive.
import { isNaiveGain } from './judge/baseline-rules.ts'
import type { CandidateVerdict, JudgeRules, MetricSample, SamplePair } from './judge/evidence.ts'
import { nextStep } from './judge/judge.ts'
import { judgeRulesOf } from './judge/segment-rules.ts'
import { type MeasurementCheckout, openTwinCheckouts } from './measure/benchmark-checkout.ts'
import { warnOfClosed } from './measure/closed-places.ts'
import type { MeasurementTrace } from './measure/measurement-stopped.ts'
import { type SamplingMethod, takePairs, takeSamples, warmUp } from './measure/sampling.ts'
import { prepareTreeMeasurement, withMeasurementErrors } from './measure/tree-measurement.ts'
import type { AaTestResult } from './session.ts'
import { noiseFloor } from './stats/noise-floor.ts'
import { medianOf, pairDifferences, rawChange } from './stats/statistics.ts'
import { type ExperimentWorkspace, withActiveSession } from './workspace/experiment-workspace.ts'

/**
 * Two checkouts of the same baseline tree, one of which has the role of the candidate, and the
 * method of measurement.
 */
interface TwinMeasurement {
  experiment: ExperimentWorkspace
  arms: { base: MeasurementCheckout; cand: MeasurementCheckout }
  method: SamplingMethod
  rules: JudgeRules
  trace: MeasurementTrace
}

interface TwinEvidence {
  run: number
  baseline: MetricSample[]
  best: MetricSample[]
  alone: MetricSample[]
  pairs: SamplePair[]
  confirmation: SamplePair[]
}

/**
 * Judges candidates that are equal to the baseline (default: 30), on the same samples by two rules: those of
 * the engine, and a naive rule that keeps every better single sample. Returns how many candidates each rule
 * kept, and the change that the naive rule would report as its gain.
 */
export function runAaTest(
  experiment: ExperimentWorkspace,
  order: { candidates?: number; seed?: number } = {},
): Promise<AaTestResult> {
  return withActiveSession(experiment, async (session, segment) => {
    const { config, method, trees } = prepareTreeMeasurement(session, segment)
    const rules = { ...judgeRulesOf(config, order.seed ?? config.seed), after: [] }
    const trace: MeasurementTrace = { leaked: 0, ms: 0 }
    return withMeasurementErrors(async () => {
      const arms = await openTwinCheckouts(session, config, trees.baseline)
      await warmUp(experiment, arms, method, trace)
      const at = { arm: 'base', phase: 'baseline', trace, count: 8 } as const
      const baseline = await takeSamples(experiment, arms.base, method, at)
      const candidates = Math.max(1, Math.floor(order.candidates ?? 30))
      const testResult = await judgeTwins({ experiment, arms, method, rules, trace }, baseline, candidates)
      warnOfClosed(session)
      return testResult
    })
  })
}

async function judgeTwins(
  measurement: TwinMeasurement,
  baseline: MetricSample[],
  candidates: number,
): Promise<AaTestResult> {
  const { direction } = measurement.rules
  const values = baseline.map(({ value }) => value)
  const testResult: AaTestResult = {
    candidates,
    false_keeps: 0,
    naive_keeps: 0,
    naive_claimed_pct: 0,
    floor_pct: 100 * noiseFloor(values),
    pairs: 0,
  }
  let champion = values[0] as number
  for (let run = 1; run <= candidates; run++) {
    const evidence: TwinEvidence = { run, baseline, best: [], alone: [], pairs: [], confirmation: [] }
    const { status, reason } = await judgeTwin(measurement, evidence)
    if (status === 'keep') testResult.false_keeps++
    const sample = evidence.pairs[0]?.cand ?? evidence.alone[0]
    if (sample && isNaiveGain(champion, sample.value, direction)) {
      testResult.naive_keeps++
      champion = sample.value
    }
    testResult.pairs += evidence.pairs.length + evidence.confirmation.length
    measurement.experiment.tell({ kind: 'verdict', run, status, reason })
  }
  const moved = pairDifferences([values[0] as number], [champion], direction)
  testResult.naive_claimed_pct = rawChange(medianOf(moved.d), moved.scale, direction)
  if (moved.scale === 'absolute') testResult.unit = 'absolute'
  return testResult
}

/** Takes the measurements that the judge requests until it has a verdict. */
async function judgeTwin(
  { experiment, arms, method, rules, trace }: TwinMeasurement,
  evidence: TwinEvidence,
): Promise<Pick<CandidateVerdict, 'status' | 'reason'>> {
  for (;;) {
    const step = nextStep(rules, evidence)
    if ('status' in step) return step
    // The rules have neither checks nor a holdout (a secret second check), so the judge can only request
    // measurements with a `count`.
    if (!('count' in step)) return { status: 'discard', reason: 'noise' }
    const { need, count } = step
    if (need === 'alone') {
      const at = { arm: 'cand', phase: 'pairs', trace, count } as const
      evidence.alone.push(...(await takeSamples(experiment, arms.cand, method, at)))
    } else {
      const from = evidence[need].length
      const label = `aa ${evidence.run}/${need}`
      const series = { phase: need, from, to: from + count, seed: rules.seed, label, trace }
      evidence[need].push(...(await takePairs(experiment, arms, method, series)).pairs)
    }
  }
}
