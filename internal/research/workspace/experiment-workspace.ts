// Workspace of experiments. Its sessions are opened under their lock, with their ledger and open runs, and
// after the leftovers of a crash were settled.
import { join } from 'node:path'
import { FailureError, UserError } from '../../base/errors.ts'
import { explainErrno } from '../../base/files/errno.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { processIdentity } from '../../base/process-identity.ts'
import { rememberFilters } from '../../process/git/filter-memory.ts'
import type { GitRepository } from '../git/git-tree.ts'
import type { ExperimentRun } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { LedgerRecord } from '../ledger/ledger.ts'
import type { BenchmarkSettings, LedgerEntry } from '../ledger/ledger-entry.ts'
import { type LedgerFile, openLedgerFile, writeEntry } from '../ledger/ledger-file.ts'
import { readPendingRuns, writePendingRuns } from '../ledger/pending-runs.ts'
import { bareEnvironment } from '../measure/benchmark-execution.ts'
import { removeCheckoutFolders } from '../measure/checkout-folders.ts'
import { type IsolationSupport, probeIsolation } from '../measure/isolation/isolation.ts'
import type { MeasurementPhase, ProgressListener } from '../progress.ts'
import type { RecoveryResult, ResearchOptions } from '../session.ts'
import { acquireFileLock, type FileLock } from './file-lock.ts'
import type { FolderFootprint } from './folder-footprint.ts'
import {
  type CandidateCheckout,
  findSession,
  locateSession,
  type SessionLocation,
} from './session-location.ts'

export interface ExperimentWorkspace {
  readonly options: ResearchOptions
  readonly where: SessionLocation
  readonly tell: ProgressListener
  /** Settles what a crash has left. Called once each time the lock is taken. */
  readonly settle: (session: LockedSession) => Promise<RecoveryResult>
  readonly sessions: Map<string, SharedSession>
  /** Cached worktrees by path. */
  readonly checkouts: Map<string, CandidateCheckout>
  /**
   * Trees of worktrees by path, each with the metadata of the files just before the tree was made, so that
   * unchanged files are not read again.
   */
  readonly seen: Map<string, { footprint: FolderFootprint; tree: string }>
  /** Data about the repository that is cached; see GitRepository. */
  readonly known: NonNullable<GitRepository['known']>
  /** Isolation that this machine supports, detected once. */
  isolation?: Promise<IsolationSupport>
}

interface SharedSession {
  users: number
  opening: Promise<{ session: LockedSession; lock: FileLock }>
}

export interface LockedSession {
  readonly experiment: ExperimentWorkspace
  /** Directory of the session. */
  readonly dir: string
  readonly ledgerFile: LedgerFile
  pending: ExperimentRun[]
  /** Git repository of the workspace; undefined if the workspace is not in one. */
  readonly repo: GitRepository | undefined
  /** First numbers of the pairs of checkouts that measurements of this process use now. */
  readonly slots: Set<number>
  /** Directories of checkouts, by number. */
  readonly checkouts: Map<number, string>
  /** Lines about files that permission rules have hidden from measured commands so far. */
  readonly closed: Set<string>
  /** Returns the isolation of measured commands. Throws UserError if a required one is not possible here. */
  isolation(settings: Pick<BenchmarkSettings, 'isolate' | 'env'>): Promise<IsolationSupport>
  /** Number of starts and ends of this process's writes to the ledger and the open runs. */
  writes: number
  /** Result of the recovery that ran when the lock was taken. */
  recovered: RecoveryResult
  /**
   * Queue in which changes of the ledger and the open runs are made one after the other, because several runs
   * may be open.
   */
  writeQueue: Promise<unknown>
}

export async function openExperimentWorkspace(
  options: ResearchOptions,
  settle: ExperimentWorkspace['settle'],
): Promise<ExperimentWorkspace> {
  const where = await locateSession(options)
  return {
    options,
    where,
    tell: options.tell ?? (() => undefined),
    settle,
    sessions: new Map(),
    checkouts: new Map(),
    seen: new Map(),
    known: { filters: rememberFilters(), settings: new Map() },
  }
}

/** Longest wait in milliseconds for another process's lock; after that, the error is `busy`. */
const waitMs = 5000

/** Runs `work` on the session in `dir`. Throws `busy` if another process has its lock for 5 seconds. */
export async function withSession<T>(
  experiment: ExperimentWorkspace,
  dir: string,
  work: (session: LockedSession) => Promise<T>,
): Promise<T> {
  let shared = experiment.sessions.get(dir)
  if (!shared) {
    shared = { users: 0, opening: openSession(experiment, dir) }
    experiment.sessions.set(dir, shared)
  }
  shared.users++
  try {
    return await work((await shared.opening).session)
  } catch (error) {
    const { dest, path } = error as { dest?: string; path?: string }
    throw explainErrno(error, dest ?? path ?? dir)
  } finally {
    shared.users--
    if (shared.users === 0) {
      experiment.sessions.delete(dir)
      const opened = await shared.opening.catch(() => undefined)
      if (opened) {
        await removeCheckoutFolders(dir)
        await opened.lock.release()
      }
    }
  }
}

async function openSession(
  experiment: ExperimentWorkspace,
  dir: string,
): Promise<{ session: LockedSession; lock: FileLock }> {
  makeDirectory(dir, 0o700)
  const { signal, run, trusted = false } = experiment.options
  const lock = await acquireFileLock(join(dir, 'session.lock'), { ms: waitMs, signal })
  try {
    await removeCheckoutFolders(dir)
    const { ledgerFile, torn } = await openLedgerFile(dir, experiment.where.workspace)
    const { repository } = experiment.where
    const repo = repository && {
      run,
      top: repository.top,
      commonDir: repository.commonDir,
      scratch: join(dir, 'tmp'),
      trusted,
      known: experiment.known,
    }
    const recovered: RecoveryResult = {
      recovered: torn ? 'torn' : 'nothing',
      worktree_clean: true,
      notes: [],
    }
    const session: LockedSession = {
      experiment,
      dir,
      ledgerFile,
      pending: await readPendingRuns(dir),
      repo,
      slots: new Set(),
      checkouts: new Map(),
      closed: new Set(),
      isolation: isolationOf(experiment, dir),
      writes: 0,
      recovered,
      writeQueue: Promise.resolve(),
    }
    const settled = await experiment.settle(session)
    session.recovered =
      settled.recovered === 'nothing' ? { ...settled, recovered: recovered.recovered } : settled
    return { session, lock }
  } catch (error) {
    await lock.release()
    throw error
  }
}

/**
 * Returns a function that detects the isolation at its first call and then always returns that result. With
 * `isolate: off` it returns no isolation, and with `require` it throws UserError if none is possible.
 */
function isolationOf(experiment: ExperimentWorkspace, dir: string): LockedSession['isolation'] {
  return async ({ isolate = 'auto', env }) => {
    if (isolate === 'off') return { kind: 'none', cpus: '', why: 'switched off with --isolate off' }
    const { run, signal, env: all } = experiment.options
    experiment.isolation ??= probeIsolation({
      run,
      signal,
      env: bareEnvironment(all, env),
      scratch: join(dir, 'tmp'),
    }).catch((error: unknown) => {
      delete experiment.isolation
      throw error
    })
    const isolation = await experiment.isolation
    if (isolation.kind === 'none' && isolate === 'require')
      throw new UserError(`executions cannot be isolated here: ${isolation.why}`, {
        hint: 'Measure on a machine that allows it, or start anew without --isolate require.',
      })
    return isolation
  }
}

/** Runs `work` on the requested or active session. Throws `no_session` without it or without a segment. */
export async function withActiveSession<T>(
  experiment: ExperimentWorkspace,
  work: (session: LockedSession, segment: ExperimentSegment) => Promise<T>,
): Promise<T> {
  const dir = await findSession(experiment.where, experiment.options.session)
  if (dir === undefined) throw noSessionError()
  return withSession(experiment, dir, (session) => {
    const segment = session.ledgerFile.folded.active
    if (!segment) throw noSessionError()
    return work(session, segment)
  })
}

export const noSessionError = () =>
  new FailureError({
    code: 'no_session',
    message: 'this workspace has no experiment session',
    hint: 'Start one with init_experiment or `anode research init`.',
  })

/** Runs one change of the session's data after the previous change. */
export async function queueWrite<T>(session: LockedSession, work: () => Promise<T>): Promise<T> {
  const mine = session.writeQueue.then(work, work)
  session.writeQueue = mine.catch(() => undefined)
  return mine
}

/**
 * Makes a change of the ledger or the open runs. Its start and end are counted, so that it is not taken for a
 * write by another program.
 */
export function queueRecordWrite<T>(session: LockedSession, work: () => Promise<T>): Promise<T> {
  return queueWrite(session, async () => {
    session.writes++
    try {
      return await work()
    } finally {
      session.writes++
    }
  })
}

export function recordEntry(session: LockedSession, line: LedgerEntry): Promise<LedgerRecord> {
  return queueRecordWrite(session, () => writeEntry(session.ledgerFile, line))
}

/**
 * Replaces the stored open run that has the same number, or adds the run. The change is on disk when
 * the call resolves.
 */
export function updatePendingRun(session: LockedSession, pending: ExperimentRun): Promise<void> {
  return queueRecordWrite(session, async () => {
    const runs = [...session.pending.filter(({ run }) => run !== pending.run), pending]
    await writePendingRuns(session.dir, runs)
    session.pending = runs
  })
}

export function closePendingRun(session: LockedSession, run: number): Promise<void> {
  return queueRecordWrite(session, async () => {
    const runs = session.pending.filter((pending) => pending.run !== run)
    await writePendingRuns(session.dir, runs)
    session.pending = runs
  })
}

/** Returns the number of the next run, which is above those of all logged and open runs. */
export function nextRunNumber(session: LockedSession): number {
  return Math.max(session.ledgerFile.folded.nextRun, ...session.pending.map(({ run }) => run + 1))
}

/**
 * Runs `work` while this process has the lock for timing, which all workspaces with one data directory share,
 * so that no two measurements overlap.
 */
export async function withTimingLock<T>(
  experiment: ExperimentWorkspace,
  phase: MeasurementPhase,
  work: () => Promise<T>,
): Promise<T> {
  const { tell, options, where } = experiment
  const lock = await acquireFileLock(where.timing, {
    signal: options.signal,
    waiting: (pid) => tell({ kind: 'waiting', pid }),
  })
  tell({ kind: 'phase', phase })
  try {
    return await work()
  } finally {
    await lock.release()
  }
}

export const processMark = () => ({ pid: process.pid, mark: processIdentity() })
