// Engine for workers on this machine, which share a table of jobs in the local database.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../base/errors.ts'
import type { DatabaseConnection } from '../../store/connection.ts'
import type { StudyJob } from '../../store/journal/journal.ts'
import { LeaseHeld, type StudyEngine } from './study-engine.ts'

interface EmbeddedOptions {
  /** Id of the study whose jobs are taken. */
  study: string
  /** Name of the worker that takes jobs. When the worker has ended, `free` releases its jobs. */
  owner: string
  /** Called with a text for each error of a job, except LeaseHeld. */
  log?: (text: string) => void
}

interface EmbeddedEngine extends StudyEngine {
  /** Lets other workers take the jobs that an ended worker had taken. */
  free(owner: string): void
}

/**
 * Largest number of milliseconds to wait before a job whose task another worker leases is put at the end
 * of the queue.
 */
const heldMs = 200

/** Milliseconds between two checks for jobs while the queue is empty or all slots of the worker are busy. */
const idlePollMs = 40

/**
 * Creates the engine on a connection to the database. The caller closes the connection after
 * `work` has ended.
 */
export function embeddedEngine(
  db: DatabaseConnection,
  { study, owner, log = () => undefined }: EmbeddedOptions,
): EmbeddedEngine {
  const table = new JobTable(db, study)
  return {
    enqueue: async (job) => table.put(job),
    work: (run, concurrency, signal) => workOnJobs(table, owner, { run, concurrency, signal, log }),
    async cancel(id) {
      db.write(() => db.run('DELETE FROM study_job WHERE study = ? AND taken_by IS NULL', id))
    },
    async health() {
      const { waiting, running } = table.count()
      return { workers: running, notes: [`${waiting} waiting, ${running} running`] }
    },
    free: (deadOwner) => table.free(deadOwner),
    async close() {
      return undefined
    },
  }
}

/** Waiting and taken jobs of one study in the database. */
class JobTable {
  readonly #db: DatabaseConnection
  readonly #study: string

  constructor(db: DatabaseConnection, study: string) {
    this.#db = db
    this.#study = study
  }

  put({ study, task, epoch }: StudyJob): void {
    this.#db.write(() =>
      this.#db.run(
        // A job is put into the queue again only by a process that knows that the worker that took the
        // job has ended.
        `INSERT INTO study_job (study, task, epoch) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET taken_by = NULL`,
        study,
        task,
        epoch,
      ),
    )
  }

  /**
   * Takes the job that has waited longest and records `owner` as its worker. Returns undefined if the
   * queue is empty.
   */
  take(owner: string): StudyJob | undefined {
    const db = this.#db
    // Reading takes no lock, so an empty queue causes no write.
    if (!db.get('SELECT 1 FROM study_job WHERE study = ? AND taken_by IS NULL', this.#study)) return undefined
    return db.write(() => {
      const job = db.get<StudyJob & { n: number }>(
        'SELECT n, study, task, epoch FROM study_job WHERE study = ? AND taken_by IS NULL ORDER BY n LIMIT 1',
        this.#study,
      )
      if (!job) return undefined
      const { n, ...rest } = job
      db.run('UPDATE study_job SET taken_by = ? WHERE n = ?', owner, n)
      return rest
    })
  }

  remove({ task, epoch }: StudyJob): void {
    this.#db.write(() =>
      this.#db.run(
        'DELETE FROM study_job WHERE study = ? AND task = ? AND epoch = ?',
        this.#study,
        task,
        epoch,
      ),
    )
  }

  /** Moves a taken job to the end of the queue, where any worker can take it again. */
  putBack(job: StudyJob): void {
    this.#db.write(() => {
      this.remove(job)
      this.put({ ...job, study: this.#study })
    })
  }

  count(): { waiting: number; running: number } {
    return (
      this.#db.get(
        `SELECT count(*) FILTER (WHERE taken_by IS NULL) AS waiting,
                count(*) FILTER (WHERE taken_by IS NOT NULL) AS running FROM study_job WHERE study = ?`,
        this.#study,
      ) ?? { waiting: 0, running: 0 }
    )
  }

  free(deadOwner: string): void {
    this.#db.write(() =>
      this.#db.run(
        'UPDATE study_job SET taken_by = NULL WHERE study = ? AND taken_by = ?',
        this.#study,
        deadOwner,
      ),
    )
  }
}

interface JobLoop {
  run: Parameters<StudyEngine['work']>[0]
  concurrency: number
  signal: AbortSignal
  log(text: string): void
}

async function workOnJobs(table: JobTable, owner: string, loop: JobLoop): Promise<void> {
  const { concurrency, signal } = loop
  const running = new Set<Promise<void>>()
  let trouble: { error: unknown } | undefined
  while (!signal.aborted && !trouble) {
    const job = running.size < concurrency ? table.take(owner) : undefined
    if (!job) await sleepAtMost(idlePollMs, signal)
    else {
      const work: Promise<void> = runJob(table, job, loop)
        .catch((error: unknown) => {
          trouble ??= { error }
        })
        .finally(() => running.delete(work))
      running.add(work)
    }
  }
  await Promise.all(running)
  // The queue itself has failed, so `work` rejects with that error.
  if (trouble) throw trouble.error
}

async function runJob(table: JobTable, job: StudyJob, { run, signal, log }: JobLoop): Promise<void> {
  try {
    await run(job, signal)
    table.remove(job)
  } catch (error) {
    if (!(error instanceof LeaseHeld)) {
      log(`${job.task}: ${messageOf(error)}`)
      table.remove(job)
      return
    }
    await sleepAtMost(Math.min(heldMs, Math.max(idlePollMs, error.untilMs - Date.now())), signal)
    table.putBack(job)
  }
}

async function sleepAtMost(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
