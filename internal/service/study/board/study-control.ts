// Ends a study or one of its workers from another process. The task of the worker goes to another worker.
import { hostname } from 'node:os'
import type { EnvironmentVariables } from '../../../base/environment.ts'
import { UserError } from '../../../base/errors.ts'
import { hasProc, readCommandLine } from '../../../process/table/descendants.ts'
import { listByPs } from '../../../process/table/ps.ts'
import { listJournalLines } from '../../../store/journal/lines.ts'
import type { LocalJournal } from '../../../store/journal/sqlite.ts'
import { type StudyEntry, toStudyEntry } from '../../../study/log/entries.ts'
import { cancelStudy } from '../resume.ts'

/** Milliseconds for a worker to end after the first signal. The second signal ends it immediately. */
const maxStepMs = 3_000

/**
 * Cancels a study; resolves to `ended` if it had ended before. `isForced`: workers do not finish their step,
 * also if the study was cancelled without `isForced` before. `id` is the full ID of an existing study, `data`
 * an existing directory.
 */
export async function endStudy(
  id: string,
  isForced: boolean,
  { data, env }: { data: string; env: EnvironmentVariables },
): Promise<'cancelled' | 'ended'> {
  const { cancelled } = await cancelStudy(id, isForced, { cwd: data, env, note: () => undefined })
  return cancelled ? 'cancelled' : 'ended'
}

/**
 * Tells a worker to end and resolves to `stopped` without waiting; a worker that still runs after 3 s is
 * ended immediately. Resolves to `ended` if no worker has the task. Throws UserError if the worker
 * cannot be reached.
 */
export async function endWorker(
  journal: LocalJournal,
  id: string,
  task: string,
): Promise<'stopped' | 'ended'> {
  const lines = (await listJournalLines(journal, id)).map(toStudyEntry)
  const started = lines.findLast(
    (line): line is StudyEntry & { kind: 'task.started' } =>
      line.kind === 'task.started' && line.data.task === task,
  )
  const head = lines.find((line) => line.kind === 'study')
  if (head?.kind === 'study' && head.data.engine !== 'embedded')
    throw new UserError('the workers of this study take their tasks from a server', {
      hint: 'end them on their own machines',
    })
  const lease = (await journal.leases(id)).find((one) => one.task === task)
  if (!started || lease?.owner !== started.data.owner) return 'ended'
  const { pid, host } = started.data
  if (host !== hostname() || !(await isWorker(pid)))
    throw new UserError(`worker ${lease.owner} runs where it cannot be reached from here`, {
      hint: 'end it on its own machine',
    })
  process.kill(pid, 'SIGTERM')
  setTimeout(() => void endAtOnce(pid), maxStepMs).unref()
  return 'stopped'
}

async function endAtOnce(pid: number): Promise<void> {
  if (!(await isWorker(pid))) return
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // it has ended meanwhile
  }
}

/** Returns true if the process is a worker. Its number may belong to another process by now. */
async function isWorker(pid: number): Promise<boolean> {
  if (hasProc()) return readCommandLine(pid).includes('--study-worker')
  return (await listByPs()).some((row) => row.pid === pid && row.text.includes('--study-worker'))
}
