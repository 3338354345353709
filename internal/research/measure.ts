// Takes samples: executions of one tree, or interleaved pairs of two, one at a time on the whole machine.
import type { Arena } from './arena.ts'
import { type Desk, timed } from './desk.ts'
import { measure } from './execute.ts'
import type { Pair, Sample } from './judge.ts'
import type { Arm, Phase } from './progress.ts'
import { orders } from './random.ts'
import { Stopped, type Trace } from './stopped.ts'

/** How to execute: the same for every sample of a run. */
export interface Method {
  command: string
  timeoutMs: number
  primary: string
  strict: boolean
}

const warmUps = 2

/** Executes once and takes back what it left. Throws Stopped. */
async function once(
  desk: Desk,
  arena: Arena,
  method: Method,
  at: { arm: Arm; phase: Phase; trace: Trace },
): Promise<Sample> {
  const { arm, phase, trace } = at
  const { value: executed, violated } = await arena.use(arm, (stage) => measure(stage, method))
  trace.leaked += executed.leaked
  trace.ms += executed.ms
  if (arm === 'cand' || trace.last === undefined) trace.last = executed
  const { sample, reason, detail, ms } = executed
  desk.tell({ kind: 'sample', phase, arm, ms, ...(sample && { value: sample.value }) })
  if (violated !== undefined) throw new Stopped({ arm, reason: 'lock_violation', detail: violated, executed })
  if (sample) return sample
  throw new Stopped({ arm, reason: reason ?? 'no_metric', ...(detail !== undefined && { detail }), executed })
}

/** Executions that are thrown away: caches of the system fill and clocks speed up. */
export async function warmUp(
  desk: Desk,
  arms: readonly [Arena, Arm][],
  method: Method,
  trace: Trace,
): Promise<void> {
  await timed(desk, 'warm-up', async () => {
    for (let i = 0; i < warmUps; i++)
      for (const [arena, arm] of arms) await once(desk, arena, method, { arm, phase: 'warm-up', trace })
  })
}

export async function samples(
  desk: Desk,
  arena: Arena,
  method: Method,
  at: { arm: Arm; phase: Phase; trace: Trace; count: number },
): Promise<Sample[]> {
  return timed(desk, at.phase, async () => {
    const taken: Sample[] = []
    for (let i = 0; i < at.count; i++) taken.push(await once(desk, arena, method, at))
    return taken
  })
}

export interface Series {
  phase: Phase
  /** How many exist already, and how many there shall be. */
  from: number
  to: number
  seed: number
  /** Part of the label of the stream that decides the order within each pair. */
  label: string
  trace: Trace
}

/** Pairs `from` to `to` of a series, each in its own random order, which is answered with them. */
export async function pairs(
  desk: Desk,
  arms: { base: Arena; cand: Arena },
  method: Method,
  series: Series,
): Promise<{ pairs: Pair[]; order: string[] }> {
  const { phase, from, to, trace } = series
  const order = orders(series.seed, series.label, to).slice(from)
  for (const arm of ['base', 'cand'] as const) {
    const detail = arms[arm].changedOrigin()
    if (detail !== undefined) throw new Stopped({ arm, reason: 'lock_violation', detail })
  }
  return timed(desk, phase, async () => {
    const taken: Pair[] = []
    for (const [i, first] of order.entries()) {
      const sides: readonly Arm[] = first === 'AB' ? ['base', 'cand'] : ['cand', 'base']
      const pair: Partial<Pair> = {}
      for (const arm of sides) pair[arm] = await once(desk, arms[arm], method, { arm, phase, trace })
      const { base, cand } = pair as Pair
      taken.push({ base, cand })
      desk.tell({ kind: 'pair', phase, n: from + i + 1, of: to, base: base.value, cand: cand.value })
    }
    return { pairs: taken, order }
  })
}
