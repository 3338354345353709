// Leases of workers: the check of the own one while a task runs, and log lines about lost ones, whose worker
// disappeared without an entry. Each loss is recorded once, even if several processes notice it.
import type { JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { type HeartbeatOptions, startHeartbeat } from '../engine/heartbeat.ts'
import { makeStudyEntry, type StudyEntries, type StudyStatus } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import type { TaskState } from '../log/task-end.ts'
import type { MailInbox } from './mail-inbox.ts'
import { readTaskLog } from './task-log.ts'
import type { TaskStop } from './task-stop.ts'

/**
 * Largest number of attempts for a task, to which `attemptLimit` may add one. A lease that was returned
 * properly does not count.
 */
export const maxTaskAttempts = 2

/**
 * Number of times that a worker may disappear before it records the start of a task, without counting as
 * attempts. The task has not run then, and another task of the same process may be the cause.
 */
const maxSilentLosses = 4

/**
 * Returns the largest number of attempts after the losses of a task, oldest first. If other tasks ran in
 * the process that ended last, any of them may be the cause. The task then gets one more attempt, alone
 * in a process.
 */
export function attemptLimit(losses: readonly Pick<StudyEntries['task.lost'], 'free' | 'shared'>[]): number {
  const last = losses.findLast(({ free }) => free !== true)
  return maxTaskAttempts + (last?.shared ? 1 : 0)
}

/**
 * Returns the line about a lease that ended without an entry. If `isFree`, the attempt does not count; by
 * default, that is so if another coordinator took over after the worker's start.
 */
export function makeLossEntry(
  { task, owner = '', inherited, process }: TaskState,
  epoch: number,
  tasks: StudyState['tasks'],
  isFree = inherited,
): NewJournalLine {
  const isShared = [...tasks.values()].some((other) => other.task.id !== task.id && ranIn(other, process))
  const why = inherited ? 'its worker went with the coordinator before' : 'its worker is gone'
  const data: StudyEntries['task.lost'] = {
    task: task.id,
    epoch,
    owner,
    why,
    free: isFree ? (true as const) : undefined,
    shared: isShared ? (true as const) : undefined,
  }
  return makeStudyEntry('task.lost', data, `lost:${task.id}:${epoch}`)
}

/** Returns true if the task runs in `process`, or ran there when the process ended. */
const ranIn = (taskState: TaskState, process: string | undefined): boolean =>
  process !== undefined &&
  (taskState.lostProcess === process || (taskState.status === 'leased' && taskState.process === process))

/**
 * Returns the missing lines about leases before the lease `epoch`, oldest first. They are missing if a worker
 * died before it recorded its start and another worker took the task before the coordinator noticed that.
 */
export function listUnrecordedLosses(
  taskState: TaskState,
  epoch: number,
  { tasks, lines }: { tasks: StudyState['tasks']; lines: readonly JournalLine[] },
): NewJournalLine[] {
  const first = taskState.status === 'leased' ? taskState.epoch : taskState.epoch + 1
  let silent = listLosses(lines, taskState.task.id).filter(({ owner }) => owner === '').length
  const unknown: TaskState = { ...taskState, owner: '', process: undefined }
  return Array.from({ length: Math.max(0, epoch - first) }, (_, i) =>
    first + i === taskState.epoch
      ? makeLossEntry(taskState, first + i, tasks)
      : makeLossEntry(unknown, first + i, tasks, taskState.inherited || silent++ < maxSilentLosses),
  )
}

/** Returns the lost leases of a task since it was last reopened, oldest first. */
export function listLosses(
  lines: readonly Pick<JournalLine, 'kind' | 'data'>[],
  task: string,
): StudyEntries['task.lost'][] {
  const taskLines = lines.filter(({ data }) => data['task'] === task)
  const from = taskLines.findLastIndex(({ kind }) => kind === 'task.reopened') + 1
  return taskLines
    .slice(from)
    .flatMap(({ kind, data }) => (kind === 'task.lost' ? [data as StudyEntries['task.lost']] : []))
}

interface LeaseMonitorOptions extends HeartbeatOptions {
  /** Time at which the study has to end, in milliseconds since 1970. */
  deadline: number
  /** Number of the last line of the log that is known. */
  after: number
  mailInbox: MailInbox
  signal: AbortSignal
}

interface LeaseMonitor {
  /**
   * Returns the reason to stop, or undefined. Sends a heartbeat first if the last one is older than a tenth
   * of the interval.
   */
  check(): Promise<TaskStop | undefined>
  close(): void
}

const haltingStatuses: ReadonlySet<StudyStatus> = new Set(['cancelled', 'paused'])

/**
 * Starts the monitor, which the caller closes. Once a heartbeat has shown that another worker has the task,
 * `lost` is called after each heartbeat.
 */
export function monitorLease(options: LeaseMonitorOptions, lost: (stop: TaskStop) => void): LeaseMonitor {
  const { journal, study, heartbeatMs, deadline, mailInbox, signal } = options
  let { after } = options
  let stop: TaskStop | undefined
  let lastLookMs = performance.now()

  const readStatus = async () => {
    const { status } = await readTaskLog(journal, study)
    if (!status || status.seq <= after) return
    after = status.seq
    if (haltingStatuses.has(status.status)) stop ??= { why: 'cancelled' }
    else if (stop?.why === 'cancelled') stop = undefined
  }
  const heartbeat = startHeartbeat(options, async (isHeld) => {
    lastLookMs = performance.now()
    if (!isHeld) stop ??= { why: 'fenced' }
    await readStatus()
    await mailInbox.pollUrgent()
    if (stop?.why === 'fenced') lost(stop)
  })
  return {
    async check() {
      if (performance.now() - lastLookMs > heartbeatMs / 10) await heartbeat.beat()
      if (stop) return stop
      if (Date.now() >= deadline) return { why: 'deadline' }
      return signal.aborted ? { why: 'cancelled' } : undefined
    },
    close: heartbeat.stop,
  }
}
