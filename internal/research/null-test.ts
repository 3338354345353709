// Asks of a metric whether it can tell the baseline from itself: if it can, no verdict by it means anything.
import { UserError } from '../base/errors.ts'
import { type Arena, openArena } from './arena.ts'
import type { Seat } from './desk.ts'
import type { Pair } from './judge.ts'
import type { ConfigLine, NullTest } from './line.ts'
import { pairs } from './measure.ts'
import { nullTest } from './reference.ts'
import { methodOf, rulesOf } from './rules.ts'
import { isConstant } from './stats.ts'
import { Stopped, type Trace } from './stopped.ts'

/** Two checkouts of one tree. Throws Stopped when its build fails. */
export async function twins(
  seat: Seat,
  config: ConfigLine,
  tree: string,
): Promise<{ base: Arena; cand: Arena }> {
  return { base: await arenaOf(seat, config, tree, 0), cand: await arenaOf(seat, config, tree, 1) }
}

/** Throws Stopped when the build fails. */
export async function arenaOf(seat: Seat, config: ConfigLine, tree: string, slot: number): Promise<Arena> {
  if (config.build !== undefined) seat.desk.tell({ kind: 'phase', phase: 'build' })
  const opened = await openArena(seat, { tree, slot, config, lock: config.lock })
  if (opened.ok) return opened.arena
  const { failure } = opened
  const { reason } = failure
  const detail = `${reason}${failure.detail === undefined ? '' : `: ${failure.detail}`}`
  throw new Stopped({
    arm: slot === 0 ? 'base' : 'cand',
    reason: reason === 'interrupted' || reason === 'timeout' ? reason : 'build',
    detail,
    executed: failure,
  })
}

/** What the header records. Throws UserError (exit 2) when the metric is of no use, also because it cannot be had. */
export async function nullTestOf(seat: Seat, config: ConfigLine): Promise<NullTest> {
  const { desk } = seat
  const method = methodOf(config, config.command as string)
  const trace: Trace = { leaked: 0, ms: 0 }
  const rules = rulesOf(config)
  try {
    const arms = await twins(seat, config, config.tree as string)
    const { seed } = config
    const label = 'null/first'
    const first = await pairs(desk, arms, method, { phase: 'warm-up', from: 0, to: 3, seed, label, trace })
    // they warm up what follows; where nothing moves at all, nothing needs to follow
    if (isConstant(first.pairs.flatMap(({ base, cand }) => [base.value, cand.value])))
      return { floor_pct: 0, pairs: first.pairs.length, very_noisy: false, deterministic: true }
    const taken: Pair[] = []
    for (;;) {
      const step = nullTest(rules, taken)
      if (!('need' in step)) {
        if (step.usable) return { floor_pct: step.floorPct, pairs: taken.length, very_noisy: step.veryNoisy }
        throw unusable(
          'the baseline beats itself twice in a row',
          'Measure CPU time, or make the benchmark longer.',
        )
      }
      const from = taken.length
      const series = {
        phase: 'null test',
        from,
        to: from + step.count,
        seed,
        label: 'null',
        trace,
      } as const
      taken.push(...(await pairs(desk, arms, method, series)).pairs)
    }
  } catch (error) {
    if (!(error instanceof Stopped)) throw error
    const { reason, detail, executed } = error.failed
    if (reason === 'interrupted') throw new UserError('interrupted', { exit: 130 })
    const said = executed?.outcome.stderr.text.trim().split('\n').at(-1)
    throw unusable(
      [reason, detail ?? said].filter(Boolean).join(': '),
      'Run the command by hand in a fresh checkout.',
    )
  }
}

const unusable = (why: string, hint: string) => new UserError(`metric unusable: ${why}`, { hint })
