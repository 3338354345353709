// Asks the judge what it needs to know of a candidate, measures that, and goes on until there is a verdict.
import type { Looked } from './candidate.ts'
import { type Contest, unbroken } from './contest.ts'
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
import { type Checks, shape } from './plain.ts'
import { random } from './random.ts'
import { medians, rulesOf, samplesOf } from './rules.ts'
import { active, type Job } from './run.ts'
import type { Ran } from './session.ts'
import { change, median, signFlip } from './stats.ts'
import { ask, type Shelf } from './tree.ts'

interface Gathered extends Evidence {
  pairs: Pair[]
  confirmation: Pair[]
  alone: Sample[]
}

export interface Tried {
  verdict: Verdict
  evidence: Gathered
  /** Which arm came first in each pair. */
  orders: { pairs: string[]; confirmation: string[] }
  checks: Checks | undefined
}

/** `out` are the changed paths that are out of bounds. Throws Stopped. */
export async function trial(job: Job, looked: Looked, work: Contest, out: string[]): Promise<Tried> {
  const { config } = job.segment
  const rules = rulesOf(config, job.pending.seed)
  const evidence = begin(job, looked, out)
  const orders: Tried['orders'] = { pairs: [], confirmation: [] }
  let checks: Checks | undefined
  for (;;) {
    const step = next(rules, evidence)
    if ('status' in step) {
      if (checks || !isOpen(step) || config.checks === undefined)
        return { verdict: await offered(job, looked, step), evidence, orders, checks }
      checks = await work.checks()
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
}

/** What is known before anything is measured. */
function begin(job: Job, looked: Looked, out: string[]): Gathered {
  const current = active(job.seat)
  const bestRun = current.runs.find((line) => line.run === current.best?.run)
  const values = bestRun?.status === 'keep' ? (bestRun.samples?.cand ?? []) : []
  return {
    run: job.pending.run,
    unchanged: looked.changes.length === 0,
    baseline: current.baseline?.samples ?? [],
    best: values.map((value) => ({ value, metrics: bestRun?.metrics ?? {} })),
    alone: [],
    pairs: [],
    confirmation: [],
    ...(current.best && { carry: current.best.carry }),
    outOfScope: out,
    accepted: { implausible: job.order.acceptImplausible ?? false },
  }
}

/** What breaks the checks is told so, whatever else stands against it; what is worse needs no further word. */
function isOpen({ status, reason }: Verdict): boolean {
  return status === 'discard' && reason !== 'worse' && reason !== 'no_change'
}

async function offered(job: Job, looked: Looked, verdict: Verdict): Promise<Verdict> {
  const equal = verdict.reason === 'noise' || verdict.reason === 'below_min_effect'
  return equal && (await isSmaller(job, looked)) ? { ...verdict, offer: 'simpler' } : verdict
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

/** The result of a trial as it is shown and kept. */
export function report(job: Job, looked: Looked, { verdict, evidence, orders, checks }: Tried): Ran {
  const { pairs, alone, confirmation, holdout } = evidence
  const shown = pairs.length > 0 ? pairs.map(({ cand }) => cand) : alone
  const samples =
    pairs.length > 0 ? samplesOf(pairs, orders.pairs) : { base: [], cand: alone.map(({ value }) => value) }
  const floor = active(job.seat).baseline?.floor_pct
  // what another command measured says nothing about the configured one
  const overridden = job.override && verdict.status === 'keep'
  return {
    ...shape(job, looked),
    status: overridden ? 'discard' : verdict.status,
    reason: overridden ? 'override' : (verdict.reason satisfies RunReason),
    ...(shown.length > 0 && { metric: median(shown.map(({ value }) => value)), samples }),
    metrics: medians(shown, median),
    ...(confirmation.length > 0 && { confirmation: samplesOf(confirmation, orders.confirmation) }),
    ...(verdict.effect && { effect: verdict.effect }),
    guards: verdict.guards,
    ...(verdict.offer && { offer: verdict.offer }),
    ...(verdict.suspect && { suspect: verdict.suspect }),
    ...(verdict.detail !== undefined && { detail: verdict.detail }),
    ...(floor !== undefined && { noise: { floor_pct: floor } }),
    ...(checks && { checks: checks.result, checksOutput: checks.output }),
    ...(holdout && { holdout }),
    notes: looked.changes.length === 0 ? ['no_change: the tree equals best'] : [],
  }
}
