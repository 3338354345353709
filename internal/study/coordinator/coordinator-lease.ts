// The lease of the coordinator, and the log that it reads under this lease. Only one process at a time leads
// a study, and all its writes are made under the lease.
import { UserError } from '../../base/errors.ts'
import type { Fence, Journal, JournalLine, NewJournalLine } from '../../store/journal/journal.ts'
import { readJournalLines } from '../../store/journal/lines.ts'
import { startHeartbeat } from '../engine/heartbeat.ts'
import { advanceStudyState, beginStudyState, type StudyState } from '../log/state.ts'
import { createCutSignal, FencedError, type TaskStop } from '../worker/task-stop.ts'
import type { CoordinatorOptions } from './coordinator-options.ts'

/** Name of the task under which the lease is stored. */
export const coordinatorTask = 'coordinator'

export interface CoordinatorLease {
  readonly lead: CoordinatorOptions
  readonly log: StudyLog
  readonly fence: Fence
  /** Aborts when another process has taken the lease. */
  readonly gone: AbortSignal
  /** Aborts at once when the user stops the study, and when `gone` aborts. */
  readonly halt: AbortSignal
  /** Aborts half a second after the user has stopped the study, which ends the current request. */
  readonly cut: AbortSignal
  /**
   * Appends lines and updates the state. Returns false if one of the keys already exists. Throws FencedError
   * if another process has taken the lease.
   */
  write(...batch: NewJournalLine[]): Promise<boolean>
  /**
   * Returns the reason to stop the study, which is a stop by the user or the deadline; otherwise undefined.
   * Throws FencedError if another process has taken the lease.
   */
  check(): Promise<TaskStop | undefined>
}

/**
 * Runs `work` under the coordinator's lease. Throws UserError (exit 1) while another process leads the study.
 * `stopSignal` aborts when the user stops the study.
 */
export async function withCoordinatorLease<T>(
  options: CoordinatorOptions,
  stopSignal: AbortSignal,
  work: (lease: CoordinatorLease) => Promise<T>,
): Promise<T> {
  const { journal, study, owner, leaseMs, heartbeatMs } = options
  const fence = await claimLease(options)
  const lossController = new AbortController()
  const heartbeat = startHeartbeat({ journal, study, fence, leaseMs, heartbeatMs }, (isHeld) => {
    if (!isHeld) lossController.abort(new FencedError())
  })
  try {
    const log = await openStudyLog(options)
    return await work({
      lead: options,
      log,
      fence,
      gone: lossController.signal,
      halt: AbortSignal.any([lossController.signal, stopSignal]),
      cut: createCutSignal(stopSignal),
      async write(...batch) {
        const done = await journal.append(study, batch, fence)
        if (done.state === 'fenced') throw new FencedError()
        await log.catchUp()
        return done.state === 'ok'
      },
      async check() {
        lossController.signal.throwIfAborted()
        if (stopSignal.aborted) return { why: 'cancelled' }
        await log.catchUp()
        if (log.state.status === 'cancelled') return { why: 'cancelled' }
        return Date.now() >= log.state.head.deadline ? { why: 'deadline' } : undefined
      },
    })
  } finally {
    heartbeat.stop()
    await journal.release(study, coordinatorTask, owner, false)
  }
}

async function claimLease({ journal, study, owner, leaseMs }: CoordinatorOptions): Promise<Fence> {
  const claimed = await journal.claim({ study, task: coordinatorTask, epoch: 0 }, owner, leaseMs)
  if (claimed.state === 'ok') return { task: coordinatorTask, epoch: claimed.epoch, owner }
  await demandNoCoordinator(journal, study)
  throw new UserError(`study ${study} is led by another process`, { exit: 1 })
}

/** Throws UserError (exit 1) while a process leads the study. */
export async function demandNoCoordinator(journal: Journal, study: string): Promise<void> {
  const holder = (await journal.leases(study)).find(({ task }) => task === coordinatorTask)?.owner
  if (holder === undefined) return
  const pid = /-(\d+)$/.exec(holder)?.[1] ?? 'unknown'
  const host = holder.slice(0, Math.max(0, holder.length - pid.length - 1))
  throw new UserError(`study ${study} is already running as pid ${pid}${host === '' ? '' : ` on ${host}`}`, {
    hint: 'anode study watch follows it, anode study cancel ends it',
    exit: 1,
  })
}

interface StudyLog {
  readonly state: StudyState
  readonly lines: readonly JournalLine[]
  /**
   * Ids of the tasks that have ended, in the order in which they ended, a reopened task once for each end.
   * Tasks that did not run are left out.
   */
  readonly ended: readonly string[]
  catchUp(): Promise<void>
}

interface StudyLogOptions {
  journal: Journal
  study: string
  /** Called with each line once, in order. */
  show(line: JournalLine): void
}

/**
 * Opens the log and reads the existing lines. `catchUp` reads the lines that were added since then. Throws
 * Error if the log is empty.
 */
export async function openStudyLog({ journal, study, show }: StudyLogOptions): Promise<StudyLog> {
  const [first] = await journal.read(study, 0, 1)
  if (!first) throw new Error(`the log of ${study} is empty`)
  const state = beginStudyState(first)
  const lines = [first]
  const endedTasks: string[] = []
  show(first)
  const catchUp = async () => {
    for await (const line of readJournalLines(journal, study, state.seq)) {
      advanceStudyState(state, line)
      lines.push(line)
      if (line.kind === 'task.ended') endedTasks.push(String(line.data['task']))
      show(line)
    }
  }
  await catchUp()
  return { state, lines, ended: endedTasks, catchUp }
}
