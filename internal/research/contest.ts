// What measuring a candidate against best needs: checkouts, warm-ups, pairs, checks, holdout, each when first asked for.
import { join } from 'node:path'
import type { Arena } from './arena.ts'
import type { Seat } from './desk.ts'
import { attempt, type Stage } from './execute.ts'
import { contentRulesOf } from './git-state.ts'
import { readHoldout } from './holdout.ts'
import { isolatedRoot } from './isolation.ts'
import { pairs, samples, warmUp } from './measure.ts'
import { arenaOf } from './null-test.ts'
import { check } from './plain.ts'
import { methodOf } from './rules.ts'
import type { Job } from './run.ts'
import { broken, readLock } from './seal.ts'
import { Stopped, type Trace } from './stopped.ts'

/** Throws Stopped when what judges is not what was locked. */
export async function unbroken({ seat, segment, checkout }: Job): Promise<void> {
  const { workspace } = seat.desk.where
  for (const root of new Set([workspace, checkout?.path ?? workspace])) {
    const file = await broken(seat.dir, segment.lock, root)
    if (file !== undefined) throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: file })
  }
}

/** Throws Stopped when the repository would by now give other files for a tree than when the session began. */
export async function refuseOtherRules(seat: Seat, lock: string): Promise<void> {
  const { repository } = seat.desk.where
  const known = (await readLock(seat.dir, lock))?.git
  if (known === undefined || !seat.shelf || !repository) return
  if ((await contentRulesOf(seat.shelf, repository)) === known) return
  const detail =
    '.git (replaced objects, attributes, alternates or settings that change files) is not as it was at init'
  throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail })
}

/** Executes something that measures nothing, under the same watch. Throws Stopped. */
export async function used<T>(arena: Arena, work: (stage: Stage) => Promise<T>): Promise<{ value: T }> {
  const { value, violated } = await arena.use('cand', work)
  if (violated !== undefined) throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: violated })
  return { value }
}

/** The same stage outside of the checkout, with the files that the holdout needs. */
function beside(stage: Stage, cwd: string): Stage {
  const env = { ...stage.env, ANODE_CANDIDATE: stage.shown ?? stage.cwd }
  const { isolated } = stage
  if (!isolated) return { ...stage, cwd, env }
  return { ...stage, env, isolated: { ...isolated, cwd: join(isolatedRoot, 'tmp'), mask: [] } }
}

/** See `contest`. */
export type Contest = ReturnType<typeof contest>

/** `tree` is the candidate's; best is checked out in `slot`, the candidate in the next one. Everything throws Stopped when an execution fails. */
export function contest(job: Job, tree: string, trace: Trace, slot: number) {
  const { seat, segment, command, order, pending } = job
  const { desk } = seat
  const config = { ...segment.config, lock: segment.lock }
  const method = methodOf(config, command, order.timeoutMs)
  let best: Promise<Arena> | undefined
  let own: Promise<Arena> | undefined
  let warm: Promise<void> | undefined
  const base = () => {
    best ??= arenaOf(seat, config, segment.best?.tree as string, slot)
    return best
  }
  const cand = () => {
    own ??= arenaOf(seat, config, tree, slot + 1)
    return own
  }
  const both = async () => {
    const arms = { base: await base(), cand: await cand() }
    warm ??= warmUp(
      desk,
      [
        [arms.base, 'base'],
        [arms.cand, 'cand'],
      ],
      method,
      trace,
    )
    await warm
    return arms
  }
  return {
    base,
    async alone(count: number) {
      return samples(desk, await cand(), method, { arm: 'cand', phase: 'pairs', trace, count })
    },
    async pairs(phase: 'pairs' | 'confirmation', from: number, to: number) {
      const label = `run ${pending.run}/${phase}`
      return pairs(desk, await both(), method, { phase, from, to, seed: pending.seed, label, trace })
    },
    async checks() {
      const { value } = await used(await cand(), (stage) => check(job, stage, config.checks as string))
      return value
    },
    /** Only whether it passes comes back. */
    async holdout(): Promise<'ok' | 'failed'> {
      const arena = await cand()
      desk.tell({ kind: 'phase', phase: 'holdout', run: pending.run })
      const secret = await readHoldout(seat.dir, config.segment)
      if (secret === undefined)
        throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: 'the holdout is gone' })
      const task = { command: secret, timeoutMs: config.checksTimeoutMs }
      const { value } = await used(arena, (stage) => attempt(beside(stage, join(seat.dir, 'tmp')), task))
      return value.reason === undefined ? 'ok' : 'failed'
    },
  }
}
