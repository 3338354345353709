// Leases on tasks in the local database: who may work on a task and until when. All of it within a transaction.
import type { Connection } from '../connection.ts'
import type { Claimed, Fence, Job } from './journal.ts'
import { type Place, place } from './place.ts'

interface Lease {
  epoch: number
  owner: string | null
  until: number
  enqueued: number
  ended: number
}

function lease(db: Connection, { n }: Place, task: string): Lease {
  const find = () =>
    db.get<Lease>(
      'SELECT epoch, owner, until, enqueued, ended FROM study_lease WHERE study = ? AND task = ?',
      n,
      task,
    )
  const known = find()
  if (known) return known
  db.run('INSERT INTO study_lease (study, task) VALUES (?, ?)', n, task)
  return find() as Lease
}

/** Whether a claim is still the task's newest. An ended lease that nobody has taken since counts as held. */
export function holds(db: Connection, at: Place, { task, epoch, owner }: Fence): boolean {
  const now = lease(db, at, task)
  return now.epoch === epoch && now.owner === owner
}

export function enqueued(db: Connection, { study, task, epoch }: Job): void {
  const at = place(db, study)
  lease(db, at, task)
  db.run('UPDATE study_lease SET enqueued = max(enqueued, ?) WHERE study = ? AND task = ?', epoch, at.n, task)
}

export function claim(db: Connection, now: number, job: Job, owner: string, leaseMs: number): Claimed {
  const at = place(db, job.study)
  const { epoch, owner: holder, until, enqueued: newest, ended } = lease(db, at, job.task)
  if (ended) return { state: 'ended' }
  if (job.epoch < newest) return { state: 'stale' }
  if (holder !== null && until > now) return { state: 'busy', untilMs: until }
  free(db, at, job.task)
  db.run(
    'UPDATE study_lease SET epoch = ?, owner = ?, until = ? WHERE study = ? AND task = ?',
    epoch + 1,
    owner,
    now + leaseMs,
    at.n,
    job.task,
  )
  return { state: 'ok', epoch: epoch + 1 }
}

export function beat(db: Connection, now: number, study: string, fence: Fence, leaseMs: number): boolean {
  const at = place(db, study)
  const { changes } = db.run(
    'UPDATE study_lease SET until = ? WHERE study = ? AND task = ? AND epoch = ? AND owner = ?',
    now + leaseMs,
    at.n,
    fence.task,
    fence.epoch,
    fence.owner,
  )
  return changes > 0
}

export function release(db: Connection, study: string, task: string, owner: string, ended: boolean): void {
  const at = place(db, study)
  const { changes } = db.run(
    `UPDATE study_lease SET owner = NULL, until = 0, ended = max(ended, ?)
     WHERE study = ? AND task = ? AND owner = ?`,
    ended ? 1 : 0,
    at.n,
    task,
    owner,
  )
  if (changes > 0) free(db, at, task)
}

export function leases(
  db: Connection,
  now: number,
  study: string,
): { task: string; owner: string; epoch: number; untilMs: number }[] {
  return db.all(
    `SELECT task, owner, epoch, until AS untilMs FROM study_lease
     WHERE study = ? AND owner IS NOT NULL AND until > ? ORDER BY task`,
    place(db, study).n,
    now,
  )
}

/** Reservations end with the lease; their rows stay, because the reply may still come and has to be booked. */
function free(db: Connection, { n }: Place, task: string): void {
  db.run('UPDATE study_reservation SET live = 0 WHERE study = ? AND task = ?', n, task)
}
