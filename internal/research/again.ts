// Measurements beside the loop: the final comparison, and the null test of the whole procedure.
import { FailureError, UserError } from '../base/errors.ts'
import { now } from './book.ts'
import { refuseOtherRules } from './contest.ts'
import { type Desk, record, type Seat, sitHere } from './desk.ts'
import type { Segment } from './fold.ts'
import { type Effect, type Evidence, next, type Pair } from './judge.ts'
import type { ConfigLine, FinalLine } from './line.ts'
import { type Method, pairs, samples, warmUp } from './measure.ts'
import { arenaOf, twins } from './null-test.ts'
import {
  conclude,
  concludeConstant,
  constantPairs,
  finalLevel,
  finalPairs,
  isDeterministic,
  isShown,
  naive,
} from './reference.ts'
import { needsGit } from './refs.ts'
import { methodOf, rulesOf, samplesOf } from './rules.ts'
import type { Aa } from './session.ts'
import { change, differences, isConstant, median, noiseFloor } from './stats.ts'
import { Stopped, type Trace } from './stopped.ts'

/** Throws UserError when best is the baseline, FailureError `no_command`, `needs_git` or `run_failed`. */
export function final(desk: Desk, order: { pairs?: number; seed?: number } = {}): Promise<FinalLine> {
  return sitHere(desk, async (seat, segment) => {
    const { config, method, trees } = prepared(seat, segment)
    if (trees.best === trees.baseline)
      throw new UserError('best is the baseline: there is nothing to compare', {
        hint: 'Keep a run first.',
        exit: 1,
      })
    const trace: Trace = { leaked: 0, ms: 0 }
    const count = Math.max(finalPairs, Math.floor(order.pairs ?? finalPairs))
    const seed = order.seed ?? config.seed
    return measuring(async () => {
      await refuseOtherRules(seat, config.lock)
      const base = await arenaOf(seat, config, trees.baseline, 0)
      const cand = await arenaOf(seat, config, trees.best, 1)
      const label = `final ${segment.finals.length}`
      const at = { phase: 'final', from: 0, seed, trace } as const
      const known = { base: segment.baseline?.value, cand: constantBest(segment) }
      let taken: { pairs: Pair[]; order: string[] } | undefined
      let effect: Effect | undefined
      if (count === finalPairs && isDeterministic(segment) && isKnown(known)) {
        taken = await pairs(desk, { base, cand }, method, {
          ...at,
          to: constantPairs,
          label: `${label}/first`,
        })
        effect = concludeConstant(rulesOf(config, seed), taken.pairs, known)
      }
      if (!taken || !effect) {
        await warmUp(
          desk,
          [
            [base, 'base'],
            [cand, 'cand'],
          ],
          method,
          trace,
        )
        taken = await pairs(desk, { base, cand }, method, { ...at, to: count, label })
        const found = conclude(rulesOf(config, seed), taken.pairs)
        if ('need' in found) throw new Error('too few pairs for a final')
        effect = found
      }
      const run = segment.best?.run ?? 0
      const number = 1 + segment.finals.filter((one) => one.run === run).length
      const isolation = await seat.isolation(config)
      const line = {
        type: 'final',
        segment: config.segment,
        run,
        effect,
        number,
        level: finalLevel(config.gate.alpha, number),
        gain: isShown(effect, config, number),
        values: {
          baseline: median(taken.pairs.map(({ base }) => base.value)),
          best: median(taken.pairs.map(({ cand }) => cand.value)),
        },
        isolation: isolation.kind === 'none' ? `not isolated: ${isolation.why}` : 'namespaces',
        samples: samplesOf(taken.pairs, taken.order),
        timestamp: now(),
      } as const
      await record(seat, line)
      return line
    })
  })
}

/** The value of best, if it was the same in every sample. */
function constantBest({ best, runs }: Segment): number | undefined {
  const samples = runs.find(({ run }) => run === best?.run)?.samples
  const values = best?.run === 0 ? [] : ((samples?.cand.length ? samples.cand : samples?.base) ?? [])
  return isConstant(values) ? values[0] : undefined
}

const isKnown = (known: {
  base: number | undefined
  cand: number | undefined
}): known is { base: number; cand: number } => known.base !== undefined && known.cand !== undefined

/** Candidates that are the baseline itself, judged as any other and by the naive rule on the same samples. */
export function aa(desk: Desk, order: { candidates?: number; seed?: number } = {}): Promise<Aa> {
  return sitHere(desk, async (seat, segment) => {
    const { config, method, trees } = prepared(seat, segment)
    const rules = { ...rulesOf(config, order.seed ?? config.seed), after: [] }
    const trace: Trace = { leaked: 0, ms: 0 }
    return measuring(async () => {
      const arms = await twins(seat, config, trees.baseline)
      await warmUp(
        desk,
        [
          [arms.base, 'base'],
          [arms.cand, 'cand'],
        ],
        method,
        trace,
      )
      const baseline = await samples(desk, arms.base, method, {
        arm: 'base',
        phase: 'baseline',
        trace,
        count: 8,
      })
      const values = baseline.map(({ value }) => value)
      const count = Math.max(1, Math.floor(order.candidates ?? 30))
      const found: Aa = {
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
          alone: [] as Evidence['alone'][number][],
          pairs: [] as Pair[],
          confirmation: [] as Pair[],
        }
        let step = next(rules, evidence)
        while (!('status' in step)) {
          if (!('count' in step)) break
          const { need } = step
          if (need === 'alone') {
            const at = { arm: 'cand', phase: 'pairs', trace, count: step.count } as const
            evidence.alone.push(...(await samples(desk, arms.cand, method, at)))
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
            evidence[need].push(...(await pairs(desk, arms, method, series)).pairs)
          }
          step = next(rules, evidence)
        }
        if ('status' in step && step.status === 'keep') found.false_keeps++
        const sample = evidence.pairs[0]?.cand ?? evidence.alone[0]
        if (sample && naive(champion, sample.value, config.bestDirection)) {
          found.naive_keeps++
          champion = sample.value
        }
        found.pairs += evidence.pairs.length + evidence.confirmation.length
        const status = 'status' in step ? step : { status: 'discard' as const, reason: 'noise' as const }
        desk.tell({ kind: 'verdict', run, status: status.status, reason: status.reason })
      }
      const moved = differences([values[0] as number], [champion], config.bestDirection)
      found.naive_claimed_pct = change(median(moved.d), moved.scale, config.bestDirection)
      return found
    })
  })
}

function prepared(
  seat: Seat,
  segment: Segment,
): { config: ConfigLine; method: Method; trees: { baseline: string; best: string } } {
  const { command } = segment
  if (!seat.shelf || segment.config.tree === undefined) throw needsGit('measuring two trees')
  if (command === undefined) {
    throw new FailureError({ code: 'no_command', message: 'no benchmark command is configured' })
  }
  const config = { ...segment.config, lock: segment.lock }
  const baseline = segment.baseline?.tree ?? segment.config.tree
  return {
    config,
    method: methodOf(config, command),
    trees: { baseline, best: segment.best?.tree ?? baseline },
  }
}

/** An execution that fails here leaves nothing behind: it was no run of the session. */
async function measuring<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const { arm, reason, detail } = error.failed
    if (reason === 'interrupted') throw new UserError('interrupted', { exit: 130 })
    const message = `measuring ${arm === 'base' ? 'the baseline' : 'best'} failed: ${reason}${detail ? ` (${detail})` : ''}`
    throw new FailureError(
      { code: reason === 'lock_violation' ? 'lock_violation' : 'run_failed', message },
      error,
    )
  }
}
