// The place an operation works at: session lock held, ledger open, open runs known, crashes settled.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ownMark } from '../base/alive.ts'
import { explain } from '../base/errno.ts'
import { FailureError, UserError } from '../base/errors.ts'
import { rememberFilters } from '../process/filter-memory.ts'
import { type Book, openBook, write } from './book.ts'
import { removeCheckoutFolders } from './checkout-folders.ts'
import { bareEnvironment } from './execute.ts'
import type { Segment } from './fold.ts'
import type { Footprint } from './footprint.ts'
import { type Lease, take } from './hold.ts'
import { type Isolation, probeIsolation } from './isolation.ts'
import type { Entry } from './ledger.ts'
import type { ConfigLine, Line } from './line.ts'
import { type Pending, readPending, writePending } from './pending.ts'
import type { Phase, Tell } from './progress.ts'
import type { Ground, Resumed } from './session.ts'
import type { Shelf } from './tree.ts'
import { type Checkout, findSession, locate, type Where } from './where.ts'

export interface Desk {
  readonly ground: Ground
  readonly where: Where
  readonly tell: Tell
  /** Settles what a crash left; runs once for every time the lock is taken. */
  readonly settle: (seat: Seat) => Promise<Resumed>
  readonly seats: Map<string, Shared>
  /** Worktrees that have been looked up, by path. */
  readonly checkouts: Map<string, Checkout>
  /** Trees of worktrees, by path, with what the files looked like just before they were taken. */
  readonly seen: Map<string, { footprint: Footprint; tree: string }>
  /** Of the repository, see Shelf. */
  readonly known: NonNullable<Shelf['known']>
  /** What measured commands can be kept from on this machine; found out once. */
  isolation?: Promise<Isolation>
}

interface Shared {
  users: number
  opening: Promise<{ seat: Seat; lease: Lease }>
}

export interface Seat {
  readonly desk: Desk
  /** Folder of the session. */
  readonly dir: string
  readonly book: Book
  pending: Pending[]
  /** Absent outside of git. */
  readonly shelf: Shelf | undefined
  /** Numbers of checkouts that runs of this process measure in right now. */
  readonly slots: Set<number>
  /** Folders of checkouts, by number. */
  readonly checkouts: Map<number, string>
  /** What measured commands can be kept from on this machine. */
  isolation(config: Pick<ConfigLine, 'isolate' | 'env'>): Promise<Isolation>
  /** How often this process has written to the ledger or the open runs. */
  writes: number
  /** What taking the lock has found and settled. */
  recovered: Resumed
  /** Ledger and open runs change one after the other, also when several runs are open. */
  turn: Promise<unknown>
}

export async function openDesk(ground: Ground, settle: Desk['settle']): Promise<Desk> {
  const where = await locate(ground)
  return {
    ground,
    where,
    tell: ground.tell ?? (() => undefined),
    settle,
    seats: new Map(),
    checkouts: new Map(),
    seen: new Map(),
    known: { filters: rememberFilters(), settings: new Map() },
  }
}

/** Longest wait for another shell on the same session. */
const waitMs = 5000

/** Runs `work` on the session in `dir`, alone among processes. Throws FailureError `busy`. */
export async function sit<T>(desk: Desk, dir: string, work: (seat: Seat) => Promise<T>): Promise<T> {
  let shared = desk.seats.get(dir)
  if (!shared) {
    shared = { users: 0, opening: open(desk, dir) }
    desk.seats.set(dir, shared)
  }
  shared.users++
  try {
    return await work((await shared.opening).seat)
  } catch (error) {
    const { dest, path } = error as { dest?: string; path?: string }
    throw explain(error, dest ?? path ?? dir)
  } finally {
    shared.users--
    if (shared.users === 0) {
      desk.seats.delete(dir)
      const opened = await shared.opening.catch(() => undefined)
      if (opened) {
        await removeCheckoutFolders(dir)
        await opened.lease.release()
      }
    }
  }
}

async function open(desk: Desk, dir: string): Promise<{ seat: Seat; lease: Lease }> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const { signal, run, trusted = false } = desk.ground
  const lease = await take(join(dir, 'session.lock'), { ms: waitMs, signal })
  try {
    await removeCheckoutFolders(dir)
    const { book, torn } = await openBook(dir, desk.where.workspace)
    const { repository } = desk.where
    const shelf = repository && {
      run,
      top: repository.top,
      commonDir: repository.commonDir,
      scratch: join(dir, 'tmp'),
      trusted,
      known: desk.known,
    }
    const recovered: Resumed = { recovered: torn ? 'torn' : 'nothing', worktree_clean: true, notes: [] }
    const seat: Seat = {
      desk,
      dir,
      book,
      pending: await readPending(dir),
      shelf,
      slots: new Set(),
      checkouts: new Map(),
      isolation: isolationOf(desk, dir),
      writes: 0,
      recovered,
      turn: Promise.resolve(),
    }
    const settled = await desk.settle(seat)
    seat.recovered =
      settled.recovered === 'nothing' ? { ...settled, recovered: recovered.recovered } : settled
    return { seat, lease }
  } catch (error) {
    await lease.release()
    throw error
  }
}

/** Asks the machine when it is first wanted. */
function isolationOf(desk: Desk, dir: string): Seat['isolation'] {
  return async ({ isolate = 'auto', env }) => {
    if (isolate === 'off') return { kind: 'none', cpus: '', why: 'switched off with --isolate off' }
    const { run, signal, env: all } = desk.ground
    desk.isolation ??= probeIsolation({
      run,
      signal,
      env: bareEnvironment(all, env),
      scratch: join(dir, 'tmp'),
    }).catch((error: unknown) => {
      delete desk.isolation
      throw error
    })
    const isolation = await desk.isolation
    if (isolation.kind === 'none' && isolate === 'require')
      throw new UserError(`executions cannot be isolated here: ${isolation.why}`, {
        hint: 'Measure on a machine that allows it, or start anew without --isolate require.',
      })
    return isolation
  }
}

/** Runs `work` on the session asked for or the active one. Throws FailureError `no_session`. */
export async function sitHere<T>(desk: Desk, work: (seat: Seat, segment: Segment) => Promise<T>): Promise<T> {
  const dir = await findSession(desk.where, desk.ground.session)
  if (dir === undefined) throw noSession()
  return sit(desk, dir, (seat) => {
    const segment = seat.book.folded.active
    if (!segment) throw noSession()
    return work(seat, segment)
  })
}

export const noSession = () =>
  new FailureError({
    code: 'no_session',
    message: 'there is no experiment session here',
    hint: 'Start one with init_experiment or `anode research init`.',
  })

/** Does one change of ledger or open runs after the one before. */
export async function inTurn<T>(seat: Seat, work: () => Promise<T>): Promise<T> {
  const mine = seat.turn.then(work, work)
  seat.turn = mine.catch(() => undefined)
  return mine
}

export function record(seat: Seat, line: Line): Promise<Entry> {
  return inTurn(seat, () => {
    seat.writes++
    return write(seat.book, line)
  })
}

/** Puts an open run in place of the one with the same number; durable when it resolves. */
export function update(seat: Seat, pending: Pending): Promise<void> {
  return inTurn(seat, async () => {
    const runs = [...seat.pending.filter(({ run }) => run !== pending.run), pending]
    seat.writes++
    await writePending(seat.dir, runs)
    seat.pending = runs
  })
}

export function close(seat: Seat, run: number): Promise<void> {
  return inTurn(seat, async () => {
    const runs = seat.pending.filter((pending) => pending.run !== run)
    seat.writes++
    await writePending(seat.dir, runs)
    seat.pending = runs
  })
}

/** Number that the next run gets, open ones counted. */
export function nextRun(seat: Seat): number {
  return Math.max(seat.book.folded.nextRun, ...seat.pending.map(({ run }) => run + 1))
}

/** Holds the machine's one timing lock while `work` measures. */
export async function timed<T>(desk: Desk, phase: Phase, work: () => Promise<T>): Promise<T> {
  const { tell, ground, where } = desk
  const lease = await take(where.timing, {
    signal: ground.signal,
    waiting: (pid) => tell({ kind: 'waiting', pid }),
  })
  tell({ kind: 'phase', phase })
  try {
    return await work()
  } finally {
    await lease.release()
  }
}

export const mark = () => ({ pid: process.pid, mark: ownMark() })
