// The paired gate: best and candidate in turn, looked at until the judge has a verdict.
import { baseline } from './baseline.ts'
import { type Looked, outOfBounds } from './candidate.ts'
import { contest, refuseOtherRules, unbroken } from './contest.ts'
import { watchDrift } from './drift.ts'
import { tail } from './execute.ts'
import { machineryOf } from './git-state.ts'
import { shape } from './plain.ts'
import { needsGit } from './refs.ts'
import { type Job, keepOutput, measured } from './run.ts'
import type { Ran } from './session.ts'
import { type FailedExecution, Stopped, type Trace } from './stopped.ts'
import type { Shelf } from './tree.ts'
import { report, trial } from './trial.ts'
import { implausibleNote, lockNotes } from './verdict-notes.ts'

/** Leaves the run pending. Throws FailureError `needs_git`. */
export async function runPaired(job: Job): Promise<Ran> {
  const { seat, segment, looked, pending } = job
  if (!looked) throw needsGit('the paired gate')
  const first = segment.baseline === undefined
  const trace: Trace = { leaked: 0, ms: 0 }
  const slot = borrow(seat.slots)
  const ran = await (first ? baseline(job, looked, trace) : candidate(job, looked, trace, slot))
    .catch((error: unknown) => {
      if (!(error instanceof Stopped)) throw error
      return stopped(job, looked, error.failed, trace)
    })
    .finally(() => seat.slots.delete(slot))
  const last = trace.last
  const { env } = seat.desk.ground
  await keepOutput(seat, pending.run, last, {
    names: ['PATH', ...segment.config.env].filter((name) => env[name]),
  })
  const result: Ran = {
    ...ran,
    leaked: trace.leaked,
    ms: trace.ms,
    output: last ? tail(last.outcome.combined.text, 10, 4096) : '',
  }
  const isolation = await seat.isolation(segment.config)
  result.isolation = isolation.kind === 'none' ? `not isolated: ${isolation.why}` : 'namespaces'
  if (result.reason === 'lock_violation' && result.detail !== undefined)
    result.notes = [...result.notes, ...lockNotes(segment, result.detail)]
  if (result.reason === 'implausible') result.notes = [...result.notes, implausibleNote(segment)]
  if (trace.leaked > 0)
    result.notes = [...result.notes, `leaked: ${trace.leaked} background processes were ended`]
  if (ran.reason !== 'interrupted') await measured(seat, pending, result, {})
  return result
}

/** The first of two neighbouring checkouts that nobody uses; 0 and 1 belong to what runs alone. */
function borrow(slots: Set<number>): number {
  let slot = 2
  while (slots.has(slot)) slot += 2
  slots.add(slot)
  return slot
}

function stopped(job: Job, looked: Looked, failed: FailedExecution, trace: Trace): Ran {
  if (failed.executed) trace.last = failed.executed
  const detail = [failed.arm === 'base' && job.segment.baseline ? 'best' : '', failed.detail ?? ''].filter(
    Boolean,
  )
  return {
    ...shape(job, looked),
    status: 'crash',
    reason: failed.reason,
    lock: failed.reason === 'lock_violation' ? 'violated' : 'ok',
    ...(detail.length > 0 && { detail: detail.join(': ') }),
  }
}

async function candidate(job: Job, looked: Looked, trace: Trace, slot: number): Promise<Ran> {
  const { seat, segment, order } = job
  await unbroken(job)
  await refuseOtherRules(seat, segment.lock)
  if (order.conflict !== undefined)
    return {
      ...shape(job, looked),
      status: 'discard',
      reason: 'conflict',
      detail: order.conflict,
      changed: [],
    }
  const out = await outOfBounds(seat, segment, looked.changes)
  const { repository } = seat.desk.where
  const machinery = repository && (await machineryOf(seat.shelf as Shelf, repository))
  const again = repeated(job, looked)
  if (again) return again
  const work = contest(job, looked.tree, trace, slot)
  const drift =
    out.length > 0 || looked.changes.length === 0 ? undefined : await watchDrift(job, work.base, trace)
  const tried = await trial(job, looked, work, out)
  if (repository && machinery !== (await machineryOf(seat.shelf as Shelf, repository)))
    throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: '.git (configuration, hooks, refs)' })
  return { ...report(job, looked, tried), ...(drift && { drift }), outside: out }
}

/** A tree that was judged against this very best has had its chance: measuring until luck strikes is no measuring. */
function repeated(job: Job, looked: Looked): Ran | undefined {
  const { segment } = job
  const settled = ['worse', 'noise', 'below_min_effect', 'not_confirmed']
  const before = segment.runs.find(
    ({ tree, parent, reason, lock, command_override }) =>
      tree === looked.tree &&
      parent === segment.best?.tree &&
      lock === 'ok' &&
      command_override === undefined &&
      settled.includes(reason),
  )
  if (!before || looked.changes.length === 0) return undefined
  const { metric, samples: values, effect } = before
  return {
    ...shape(job, looked),
    status: 'discard',
    reason: before.reason,
    ...(metric !== undefined && { metric }),
    metrics: before.metrics,
    ...(values && { samples: values }),
    ...(effect && { effect }),
    detail: `the same tree as run ${before.run}, whose verdict stands`,
    notes: [`not measured: the same tree as run ${before.run}`],
  }
}
