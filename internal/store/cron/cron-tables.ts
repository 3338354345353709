// The tables of scheduled jobs and their runs.
import { FailureError } from '../../base/errors.ts'
import { createId, createUlid } from '../../base/ids.ts'
import type { DatabaseConnection, SqlValue } from '../connection.ts'
import type { CronJob, CronRun, CronSlot, CronStore } from './cron-store.ts'

const maxJobs = 100
/**
 * Largest number of runs that are stored for each job. The oldest ones above it are deleted when a scheduled
 * run is recorded.
 */
const maxHistory = 500

type RowCells = Record<string, SqlValue>

export function createCronStore(db: DatabaseConnection, now: () => number): CronStore {
  const get = (id: string) => readJob(db.get<RowCells>('SELECT * FROM cron_job WHERE id = ?', id))
  return {
    add: (job) => addJob(db, job, now()),
    list: (workspace) =>
      (workspace === undefined
        ? db.all<RowCells>('SELECT * FROM cron_job ORDER BY workspace, name')
        : db.all<RowCells>('SELECT * FROM cron_job WHERE workspace = ? ORDER BY name', workspace)
      ).map(jobOf),
    get,
    find: (workspace, name) => findJob(db, workspace, name),
    remove: (id) => db.write(() => void db.run('DELETE FROM cron_job WHERE id = ?', id)),
    setNext: (id, next) => db.write(() => void db.run('UPDATE cron_job SET next = ? WHERE id = ?', next, id)),
    due: (at) => db.all<RowCells>('SELECT * FROM cron_job WHERE next <= ? ORDER BY next, id', at).map(jobOf),
    earliest: () => db.get<{ at: number | null }>('SELECT min(next) AS at FROM cron_job')?.at ?? undefined,
    take: (slot) => db.write(() => takeSlot(db, slot, now())),
    claim: (job, owner) =>
      db.write(() => insertRun(db, { job, slot: now(), late: false, missed: 0, owner }, 'claimed', now())),
    begin: (id, claim, owner) => {
      const sql = `UPDATE cron_run SET state = 'running', owner = ?, started = ?
                   WHERE id = ? AND claim = ? AND state = 'claimed'`
      const { changes } = db.write(() => db.run(sql, owner, now(), id, claim))
      return changes === 1 ? findRun(db, id) : undefined
    },
    end: (id, { state, thread, exit, note }) => {
      const sql = 'UPDATE cron_run SET state = ?, thread = ?, exit = ?, note = ?, ended = ? WHERE id = ?'
      db.write(() => void db.run(sql, state, thread, exit, note, now(), id))
    },
    recover: (owner, isAlive) => recoverRuns(db, owner, isAlive, now()),
    run: (id) => findRun(db, id),
    history: (job, limit) =>
      db
        .all<RowCells>('SELECT * FROM cron_run WHERE job = ? ORDER BY slot DESC, n DESC LIMIT ?', job, limit)
        .map(runOf),
  }
}

function addJob(db: DatabaseConnection, job: Parameters<CronStore['add']>[0], now: number): CronJob {
  const added: CronJob = { ...job, id: createId('cron'), created: now, enabled: job.next !== null }
  return db.write(() => {
    const names = db.all<{ name: string }>('SELECT name FROM cron_job WHERE workspace = ?', job.workspace)
    if (names.some(({ name }) => name === job.name)) {
      const hint = 'Give another name, or remove that job first.'
      throw new FailureError({ code: 'bad_args', message: `there is a job named ${job.name} already`, hint })
    }
    if (names.length >= maxJobs) {
      const message = `this workspace has ${maxJobs} jobs, which is the most`
      throw new FailureError({ code: 'limit_reached', message, hint: 'Remove one first.' })
    }
    db.run(
      `INSERT INTO cron_job (id, workspace, name, schedule, timezone, kind, prompt, flags, next, created)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[added.id, job.workspace, job.name, job.schedule, job.timezone, job.kind, job.prompt],
      ...[JSON.stringify(job.flags), job.next, now],
    )
    return added
  })
}

function findJob(db: DatabaseConnection, workspace: string, name: string): CronJob {
  const jobs = db
    .all<RowCells>('SELECT * FROM cron_job WHERE workspace = ? ORDER BY name', workspace)
    .map(jobOf)
  const exact = jobs.find((job) => job.name === name || job.id === name)
  if (exact) return exact
  const matches =
    name.length < 4 ? [] : jobs.filter(({ id }) => id.slice(5).startsWith(name.replace(/^cron_/, '')))
  if (matches.length === 1) return matches[0] as CronJob
  const jobNames = jobs.map((job) => job.name)
  const none = 'This workspace has no jobs; anode cron add creates one.'
  const hint = jobNames.length === 0 ? none : `Known: ${jobNames.join(', ')}.`
  throw new FailureError({
    code: 'not_found',
    message: `unknown job ${name}`,
    hint,
    detail: { known: jobNames },
  })
}

const isOpen = "state IN ('claimed', 'running')"

function takeSlot(db: DatabaseConnection, slot: CronSlot, now: number): CronRun | undefined {
  const job = db.get<{ next: number | null }>('SELECT next FROM cron_job WHERE id = ?', slot.job)
  if (!job || job.next !== slot.expected) return undefined
  const open = db.all<{ job: string }>(`SELECT job FROM cron_run WHERE ${isOpen}`)
  const isRunning = open.some((run) => run.job === slot.job)
  if (!isRunning && open.length >= slot.maxOpen) return undefined
  db.run('UPDATE cron_job SET next = ? WHERE id = ?', slot.next, slot.job)
  // After the clock was set back, a run for this scheduled time may already exist.
  if (db.get('SELECT 1 FROM cron_run WHERE job = ? AND slot = ?', slot.job, slot.slot)) return undefined
  const run = insertRun(db, slot, isRunning ? 'skipped' : 'claimed', now)
  const old = 'SELECT n FROM cron_run WHERE job = ? ORDER BY slot DESC, n DESC LIMIT -1 OFFSET ?'
  db.run(`DELETE FROM cron_run WHERE n IN (${old})`, slot.job, maxHistory)
  return run
}

function insertRun(
  db: DatabaseConnection,
  { job, slot, late, missed, owner }: Pick<CronSlot, 'job' | 'slot' | 'late' | 'missed' | 'owner'>,
  state: 'claimed' | 'skipped',
  now: number,
): CronRun {
  const id = createId('cronrun')
  const note = state === 'skipped' ? 'the run before it had not ended' : ''
  db.run(
    `INSERT INTO cron_run (id, job, slot, state, late, missed, owner, claim, created, ended, note)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, job, slot, state, late ? 1 : 0, missed, owner, createUlid(), now],
    ...[state === 'skipped' ? now : null, note],
  )
  return findRun(db, id) as CronRun
}

function recoverRuns(
  db: DatabaseConnection,
  owner: string,
  isAlive: (owner: string, ageMs: number) => boolean,
  now: number,
): CronRun[] {
  const open = () => db.all<RowCells>(`SELECT * FROM cron_run WHERE ${isOpen}`).map(runOf)
  const isDead = (run: CronRun) => !isAlive(run.owner, now - (run.started ?? run.created))
  // This is checked without taking the lock, because there is nearly always nothing to do.
  if (!open().some(isDead)) return []
  return db.write(() => {
    const reclaimed: CronRun[] = []
    for (const run of open().filter(isDead)) {
      if (run.state === 'running') {
        const sql = "UPDATE cron_run SET state = 'interrupted', ended = ?, note = ? WHERE id = ?"
        db.run(sql, now, 'its process ended without a result', run.id)
      } else {
        db.run('UPDATE cron_run SET owner = ?, claim = ? WHERE id = ?', owner, createUlid(), run.id)
        reclaimed.push(findRun(db, run.id) as CronRun)
      }
    }
    return reclaimed
  })
}

const readJob = (row: RowCells | undefined) => row && jobOf(row)

function jobOf({ n: _, flags, ...row }: RowCells): CronJob {
  return {
    ...(row as unknown as CronJob),
    flags: JSON.parse(String(flags)) as Record<string, string>,
    enabled: row.next !== null,
  }
}

function findRun(db: DatabaseConnection, id: string): CronRun | undefined {
  const row = db.get<RowCells>('SELECT * FROM cron_run WHERE id = ?', id)
  return row && runOf(row)
}

function runOf({ n: _, late, ...row }: RowCells): CronRun {
  return { ...(row as unknown as CronRun), late: late === 1 }
}
