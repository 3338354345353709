// Measurements beside the loop: the final comparison, and the null test of the whole procedure.
import { FailureError, UserError } from '../base/errors.ts'
import { needsGitError } from './git/session-refs.ts'
import {
  concludeConstant,
  concludeFinal,
  constantPairs,
  finalLevel,
  isDeterministic,
  isNaiveGain,
  isShown,
  minFinalPairs,
} from './judge/baseline-rules.ts'
import { type CandidateEvidence, type MeasuredEffect, nextStep, type SamplePair } from './judge/judge.ts'
import { judgeRulesOf, sampleValuesOf, samplingMethodOf } from './judge/segment-rules.ts'
import type { ExperimentSegment } from './ledger/fold.ts'
import type { ConfigLine, FinalLine } from './ledger/ledger-entry.ts'
import { currentTimestamp } from './ledger/ledger-file.ts'
import { MeasurementStopped, type MeasurementTrace } from './measure/measurement-stopped.ts'
import { openMeasurementCheckout, openTwinCheckouts } from './measure/null-test.ts'
import { type SamplingMethod, takePairs, takeSamples, warmUp } from './measure/sampling.ts'
import { refuseChangedContentRules } from './run/comparison.ts'
import type { AaTestResult } from './session.ts'
import { isConstant, medianOf, noiseFloor, pairDifferences, rawChange } from './stats/statistics.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  recordEntry,
  withActiveSession,
} from './workspace/experiment-workspace.ts'

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

function prepared(
  session: LockedSession,
  segment: ExperimentSegment,
): { config: ConfigLine; method: SamplingMethod; trees: { baseline: string; best: string } } {
  const { command } = segment
  if (!session.repo || segment.config.tree === undefined) throw needsGitError('measuring two trees')
  if (command === undefined) {
    throw new FailureError({ code: 'no_command', message: 'no benchmark command is configured' })
  }
  const config = { ...segment.config, lock: segment.lock }
  const baseline = segment.baseline?.tree ?? segment.config.tree
  return {
    config,
    method: samplingMethodOf(config, command),
    trees: { baseline, best: segment.best?.tree ?? baseline },
  }
}

/** An execution that fails here leaves nothing behind: it was no run of the session. */
async function measuring<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MeasurementStopped)) throw error
    const { arm, reason, detail } = error.failed
    if (reason === 'interrupted') throw new UserError('interrupted', { exit: 130 })
    const message = `measuring ${arm === 'base' ? 'the baseline' : 'best'} failed: ${reason}${detail ? ` (${detail})` : ''}`
    throw new FailureError(
      { code: reason === 'lock_violation' ? 'lock_violation' : 'run_failed', message },
      error,
    )
  }
}
