// Starts a run: which command, which checkout, what stands in the way; the gate does the rest.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { FailureError } from '../base/errors.ts'
import { now } from './book.ts'
import { adopt, candidateIn, type Looked, workspaceOf } from './candidate.ts'
import { close, type Desk, inTurn, mark, nextRun, record, type Seat, sitHere, update } from './desk.ts'
import type { Executed } from './execute.ts'
import type { Segment } from './fold.ts'
import { fire } from './hooks.ts'
import { sealFor } from './init.ts'
import { type Pending, writePending } from './pending.ts'
import type { Ran, RunOrder } from './session.ts'
import { interrupted } from './settle.ts'
import type { Checkout } from './where.ts'
import { worktreeAt } from './worktree.ts'

/** Everything a gate works with. */
export interface Job {
  seat: Seat
  segment: Segment
  order: RunOrder
  command: string
  override: boolean
  /** Absent outside of git. */
  checkout: Checkout | undefined
  looked: Looked | undefined
  pending: Pending
}

/** Throws FailureError `run_pending`, `max_runs_reached`, `no_command`, `needs_git`, `not_found`. */
export function run(desk: Desk, order: RunOrder = {}): Promise<Ran> {
  return sitHere(desk, async (seat, segment) => {
    free(seat, segment, order)
    const command = await commandFor(seat, segment, order)
    const checkout =
      order.candidate === undefined ? workspaceOf(seat) : await worktreeAt(seat, order.candidate)
    const told = await fire(seat, 'before', { ANODE_EXPERIMENT: String(nextRun(seat)) })
    if (checkout?.where === 'workspace') await adopt(seat, segment)
    const current = active(seat)
    const paired = current.config.gate.kind === 'paired'
    desk.tell({ kind: 'phase', phase: 'snapshot' })
    const best = current.best?.tree
    // before anything is on record: a run that was cut off can then always be put back
    const looked =
      checkout && best !== undefined ? await candidateIn(seat, current, checkout, best) : undefined
    const begun = { seat, segment: current, order, ...command, checkout, looked }
    const pending = await claim(begun)
    const job: Job = { ...begun, pending }
    try {
      const ran = paired
        ? await (await import('./paired.ts')).runPaired(job)
        : await (await import('./plain.ts')).runPlain(job)
      if (ran.reason === 'interrupted')
        throw new FailureError({ code: 'interrupted', message: 'interrupted' })
      desk.tell({ kind: 'verdict', run: ran.run, status: ran.status, reason: ran.reason })
      return { ...ran, notes: [...ran.notes, ...told] }
    } catch (error) {
      await giveUp(seat, pending.run, desk.ground.signal.aborted)
      throw error
    }
  })
}

export const active = (seat: Seat): Segment => seat.book.folded.active as Segment

/** An interrupted run is settled at once; what failed for another reason leaves no open run behind. */
async function giveUp(seat: Seat, run: number, aborted: boolean): Promise<void> {
  const open = seat.pending.find((pending) => pending.run === run)
  if (open?.state !== 'running') return
  if (aborted) await interrupted(seat, open)
  else await close(seat, run)
}

function free(seat: Seat, segment: Segment, order: RunOrder): void {
  if (segment.stopped) {
    throw new FailureError({
      code: 'max_runs_reached',
      message: `all ${segment.config.maxRuns} runs of ${segment.config.name} are logged`,
      hint: 'Measure the result with `anode research final`, or start a new segment with `anode research init --reset`.',
    })
  }
  const inTheWay = seat.pending.filter(
    ({ candidate, stale }) => stale === undefined && (!order.parallel || candidate === order.candidate),
  )
  const [open] = inTheWay
  if (!open) return
  const value =
    open.ran?.metric === undefined ? open.ran?.reason : `${open.ran.metricName} ${open.ran.metric}`
  throw new FailureError({
    code: 'run_pending',
    message: `run ${open.run} is measured (${value ?? open.state}) and not logged`,
    hint: 'Log it first with log_experiment or `anode research log`.',
    detail: { run: open.run, status: open.ran?.status, metric: open.ran?.metric },
  })
}

async function commandFor(
  seat: Seat,
  segment: Segment,
  order: RunOrder,
): Promise<{ command: string; override: boolean }> {
  const given = order.command?.trim() ? order.command : undefined
  if (segment.command !== undefined)
    return { command: given ?? segment.command, override: given !== undefined && given !== segment.command }
  if (given === undefined) {
    throw new FailureError({
      code: 'no_command',
      message: 'no benchmark command is configured',
      hint: 'Give `command`; it becomes the configured one.',
    })
  }
  const { config } = segment
  const lock = await sealFor(seat, config, given)
  await record(seat, { type: 'command', segment: config.segment, command: given, lock, timestamp: now() })
  return { command: given, override: false }
}

/** Takes a number and notes that the run has begun, before anything is executed. */
function claim({
  seat,
  segment,
  order,
  command,
  override,
  checkout,
  looked,
}: Omit<Job, 'pending'>): Promise<Pending> {
  return inTurn(seat, async () => {
    const rest = seat.pending.filter(
      ({ stale, candidate }) => stale === undefined || candidate !== order.candidate,
    )
    const reused = seat.pending.find((pending) => !rest.includes(pending))
    const { kind } = segment.config.gate
    const best = segment.best?.tree
    // the first run under the paired gate measures the baseline, whatever the checkout holds
    const tree = kind === 'paired' && !segment.baseline ? best : looked?.tree
    const pending: Pending = {
      run: reused?.run ?? nextRun(seat),
      segment: segment.config.segment,
      state: 'running',
      ...mark(),
      started: now(),
      gate: kind,
      where: checkout?.where ?? 'workspace',
      ...(order.candidate !== undefined && { candidate: order.candidate }),
      command,
      override,
      lock: segment.lock,
      ...(best !== undefined && { parent: best }),
      ...(tree !== undefined && { tree }),
      ...(looked && { after: looked.snapshot, head: looked.head }),
      ...(order.description !== undefined && { description: order.description }),
      seed: order.seed ?? segment.config.seed,
    }
    seat.writes++
    await writePending(seat.dir, [...rest, pending])
    seat.pending = [...rest, pending]
    return pending
  })
}

export const runFolder = (dir: string, run: number): string => join(dir, 'runs', String(run))

/** Keeps what the last execution printed and what it saw. */
export async function keepOutput(
  seat: Seat,
  run: number,
  executed: Executed | undefined,
  env: object,
): Promise<void> {
  const folder = runFolder(seat.dir, run)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(join(folder, 'stdout'), executed?.outcome.stdout.text ?? '', { mode: 0o600 })
  await writeFile(join(folder, 'stderr'), executed?.outcome.stderr.text ?? '', { mode: 0o600 })
  await writeFile(join(folder, 'env.json'), `${JSON.stringify(env)}\n`, { mode: 0o600 })
}

/** Notes that a run is measured and waits to be logged. */
export function measured(seat: Seat, pending: Pending, ran: Ran, rest: Partial<Pending>): Promise<void> {
  return update(seat, { ...pending, ...rest, state: 'measured', ran })
}
