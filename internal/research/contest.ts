// What measuring a candidate against best needs: checkouts, warm-ups, pairs, checks, holdout, each when first asked for.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Arena } from './arena.ts'
import { attempt } from './execute.ts'
import { pairs, Stopped, samples, type Trace, warmUp } from './measure.ts'
import { arenaOf } from './null-test.ts'
import { check } from './plain.ts'
import { holdoutFile } from './refs.ts'
import { methodOf } from './rules.ts'
import type { Job } from './run.ts'
import { broken } from './seal.ts'

/** Throws Stopped when what judges is not what was locked. */
export async function unbroken({ seat, segment, checkout }: Job): Promise<void> {
  const { workspace } = seat.desk.where
  for (const root of new Set([workspace, checkout?.path ?? workspace])) {
    const file = await broken(seat.dir, segment.lock, root)
    if (file !== undefined) throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: file })
  }
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
      const arena = await cand()
      const result = await check(job, arena.stage, config.checks as string)
      await arena.reset()
      return result
    },
    /** Only whether it passes comes back. */
    async holdout(): Promise<'ok' | 'failed'> {
      const arena = await cand()
      desk.tell({ kind: 'phase', phase: 'holdout', run: pending.run })
      const secret = await readFile(holdoutFile(seat.dir, config.segment), 'utf8')
      const env = { ...arena.stage.env, ANODE_CANDIDATE: arena.stage.cwd }
      const stage = { ...arena.stage, cwd: join(seat.dir, 'tmp'), env }
      const { reason } = await attempt(stage, { command: secret, timeoutMs: config.checksTimeoutMs })
      await arena.reset()
      return reason === undefined ? 'ok' : 'failed'
    },
  }
}
