// Monitor of the lease of one task while a worker works on it. With each heartbeat it checks the clock, a
// cancellation, and urgent mail.
import { type HeartbeatOptions, startHeartbeat } from '../engine/heartbeat.ts'
import type { StudyStatus } from '../log/entries.ts'
import type { MailInbox } from './mail-inbox.ts'
import { readTaskLog } from './task-log.ts'
import type { TaskStop } from './task-stop.ts'

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
