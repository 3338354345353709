// Leases on tasks in the local database, and their heartbeats. A lease says who may work on a task
// and until when. Functions that write, except those of heartbeats, have to run in a transaction, and
// so does `isFenceCurrent`.
import type { DatabaseConnection } from '../connection.ts'
import type { ClaimResult, Fence, Journal, StudyJob } from './journal.ts'
import { makeUnknownStudyError } from './journal-errors.ts'

interface LeaseRow {
  epoch: number
  owner: string | null
  until: number
  enqueued: number
  ended: number
}

function readLease(db: DatabaseConnection, { n }: StudyRow, task: string): LeaseRow {
  const find = () =>
    db.get<LeaseRow>(
      'SELECT epoch, owner, until, enqueued, ended FROM study_lease WHERE study = ? AND task = ?',
      n,
      task,
    )
  const leaseRow = find()
  if (leaseRow) return leaseRow
  db.run('INSERT INTO study_lease (study, task) VALUES (?, ?)', n, task)
  return find() as LeaseRow
}

/**
 * Returns true if a claim is the latest one on the task and was not released, even if its lease has expired.
 */
export function isFenceCurrent(
  db: DatabaseConnection,
  row: StudyRow,
  { task, epoch, owner }: Fence,
): boolean {
  const now = readLease(db, row, task)
  return now.epoch === epoch && now.owner === owner
}

export function recordEnqueued(db: DatabaseConnection, { study, task, epoch }: StudyJob): void {
  const row = readStudyRow(db, study)
  readLease(db, row, task)
  db.run(
    'UPDATE study_lease SET enqueued = max(enqueued, ?) WHERE study = ? AND task = ?',
    epoch,
    row.n,
    task,
  )
}

export function claimLease(
  db: DatabaseConnection,
  now: number,
  job: StudyJob,
  owner: string,
  leaseMs: number,
): ClaimResult {
  const row = readStudyRow(db, job.study)
  const { epoch, owner: holder, until, enqueued: newest, ended: hasEnded } = readLease(db, row, job.task)
  if (hasEnded) return { state: 'ended' }
  if (job.epoch < newest) return { state: 'stale' }
  if (holder !== null && until > now) return { state: 'busy', untilMs: until }
  freeReservations(db, row, job.task)
  db.run(
    'UPDATE study_lease SET epoch = ?, owner = ?, until = ? WHERE study = ? AND task = ?',
    epoch + 1,
    owner,
    now + leaseMs,
    row.n,
    job.task,
  )
  return { state: 'ok', epoch: epoch + 1 }
}

function recordHeartbeat(
  db: DatabaseConnection,
  now: number,
  study: string,
  fence: Fence,
  leaseMs: number,
): boolean {
  const row = readStudyRow(db, study)
  const { changes } = db.run(
    'UPDATE study_lease SET until = ? WHERE study = ? AND task = ? AND epoch = ? AND owner = ?',
    now + leaseMs,
    row.n,
    fence.task,
    fence.epoch,
    fence.owner,
  )
  return changes > 0
}

export function releaseLease(
  db: DatabaseConnection,
  study: string,
  task: string,
  owner: string,
  hasEnded: boolean,
): void {
  const row = readStudyRow(db, study)
  const { changes } = db.run(
    `UPDATE study_lease SET owner = NULL, until = 0, ended = max(ended, ?)
     WHERE study = ? AND task = ? AND owner = ?`,
    hasEnded ? 1 : 0,
    row.n,
    task,
    owner,
  )
  if (changes > 0) freeReservations(db, row, task)
}

export function listLeases(
  db: DatabaseConnection,
  now: number,
  study: string,
): { task: string; owner: string; epoch: number; untilMs: number }[] {
  return db.all(
    `SELECT task, owner, epoch, until AS untilMs FROM study_lease
     WHERE study = ? AND owner IS NOT NULL AND until > ? ORDER BY task`,
    readStudyRow(db, study).n,
    now,
  )
}

/**
 * Ends the reservations of a lease. Their rows stay, because a response may still arrive and then has
 * to be counted.
 */
function freeReservations(db: DatabaseConnection, { n }: StudyRow, task: string): void {
  db.run('UPDATE study_reservation SET live = 0 WHERE study = ? AND task = ?', n, task)
}

export interface StudyRow {
  n: number
  last: number
  tokens: number | null
  usd: number | null
}

/** Returns the row of a study. Throws FailureError `not_found` for an unknown study. */
export function readStudyRow(db: DatabaseConnection, study: string): StudyRow {
  const row = db.get<StudyRow>('SELECT n, last, tokens, usd FROM study WHERE id = ?', study)
  if (row) return row
  throw makeUnknownStudyError(study)
}

interface GroupedHeartbeats {
  heartbeat: Journal['heartbeat']
  /** Writes the waiting heartbeats now. */
  flush(): void
}

interface WaitingHeartbeat {
  study: string
  fence: Fence
  leaseMs: number
  resolve(isHeld: boolean): void
  reject(error: unknown): void
}

/** Writes the heartbeats that are sent in the same turn of the event loop in one transaction. */
export function groupHeartbeats(db: DatabaseConnection, now: () => number): GroupedHeartbeats {
  let waiting: WaitingHeartbeat[] = []
  const flush = () => {
    const group = waiting
    waiting = []
    if (group.length === 0) return
    try {
      const settle = db.write(() => group.map((one) => storeHeartbeat(db, now(), one)))
      for (const done of settle) done()
    } catch (error) {
      for (const { reject } of group) reject(error)
    }
  }
  return {
    flush,
    heartbeat: (study, fence, leaseMs) =>
      new Promise((resolve, reject) => {
        if (waiting.length === 0) setImmediate(flush)
        waiting.push({ study, fence, leaseMs, resolve, reject })
      }),
  }
}

/** Records one heartbeat. Returns the function that settles it once the transaction is stored. */
function storeHeartbeat(
  db: DatabaseConnection,
  nowMs: number,
  { study, fence, leaseMs, resolve, reject }: WaitingHeartbeat,
): () => void {
  try {
    const isHeld = recordHeartbeat(db, nowMs, study, fence, leaseMs)
    return () => resolve(isHeld)
  } catch (error) {
    // The heartbeat for an unknown study has written nothing, and those for other studies are valid.
    return () => reject(error)
  }
}
