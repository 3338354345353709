// The ledger line of a measured run, before anybody has decided what to log it as.

import type { RunLine } from '../ledger/ledger-entry.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import type { PendingRun } from '../ledger/pending-runs.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'

/** `status` is the engine's own proposal. A run that was cut off has nothing measured to tell. */
export function draftRunLine(session: LockedSession, pending: PendingRun): RunLine {
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
    timestamp: currentTimestamp(),
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
    ...(guards.length > 0 && { guards, carry: carryOf(session, ran.guards) }),
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
function carryOf(
  session: LockedSession,
  guards: readonly { metric: string; ratio: number }[],
): Record<string, number> {
  const before = session.ledgerFile.folded.active?.best?.carry ?? {}
  const known = guards.filter(({ ratio }) => Number.isFinite(ratio))
  return { ...before, ...Object.fromEntries(known.map(({ metric, ratio }) => [metric, ratio])) }
}
