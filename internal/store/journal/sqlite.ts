// The journal in the local database: one file that all processes of this machine open.
import { setTimeout as sleep } from 'node:timers/promises'
import { FailureError } from '../../base/errors.ts'
import type { DatabaseConnection } from '../connection.ts'
import { createMail, localMailbox } from '../mail/mailbox.ts'
import { openDatabase, type StoreOptions } from '../sqlite.ts'
import { hashBlob } from './blob.ts'
import { readAccount, reserveAmount, setLimits, settleReservation } from './budget.ts'
import type { Journal, JournalLine } from './journal.ts'
import {
  claimLease,
  groupHeartbeats,
  listLeases,
  readStudyRow,
  recordEnqueued,
  releaseLease,
} from './lease-fencing.ts'
import { appendLines, insertStudy, mirrorLines, readLines, readLinesOfKinds } from './lines.ts'

export interface LocalJournal extends Journal {
  readonly studies: StudyIndex
  /** The builds, whose journals are stored in the same tables as those of studies. */
  readonly builds: StudyIndex
  /** The database connection, which the job queue of this machine uses too. */
  readonly db: DatabaseConnection
  /** Stores lines of a log from another journal. Returns the last `seq` that is stored here. */
  mirror(study: string, lines: readonly JournalLine[]): Promise<number>
}

/** Milliseconds between two checks for lines of other processes while a reader waits. */
const pollMs = 50

/** Opens `<dir>/anode.db`. The caller closes it. Throws as `openDatabase`. */
export async function openJournal(dir: string, options: StoreOptions = {}): Promise<LocalJournal> {
  return createJournal(await openDatabase(dir, options), options.now ?? Date.now)
}

function createJournal(db: DatabaseConnection, now: () => number): LocalJournal {
  const heartbeats = groupHeartbeats(db, now)
  return {
    db,
    studies: createStudyIndex(db, "<> 'build'"),
    builds: createStudyIndex(db, "= 'build'"),
    mail: localMailbox(createMail(db, now)),
    create: async (study, first, limits) =>
      db.write(() => {
        if (!insertStudy(db, study, { ts: now(), data: first.data })) throw studyExistsError(study)
        appendLines(db, now(), study, [first])
        setLimits(db, study, limits)
      }),
    append: async (study, batch, fence, settled) =>
      db.write(() => {
        const done = appendLines(db, now(), study, batch, fence)
        if (done.state === 'ok' && settled) settleReservation(db, study, settled.reservation, settled.used)
        return done
      }),
    read: async (study, after, limit) => readLines(db, study, after, limit),
    wait: async (study, after, ms, signal) => {
      // Tests may set the clock of the journal, but the wait always uses the real time.
      for (const end = Date.now() + ms; !signal.aborted; ) {
        if (readStudyRow(db, study).last > after || Date.now() >= end) return
        await sleepAtMost(Math.min(pollMs, end - Date.now()), signal)
      }
    },
    mirror: async (study, lines) => db.write(() => mirrorLines(db, study, lines)),

    enqueued: async (job) => db.write(() => recordEnqueued(db, job)),
    claim: async (job, owner, leaseMs) => db.write(() => claimLease(db, now(), job, owner, leaseMs)),
    heartbeat: heartbeats.heartbeat,
    release: async (study, task, owner, hasEnded) =>
      db.write(() => releaseLease(db, study, task, owner, hasEnded)),
    leases: async (study) => listLeases(db, now(), study),

    reserve: async (study, fence, amount, share, cap) =>
      db.write(() => reserveAmount(db, study, fence, amount, share, cap)),
    settle: async (study, reservation, usedAmount) =>
      db.write(() => settleReservation(db, study, reservation, usedAmount)),
    account: async (study, task) => readAccount(db, study, task),
    limit: async (study, limits) => db.write(() => setLimits(db, study, limits)),

    blob: async (study, bytes) => {
      const hash = hashBlob(bytes)
      const put = 'INSERT INTO study_blob (study, hash, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING'
      db.write(() => db.run(put, readStudyRow(db, study).n, hash, bytes))
      return hash
    },
    open: async (study, hash) => {
      const find = 'SELECT bytes FROM study_blob WHERE study = ? AND hash = ?'
      return db.get<{ bytes: Uint8Array }>(find, readStudyRow(db, study).n, hash)?.bytes
    },
    close: async () => {
      heartbeats.flush()
      db.close()
    },
  }
}

async function sleepAtMost(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(Math.max(1, ms), undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function studyExistsError(study: string): FailureError {
  return new FailureError({ code: 'bad_args', message: `a study ${study} exists already` })
}

interface KnownStudy {
  id: string
  /** Real path of the workspace in which the study was started; null if its first line contains none. */
  project: string | null
  created: number
  /** Number of lines of the study's log in this database. */
  lines: number
}

interface StudyIndex {
  /**
   * Returns at most `limit` studies, newest first; without `project`, those of all projects. Without `limit`,
   * or if it is 0, returns all.
   */
  list(query: { project?: string; limit?: number }): KnownStudy[]
  /**
   * Returns at most 20 studies of all projects whose id begins with `prefix`, newest first. `last` means only
   * the newest one of `project`.
   */
  find(prefix: string, project: string): KnownStudy[]
  /**
   * Returns only the lines of these kinds, in order. Reading is fast if `kinds` omits the kinds with long
   * texts of evidence.
   */
  lines(id: string, kinds: readonly string[]): JournalLine[]
  /** Returns the time of the newest line in ms since 1970; undefined for a study without lines. */
  updated(id: string): number | undefined
}

const columns = 'id, project, created, last AS lines'

/** Creates the list of studies, or of builds. `kind` is the SQL condition for the kind of the first line. */
function createStudyIndex(db: DatabaseConnection, kind: string): StudyIndex {
  const isWanted = `coalesce((SELECT kind FROM study_line WHERE study = n AND seq = 1), '') ${kind}`
  const list: StudyIndex['list'] = ({ project, limit }) =>
    db.all<KnownStudy>(
      `SELECT ${columns} FROM study WHERE (?1 IS NULL OR project = ?1) AND ${isWanted}
       ORDER BY created DESC, n DESC LIMIT ?2`,
      project ?? null,
      limit || -1,
    )
  return {
    list,
    find: (prefix, project) => {
      if (prefix === 'last') return list({ project, limit: 1 })
      const start = prefix.toUpperCase()
      return db.all<KnownStudy>(
        `SELECT ${columns} FROM study WHERE id >= ?1 AND id < ?1 || char(1114111) AND ${isWanted}
         ORDER BY created DESC, n DESC LIMIT 20`,
        start,
      )
    },
    lines: (id, kinds) => readLinesOfKinds(db, id, kinds),
    updated: (id) =>
      db.get<{ ts: number }>(
        `SELECT ts FROM study_line WHERE study = (SELECT n FROM study WHERE id = ?)
         ORDER BY seq DESC LIMIT 1`,
        id,
      )?.ts,
  }
}
