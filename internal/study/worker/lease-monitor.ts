// Watches over one task while it is worked on: prolongs the lease, and sees clock, cancellation and urgent mail.
import type { Fence, Journal } from '../../store/journal/journal.ts'
import type { StudyEntry, StudyStatus } from '../log/entries.ts'
import type { MailInbox } from './mail-inbox.ts'
import type { TaskStop } from './task-stop.ts'

interface LeaseMonitorOptions {
  journal: Journal
  study: string
  fence: Fence
  leaseMs: number
  beatMs: number
  /** Milliseconds since 1970. */
  deadline: number
  /** Lines up to this one are known. */
  after: number
  post: MailInbox
  signal: AbortSignal
}

interface LeaseMonitor {
  /** Why not to go on, if so; looks at most every tenth of the heartbeat. */
  check(): Promise<TaskStop | undefined>
  close(): void
}

const halting: ReadonlySet<StudyStatus> = new Set(['cancelled', 'paused'])

/** `lost` is called once when a heartbeat finds the task given to somebody else. Close it when done. */
export function monitorLease(watched: LeaseMonitorOptions, lost: (stop: TaskStop) => void): LeaseMonitor {
  const { journal, study, fence, leaseMs, beatMs, deadline, post: inbox, signal } = watched
  let { after } = watched
  let stop: TaskStop | undefined
  let lastLookMs = performance.now()
  let looking: Promise<void> | undefined

  const look = async () => {
    lastLookMs = performance.now()
    if (!(await journal.heartbeat(study, fence, leaseMs))) stop ??= { why: 'fenced' }
    for (;;) {
      const lines = await journal.read(study, after, 200)
      after = lines.at(-1)?.seq ?? after
      for (const { kind, data } of lines as unknown as StudyEntry[]) {
        if (kind !== 'status') continue
        if (halting.has(data.status)) stop ??= { why: 'cancelled' }
        else if (stop?.why === 'cancelled') stop = undefined
      }
      if (lines.length < 200) break
    }
    await inbox.pollUrgent()
    if (stop?.why === 'fenced') lost(stop)
  }
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = undefined
    })
    return looking
  }
  // trouble with the journal is met again, and answered, by whoever writes next
  const timer = setInterval(() => void lookOnce().catch(() => undefined), beatMs)
  return {
    async check() {
      if (performance.now() - lastLookMs > beatMs / 10) await lookOnce()
      if (stop) return stop
      if (Date.now() >= deadline) return { why: 'deadline' }
      return signal.aborted ? { why: 'cancelled' } : undefined
    },
    close: () => clearInterval(timer),
  }
}
