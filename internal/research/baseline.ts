// The first run of a paired segment: repeated samples of the tree that everything is compared with.
import type { Arena } from './arena.ts'
import type { Looked } from './candidate.ts'
import { refuseOtherRules, unbroken, used } from './contest.ts'
import type { Sample } from './judge.ts'
import { type Method, samples, warmUp } from './measure.ts'
import { arenaOf } from './null-test.ts'
import { check, shape } from './plain.ts'
import { medians, methodOf } from './rules.ts'
import type { Job } from './run.ts'
import type { Ran } from './session.ts'
import { isConstant, median, noiseFloor } from './stats.ts'
import type { Trace } from './stopped.ts'

const usualSamples = 8
const constantSamples = 3

/** Measures best, which is the baseline, whatever the checkout holds by now. Throws Stopped. */
export async function baseline(job: Job, looked: Looked, trace: Trace): Promise<Ran> {
  const { seat, segment, command, order } = job
  const { config } = segment
  const { desk } = seat
  await unbroken(job)
  await refuseOtherRules(seat, segment.lock)
  const arena = await arenaOf(seat, { ...config, lock: segment.lock }, segment.best?.tree as string, 0)
  const method = methodOf(config, command, order.timeoutMs)
  const taken = await take(job, arena, method, trace)
  const values = taken.map(({ value }) => value)
  const floor_pct = 100 * noiseFloor(values)
  const metric = median(values)
  desk.tell({ kind: 'floor', metric, floor_pct, samples: values.length })
  let checks: Awaited<ReturnType<typeof check>> | undefined
  if (config.checks !== undefined) {
    const command = config.checks
    checks = (await used(arena, (stage) => check(job, stage, command))).value
  }
  await unbroken(job)
  const notes =
    looked.changes.length > 0 ? ['the changes in the checkout were not measured: run again for them'] : []
  if (floor_pct > 30) notes.push('very_noisy: measure CPU time, or make the benchmark longer')
  return {
    ...shape(job, looked),
    tree: arena.tree,
    changed: [],
    status: checks && checks.result !== 'ok' ? 'checks_failed' : 'baseline',
    reason:
      checks && checks.result !== 'ok' ? (checks.result === 'timeout' ? 'timeout' : 'checks') : 'baseline',
    metric,
    metrics: medians(taken, median),
    samples: { base: values, cand: [] },
    noise: { floor_pct },
    ...(checks && { checks: checks.result, checksOutput: checks.output }),
    notes,
  }
}

/** Values that were the same throughout the null test need only show once more that they are. */
async function take({ seat, segment }: Job, arena: Arena, method: Method, trace: Trace): Promise<Sample[]> {
  const { desk } = seat
  const at = { arm: 'base', phase: 'baseline', trace } as const
  const { nullTest } = segment.config
  if (nullTest && nullTest !== 'skipped' && nullTest.deterministic) {
    const first = await samples(desk, arena, method, { ...at, count: constantSamples })
    if (isConstant(first.map(({ value }) => value))) return first
  }
  await warmUp(desk, [[arena, 'base']], method, trace)
  return samples(desk, arena, method, { ...at, count: desk.ground.baselineSamples ?? usualSamples })
}
