// Hands tasks to workers on this machine through a table of the local database, which all of them open.
import { setTimeout as sleep } from 'node:timers/promises'
import { messageOf } from '../../base/errors.ts'
import type { DatabaseConnection } from '../../store/connection.ts'
import type { StudyJob } from '../../store/journal/journal.ts'
import { LeaseHeld, type StudyEngine } from './study-engine.ts'

interface EmbeddedOptions {
  /** Only jobs of this study are taken. */
  study: string
  /** Who takes them: what it had taken is freed by `free` when it is gone. */
  owner: string
  /** Called with what went wrong with a job, one line each. */
  log?: (text: string) => void
}

interface EmbeddedEngine extends StudyEngine {
  /** Puts back the jobs of a worker that is gone. */
  free(owner: string): void
}

/**
 * How long a worker stands still over a job that somebody else holds; it goes to the end of the line then.
 */
const heldMs = 200

/** How often an idle worker looks for jobs. */
const idlePollMs = 40

/** The connection is the caller's to close, after `work` has ended. */
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
    free: (gone) => table.free(gone),
    async close() {
      return undefined
    },
  }
}

/** The jobs of one study in the database, waiting or taken. */
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
        // handed out anew only by who knows that its taker is gone
        `INSERT INTO study_job (study, task, epoch) VALUES (?, ?, ?)
         ON CONFLICT DO UPDATE SET taken_by = NULL`,
        study,
        task,
        epoch,
      ),
    )
  }

  /** The job that has waited longest, now taken by `owner`. */
  take(owner: string): StudyJob | undefined {
    const db = this.#db
    // looking costs no lock; only what was seen is taken
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

  /** Puts a job that was taken at the end of the line. */
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

  free(gone: string): void {
    this.#db.write(() =>
      this.#db.run(
        'UPDATE study_job SET taken_by = NULL WHERE study = ? AND taken_by = ?',
        this.#study,
        gone,
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
    if (!job) await nap(idlePollMs, signal)
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
  // the queue itself cannot be kept: whoever waits for this has to know
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
    await nap(Math.min(heldMs, Math.max(idlePollMs, error.untilMs - Date.now())), signal)
    table.putBack(job)
  }
}

async function nap(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
