// The ledger line of a measured run, before anybody has decided what to log it as.
import { now } from './book.ts'
import type { Seat } from './desk.ts'
import type { RunLine } from './line.ts'
import type { Pending } from './pending.ts'

/** `status` is the engine's own proposal. A run that was cut off has nothing measured to tell. */
export function lineFor(seat: Seat, pending: Pending): RunLine {
  const { ran, run, segment, where } = pending
  const base: RunLine = {
    type: 'run',
    run,
    segment,
    ...(pending.parent !== undefined && { parent: pending.parent }),
    ...(pending.tree !== undefined && { tree: pending.tree }),
    where,
    status: 'crash',
    reason: 'interrupted',
    evidence: 'none',
    metrics: {},
    lock: 'ok',
    ...(pending.description !== undefined && { description: pending.description }),
    seed: pending.seed,
    timestamp: now(),
  }
  if (!ran) return base
  const { metric, samples, effect, guards, noise, checks, holdout, detail, offer, drift } = ran
  return {
    ...base,
    status: ran.status,
    reason: ran.reason,
    evidence: metric === undefined ? 'none' : pending.gate === 'paired' ? 'paired' : 'single_sample',
    ...(metric !== undefined && { metric }),
    metrics: ran.metrics,
    ...(samples && { samples }),
    ...(ran.confirmation && { confirmation: ran.confirmation }),
    ...(effect && { effect }),
    ...(guards.length > 0 && { guards, carry: carryOf(seat, ran.guards) }),
    ...(noise && { noise }),
    ...(drift && { drift }),
    lock: ran.lock,
    ...(checks && { checks }),
    ...(holdout && { holdout }),
    ...(detail !== undefined && { detail }),
    ...(offer && { offer }),
    ...(ran.suspect && { suspect: ran.suspect }),
    ...(ran.isolation !== undefined && { isolation: ran.isolation }),
    ...(pending.override && pending.command !== undefined && { command_override: pending.command }),
    ...(ran.changed.length > 0 && { changed: ran.changed }),
    ...(ran.produced.length > 0 && { produced: ran.produced }),
    ...(ran.produced.length > 0 && pending.after !== undefined && { after: pending.after }),
    ...(ran.outside.length > 0 && { outside: ran.outside }),
    ...(ran.leaked > 0 && { leaked: ran.leaked }),
    ms: ran.ms,
  }
}

/** Ratios to the baseline that the next guards start from. */
function carryOf(seat: Seat, guards: readonly { metric: string; ratio: number }[]): Record<string, number> {
  const before = seat.book.folded.active?.best?.carry ?? {}
  const known = guards.filter(({ ratio }) => Number.isFinite(ratio))
  return { ...before, ...Object.fromEntries(known.map(({ metric, ratio }) => [metric, ratio])) }
}
