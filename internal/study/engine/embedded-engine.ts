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
  const take = (): StudyJob | undefined =>
    // looking costs no lock; only what was seen is taken
    db.get('SELECT 1 FROM study_job WHERE study = ? AND taken_by IS NULL', study) &&
    db.write(() => {
      const job = db.get<StudyJob & { n: number }>(
        'SELECT n, study, task, epoch FROM study_job WHERE study = ? AND taken_by IS NULL ORDER BY n LIMIT 1',
        study,
      )
      if (!job) return undefined
      const { n, ...rest } = job
      db.run('UPDATE study_job SET taken_by = ? WHERE n = ?', owner, n)
      return rest
    })
  const over = ({ task, epoch }: StudyJob) =>
    void db.write(() =>
      db.run('DELETE FROM study_job WHERE study = ? AND task = ? AND epoch = ?', study, task, epoch),
    )
  const back = (job: StudyJob) =>
    db.write(() => {
      over(job)
      db.run('INSERT INTO study_job (study, task, epoch) VALUES (?, ?, ?)', study, job.task, job.epoch)
    })

  return {
    async enqueue(job) {
      db.write(() =>
        db.run(
          // handed out anew only by who knows that its taker is gone
          `INSERT INTO study_job (study, task, epoch) VALUES (?, ?, ?)
           ON CONFLICT DO UPDATE SET taken_by = NULL`,
          job.study,
          job.task,
          job.epoch,
        ),
      )
    },
    async work(run, concurrency, signal) {
      const one = async (job: StudyJob) => {
        try {
          await run(job, signal)
          over(job)
        } catch (error) {
          if (!(error instanceof LeaseHeld)) {
            log(`${job.task}: ${messageOf(error)}`)
            over(job)
            return
          }
          await nap(Math.min(heldMs, Math.max(idlePollMs, error.untilMs - Date.now())), signal)
          back(job)
        }
      }
      const running = new Set<Promise<void>>()
      let trouble: { error: unknown } | undefined
      while (!signal.aborted && !trouble) {
        const job = running.size < concurrency ? take() : undefined
        if (!job) await nap(idlePollMs, signal)
        else {
          const work: Promise<void> = one(job)
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
    },
    async cancel(id) {
      db.write(() => db.run('DELETE FROM study_job WHERE study = ? AND taken_by IS NULL', id))
    },
    async health() {
      const counts = db.get<{ waiting: number; running: number }>(
        `SELECT count(*) FILTER (WHERE taken_by IS NULL) AS waiting,
                count(*) FILTER (WHERE taken_by IS NOT NULL) AS running FROM study_job WHERE study = ?`,
        study,
      ) ?? { waiting: 0, running: 0 }
      return { workers: counts.running, notes: [`${counts.waiting} waiting, ${counts.running} running`] }
    },
    free(gone) {
      db.write(() =>
        db.run('UPDATE study_job SET taken_by = NULL WHERE study = ? AND taken_by = ?', study, gone),
      )
    },
    async close() {
      return undefined
    },
  }
}

async function nap(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
