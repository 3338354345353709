// The plain gate: one execution in the workspace as it is, with advice instead of a verdict.
import { FailureError } from '../base/errors.ts'
import { type Looked, lookAt, outOfBounds } from './candidate.ts'
import { timed } from './desk.ts'
import { attempt, callerEnvironment, type Executed, measure, type Stage, tail } from './execute.ts'
import type { Segment } from './fold.ts'
import { host } from './host-check.ts'
import { advise } from './reference.ts'
import { type Job, keepOutput, measured } from './run.ts'
import { broken } from './seal.ts'
import type { Ran } from './session.ts'
import { compare, type Shelf } from './tree.ts'
import { lockNotes } from './verdict-notes.ts'

/** Leaves the run pending. */
export async function runPlain(job: Job): Promise<Ran> {
  const { seat, segment, order, command, checkout, looked } = job
  const { config } = segment
  const { desk } = seat
  const { workspace } = desk.where
  const notes = host(desk, config).map((text) => `host_changed: ${text}`)
  const root = checkout?.path ?? workspace
  let violated = await broken(seat.dir, segment.lock, root)
  const env = callerEnvironment(desk.ground.env, config.env)
  const stage: Stage = { run: desk.ground.run, cwd: root, env, signal: desk.ground.signal }
  const timeoutMs = order.timeoutMs ?? config.timeoutMs
  const method = { command, timeoutMs, primary: config.metricName, strict: config.strictMetrics }
  const executed = violated === undefined ? await timed(desk, 'run', () => measure(stage, method)) : undefined
  const checks =
    executed?.sample && config.checks !== undefined ? await check(job, stage, config.checks) : undefined
  violated ??= await broken(seat.dir, segment.lock, root)
  const after = checkout && looked ? await lookAt(seat, checkout) : undefined
  const produced = after && looked ? await compare(seat.shelf as Shelf, looked.snapshot, after) : []
  const outside = looked ? await outOfBounds(seat, segment, looked.changes) : []
  await keepOutput(seat, job.pending.run, executed, { names: Object.keys(env).sort() })
  if (executed?.reason === 'interrupted')
    throw new FailureError({ code: 'interrupted', message: 'interrupted' })
  const ran: Ran = {
    ...shape(job, looked),
    ...statusOf(segment, executed, checks, violated),
    metrics: executed?.sample?.metrics ?? {},
    ...(executed?.sample && { metric: executed.sample.value }),
    ...(checks && { checks: checks.result, checksOutput: checks.output }),
    lock: violated === undefined ? 'ok' : 'violated',
    isolation: 'not isolated: the plain gate runs in the workspace itself',
    produced: produced.map(({ path }) => path),
    outside,
    leaked: executed?.leaked ?? 0,
    output: executed ? tail(executed.outcome.combined.text, 10, 4096) : '',
    ms: executed?.ms ?? 0,
    notes: [
      ...notes,
      ...(violated === undefined ? [] : lockNotes(segment, violated)),
      ...remarks(segment, looked, executed, outside),
    ],
  }
  const advice = adviceOf(segment, ran)
  if (
    advice !== undefined &&
    ran.status !== 'baseline' &&
    ran.metric !== undefined &&
    ran.checks !== 'failed'
  ) {
    ran.advice = advice
    if (ran.status === 'discard' && advice === 'better') ran.status = 'keep'
  }
  await measured(seat, job.pending, ran, after === undefined ? {} : { after })
  return ran
}

/** The part of a result that does not depend on how it was measured. */
export function shape(job: Job, looked: Looked | undefined): Omit<Ran, 'status' | 'reason'> {
  const { segment, pending, command, override } = job
  const { config } = segment
  return {
    run: pending.run,
    segment: config.segment,
    gate: config.gate.kind,
    metricName: config.metricName,
    ...(config.metricUnit !== undefined && { unit: config.metricUnit }),
    direction: config.bestDirection,
    metrics: {},
    guards: [],
    lock: 'ok',
    ...(pending.candidate !== undefined && { candidate: pending.candidate }),
    changed: looked?.changes.map(({ path }) => path) ?? [],
    produced: [],
    outside: [],
    leaked: 0,
    output: '',
    command,
    override,
    ...(looked && { tree: looked.tree }),
    ms: 0,
    notes: [],
  }
}

export interface Checks {
  result: 'ok' | 'failed' | 'timeout'
  output: string
}

/** Runs the checks; what they print is for whoever has to mend what they found. */
export async function check(job: Job, stage: Stage, command: string): Promise<Checks> {
  const { desk } = job.seat
  desk.tell({ kind: 'phase', phase: 'checks', run: job.pending.run })
  const timeoutMs = job.order.checksTimeoutMs ?? job.segment.config.checksTimeoutMs
  const { reason, outcome } = await attempt(stage, { command, timeoutMs })
  const result = reason === undefined ? 'ok' : reason === 'timeout' ? 'timeout' : 'failed'
  desk.tell({ kind: 'checks', result })
  return { result, output: tail(outcome.combined.text, 80, 32_768) }
}

function statusOf(
  segment: Segment,
  executed: Executed | undefined,
  checks: Checks | undefined,
  violated: string | undefined,
): Pick<Ran, 'status' | 'reason' | 'detail'> {
  if (violated !== undefined) return { status: 'crash', reason: 'lock_violation', detail: violated }
  if (!executed?.sample) {
    const detail = executed?.detail
    return {
      status: 'crash',
      reason: executed?.reason ?? 'no_metric',
      ...(detail !== undefined && { detail }),
    }
  }
  if (checks && checks.result !== 'ok')
    return { status: 'checks_failed', reason: checks.result === 'timeout' ? 'timeout' : 'checks' }
  if (!segment.baseline) return { status: 'baseline', reason: 'baseline' }
  return { status: 'discard', reason: 'single_sample' }
}

function adviceOf(segment: Segment, { metric, override }: Ran): Ran['advice'] {
  const { baseline, best, runs, config } = segment
  if (!baseline || best?.value === undefined || metric === undefined || override) return undefined
  const again = runs.filter(
    ({ tree, status, overridden, metric: value }) =>
      status !== 'baseline' &&
      tree !== undefined &&
      tree === baseline.tree &&
      !overridden &&
      value !== undefined,
  )
  const values = [
    ...baseline.samples.map(({ value }) => value),
    ...again.map(({ metric: value }) => value as number),
  ]
  return advise(values, best.value, metric, config.bestDirection)
}

function remarks(
  segment: Segment,
  looked: Looked | undefined,
  executed: Executed | undefined,
  outside: readonly string[],
): string[] {
  const notes: string[] = []
  if (looked && looked.changes.length === 0 && segment.baseline) notes.push('no_change: the tree equals best')
  if (outside.length > 0) notes.push(`outside of the scope: ${outside.slice(0, 10).join(', ')}`)
  if (executed && executed.leaked > 0)
    notes.push(`leaked: ${executed.leaked} background processes were ended`)
  for (const line of executed?.refused.slice(0, 3) ?? []) notes.push(`not a metric: ${line}`)
  if (!looked) notes.push('no git: nothing is committed or put back')
  return notes
}
