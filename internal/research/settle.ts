// Settles open runs: logs them, puts files back, and after a crash goes on from the step it had reached.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isAlive, ownMark } from '../base/alive.ts'
import { writeAtomic } from '../base/atomic.ts'
import { FailureError } from '../base/errors.ts'
import { now } from './book.ts'
import { workspaceOf } from './candidate.ts'
import { close, record, type Seat, update } from './desk.ts'
import { lineFor } from './draft.ts'
import type { RunLine } from './line.ts'
import type { Pending } from './pending.ts'
import { holdTree, refs } from './refs.ts'
import { within } from './scope.ts'
import type { Resumed } from './session.ts'
import { ask, compare, type Difference, patch, type Shelf } from './tree.ts'
import type { Checkout } from './where.ts'

/** What taking the session's lock does first. Throws FailureError `busy` when an open run's process is at work. */
export async function settle(seat: Seat): Promise<Resumed> {
  const resumed: Resumed = { recovered: 'nothing', worktree_clean: true, notes: [] }
  for (const pending of [...seat.pending]) {
    const done = await settleOne(seat, pending)
    if (done.recovered === 'nothing') continue
    resumed.recovered = done.recovered
    resumed.run = pending.run
    resumed.notes.push(...done.notes)
    resumed.worktree_clean &&= done.clean
    seat.desk.tell({ kind: 'warning', code: 'recovered', text: `run ${pending.run}: ${done.recovered}` })
  }
  return resumed
}

interface Settled {
  recovered: Resumed['recovered']
  notes: string[]
  clean: boolean
}

const quiet: Settled = { recovered: 'nothing', notes: [], clean: true }

async function settleOne(seat: Seat, pending: Pending): Promise<Settled> {
  const logged = isLogged(seat, pending.run)
  if (logged || pending.state === 'logged') {
    const { kept } = pending.restore ? await restore(seat, pending) : nothing
    await close(seat, pending.run)
    return { recovered: 'restored', notes: kept.map(left), clean: kept.length === 0 }
  }
  if (pending.state === 'running') {
    const alive =
      pending.mark !== ownMark() && isAlive(pending.mark, Date.now() - Date.parse(pending.started))
    if (alive)
      throw new FailureError({
        code: 'busy',
        message: `busy, pid ${pending.pid}`,
        detail: { pid: pending.pid },
      })
    const kept = await interrupted(seat, pending)
    return { recovered: 'interrupted', notes: kept.map(left), clean: kept.length === 0 }
  }
  if (pending.state === 'committing' && pending.keep) {
    const { settleKeep } = await import('./keep.ts')
    const checkout = await checkoutOf(seat, pending)
    const outcome = checkout ? await settleKeep(seat, checkout, pending.keep) : 'undone'
    if (outcome === 'committed') {
      await record(seat, pending.keep.line)
      await close(seat, pending.run)
      return { recovered: 'committed', notes: [], clean: true }
    }
    const { keep: _, ...rest } = pending
    await update(seat, { ...rest, state: 'measured' })
    return { recovered: 'measured', notes: [`run ${pending.run} is to be logged again`], clean: true }
  }
  return quiet
}

const left = (path: string) => `${path} was changed meanwhile and left as it is`

const isLogged = (seat: Seat, run: number) =>
  seat.book.ledger.entries.some((entry) => entry.type === 'run' && entry.run === run)

/** Logs a run that was cut off as a crash and puts its candidate back; answers the paths that stay as they are. */
export async function interrupted(seat: Seat, pending: Pending): Promise<string[]> {
  const line: RunLine = { ...lineFor(seat, pending), status: 'crash', reason: 'interrupted' }
  return (await finish(seat, pending, line, true)).kept
}

/** A new segment begins: what is open is logged and stays where it is. */
export async function abandon(seat: Seat): Promise<void> {
  for (const pending of [...seat.pending])
    await finish(seat, pending, { ...lineFor(seat, pending), status: 'crash', reason: 'abandoned' }, false)
}

/**
 * Stores the patch, appends the line, and only then puts the candidate's paths back to best. Answers what was put
 * back and what was not.
 */
export async function finish(
  seat: Seat,
  pending: Pending,
  line: RunLine,
  restoring: boolean,
): Promise<PutBack> {
  await store(seat, pending)
  // on record before the line: once that is there, nothing but this says whether files are to be put back
  await update(seat, { ...pending, restore: restoring })
  await record(seat, { ...line, timestamp: now() })
  await update(seat, { ...pending, state: 'logged', restore: restoring })
  const done = restoring ? await restore(seat, pending) : nothing
  await close(seat, pending.run)
  return done
}

/** The candidate's patch among the run's data, and its tree behind a ref of ours. */
export async function store(seat: Seat, { run, tree, parent, head }: Pending): Promise<void> {
  const { shelf } = seat
  if (!shelf || tree === undefined || parent === undefined) return
  const folder = join(seat.dir, 'runs', String(run))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const keepPatch = async () => {
    const text = tree === parent ? '' : await patch(shelf, parent, tree)
    await writeAtomic(join(folder, 'patch.diff'), Buffer.from(text), { mode: 0o600 })
  }
  if (tree === parent) return keepPatch()
  const [commit] = await Promise.all([holdTree(shelf, tree, head, `experiment ${run}`), keepPatch()])
  await ask(shelf, ['update-ref', `${refs(seat.dir)}/${run}`, commit])
}

/** Where a pending run's candidate lives; undefined when that worktree is gone. */
export async function checkoutOf(seat: Seat, pending: Pending): Promise<Checkout | undefined> {
  if (pending.candidate === undefined) return workspaceOf(seat)
  const { worktreeAt } = await import('./worktree.ts')
  return worktreeAt(seat, pending.candidate).catch((error: unknown) => {
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  })
}

/** What became of the paths in which a candidate differs from best. */
export interface PutBack {
  restored: string[]
  /** Changed by somebody else since they were measured. */
  kept: string[]
  /** Never the candidate's: outside of the scope, or as a commit of the person has them. */
  leftAlone: string[]
}

const nothing: PutBack = { restored: [], kept: [], leftAlone: [] }

async function restore(seat: Seat, pending: Pending): Promise<PutBack> {
  const { parent, tree } = pending
  const checkout = await checkoutOf(seat, pending)
  if (!checkout || parent === undefined || tree === undefined) return nothing
  const { putBack } = await import('./restore.ts')
  const all = await compare(seat.shelf as Shelf, parent, tree)
  const changes = await mine(seat, all)
  const own = new Set(
    await made(
      seat,
      pending,
      checkout,
      changes.map(({ path }) => path),
    ),
  )
  const due = changes.filter(({ path }) => own.has(path))
  const leftAlone = all.filter((change) => !due.includes(change)).map(({ path }) => path)
  return { ...(await putBack(seat, checkout, parent, due)), leftAlone }
}

/**
 * Paths that were changed in the checkout itself: one that is as the person's own commit has it only differs from a
 * best that was kept elsewhere, and putting it back would change it for the first time.
 */
export async function made(
  seat: Seat,
  { head, tree }: Pending,
  checkout: Checkout,
  paths: readonly string[],
): Promise<string[]> {
  if (checkout.where === 'worktree' || !head || tree === undefined || paths.length === 0) return [...paths]
  const changed = new Set((await compare(seat.shelf as Shelf, head, tree)).map(({ path }) => path))
  return paths.filter((path) => changed.has(path))
}

/** Changes inside of the scope, if there is one: what lies outside was never the candidate's to make or ours to take. */
export async function mine(seat: Seat, changes: readonly Difference[]): Promise<Difference[]> {
  const scope = seat.book.folded.active?.config.scope ?? []
  if (scope.length === 0) return [...changes]
  const prefix = seat.desk.where.repository?.prefix ?? ''
  const chosen: Difference[] = []
  for (const change of changes)
    if (change.path.startsWith(prefix) && (await within(scope, change.path.slice(prefix.length))))
      chosen.push(change)
  return chosen
}
