// The paired gate: best and candidate in turn, looked at until the judge has a verdict.
import { baseline } from './baseline.ts'
import { type Looked, outOfBounds } from './candidate.ts'
import { contest, unbroken } from './contest.ts'
import { watchDrift } from './drift.ts'
import { tail } from './execute.ts'
import { machineryOf } from './git-state.ts'
import {
  differencesOf,
  type Evidence,
  next,
  type Pair,
  type Rules,
  type Sample,
  type Verdict,
} from './judge.ts'
import type { RunReason } from './line.ts'
import { type Failed, Stopped, type Trace } from './measure.ts'
import { type check, shape } from './plain.ts'
import { random } from './random.ts'
import { needsGit } from './refs.ts'
import { medians, rulesOf, samplesOf } from './rules.ts'
import { active, type Job, keepOutput, measured } from './run.ts'
import type { Ran } from './session.ts'
import { change, median, signFlip } from './stats.ts'
import { ask, type Shelf } from './tree.ts'

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
  const result = {
    ...ran,
    leaked: trace.leaked,
    ms: trace.ms,
    output: last ? tail(last.outcome.combined.text, 10, 4096) : '',
  }
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

function stopped(job: Job, looked: Looked, failed: Failed, trace: Trace): Ran {
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
  const { seat, segment, checkout, order, pending } = job
  const { config } = segment
  await unbroken(job)
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
  const machinery = repository && (await machineryOf(repository))
  const again = repeated(job, looked)
  if (again) return again
  const work = contest(job, looked.tree, trace, slot)
  const drift =
    out.length > 0 || looked.changes.length === 0 ? undefined : await watchDrift(job, work.base, trace)
  const current = active(seat)
  const rules = rulesOf(config, pending.seed)
  const bestRun = current.runs.find((line) => line.run === current.best?.run)
  const evidence: Evidence & { pairs: Pair[]; confirmation: Pair[]; alone: Sample[] } = {
    run: pending.run,
    unchanged: looked.changes.length === 0,
    baseline: current.baseline?.samples ?? [],
    best:
      bestRun?.status === 'keep'
        ? (bestRun.samples?.cand ?? []).map((value) => ({ value, metrics: bestRun.metrics }))
        : [],
    alone: [],
    pairs: [],
    confirmation: [],
    ...(current.best && { carry: current.best.carry }),
    outOfScope: out,
    accepted: { implausible: order.acceptImplausible ?? false },
  }
  const orders = { pairs: [] as string[], confirmation: [] as string[] }
  let checks: Awaited<ReturnType<typeof check>> | undefined
  let verdict: Verdict | undefined
  while (!verdict) {
    const step = next(rules, evidence)
    if ('status' in step) {
      if (checks || !isOpen(step) || config.checks === undefined) verdict = step
      else checks = await work.checks()
    } else if (!('count' in step)) {
      if (step.need === 'holdout') evidence.holdout = await work.holdout()
      else checks = await work.checks()
    } else if (step.need === 'alone') evidence.alone.push(...(await work.alone(step.count)))
    else {
      const kind = step.need
      const done = evidence[kind].length
      const more = await work.pairs(kind, done, done + step.count)
      evidence[kind].push(...more.pairs)
      orders[kind].push(...more.order)
      if (kind === 'pairs') tellLook(job, rules, evidence)
    }
    if (checks) evidence.checks = checks.result
    await unbroken(job)
  }
  const equal = verdict.reason === 'noise' || verdict.reason === 'below_min_effect'
  if (equal && (await isSmaller(job, looked))) verdict = { ...verdict, offer: 'simpler' }
  if (repository && machinery !== (await machineryOf(repository)))
    throw new Stopped({ arm: 'cand', reason: 'lock_violation', detail: '.git (configuration or hooks)' })
  const shown = evidence.pairs.length > 0 ? evidence.pairs.map(({ cand }) => cand) : evidence.alone
  const base =
    evidence.pairs.length > 0 ? evidence.pairs : evidence.alone.map((cand) => ({ base: cand, cand }))
  const values = samplesOf(base, orders.pairs)
  if (evidence.pairs.length === 0) values.base = []
  return {
    ...shape(job, looked),
    status: verdict.status,
    reason: job.override && verdict.status === 'keep' ? 'override' : (verdict.reason as RunReason),
    ...(job.override && verdict.status === 'keep' && { status: 'discard' }),
    ...(shown.length > 0 && { metric: median(shown.map(({ value }) => value)), samples: values }),
    metrics: medians(shown, median),
    ...(evidence.confirmation.length > 0 && {
      confirmation: samplesOf(evidence.confirmation, orders.confirmation),
    }),
    ...(verdict.effect && { effect: verdict.effect }),
    guards: verdict.guards,
    ...(verdict.offer && { offer: verdict.offer }),
    ...(verdict.detail !== undefined && { detail: verdict.detail }),
    ...(current.baseline && { noise: { floor_pct: current.baseline.floor_pct } }),
    ...(drift && { drift }),
    ...(checks && { checks: checks.result, checksOutput: checks.output }),
    ...(evidence.holdout && { holdout: evidence.holdout }),
    outside: out,
    ...(checkout?.path !== undefined && { candidate: pending.candidate as string }),
    notes: looked.changes.length === 0 ? ['no_change: the tree equals best'] : [],
  }
}

/** What breaks the checks is told so, whatever else stands against it; what is worse needs no further word. */
function isOpen({ status, reason }: Verdict): boolean {
  return status === 'discard' && reason !== 'worse' && reason !== 'no_change'
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

async function isSmaller({ seat, segment }: Job, { tree }: Looked): Promise<boolean> {
  const args = ['diff', '--numstat', '--no-renames', segment.best?.tree as string, tree]
  let balance = 0
  for (const row of (await ask(seat.shelf as Shelf, args)).split('\n')) {
    const [added, removed] = row.split('\t').map(Number)
    if (Number.isFinite(added) && Number.isFinite(removed)) balance += (added as number) - (removed as number)
  }
  return balance < 0
}

function tellLook(job: Job, rules: Rules, { pairs: taken }: { pairs: readonly Pair[] }): void {
  const { d, scale } = differencesOf(taken, rules.direction)
  const p = signFlip(d, random(rules.seed, `run ${job.pending.run}/look ${taken.length}/test`))
  const median_pct = change(median(d), scale, rules.direction)
  const after = rules.looks.find((n) => n > taken.length) ?? 0
  job.seat.desk.tell({ kind: 'look', pairs: taken.length, median_pct, p, next: after })
}
