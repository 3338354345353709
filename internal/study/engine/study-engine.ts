// Interface of engines, which pass tasks to workers: on this machine through its database, or on many
// machines through a queue server.
import type { StudyJob } from '../../store/journal/journal.ts'

export interface EngineHealth {
  /** Number of known workers; for workers on this machine, the number of jobs that run. */
  workers: number
  /** Notices for the user, one line each. */
  notes: readonly string[]
}

export interface StudyEngine {
  /** Milliseconds between two checks of a coordinator for lost workers. Default: 400. */
  readonly leasePollMs?: number
  /**
   * Adds a job to the queue, unless the queue has one with the same study, task and epoch (number of the
   * task's claim). If a worker on this machine had taken that job, other workers can then take it.
   */
  enqueue(job: StudyJob): Promise<void>
  /**
   * Takes jobs, at most `concurrency` at the same time, until `signal` aborts, and then waits for those that
   * run. `run` claims the task itself. An error of `run` is logged and ends the job; the process that queued
   * it decides about another attempt. Only `LeaseHeld` makes the queue deliver the job again. The signal that
   * `run` gets aborts with `signal`.
   */
  work(
    run: (job: StudyJob, signal: AbortSignal) => Promise<void>,
    concurrency: number,
    signal: AbortSignal,
  ): Promise<void>
  /** Removes the waiting jobs of a study from the queue. */
  cancel(study: string): Promise<void>
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

/**
 * Thrown by `run` if another worker has the lease of the task, or if this worker cannot start it now. The
 * queue then delivers the job again at `untilMs` or earlier, because it limits the delay.
 */
export class LeaseHeld extends Error {
  override readonly name = 'LeaseHeld'
  /**
   * Time in milliseconds since 1970 from which another attempt can succeed: the end of the other worker's
   * lease by the clock of the journal, or the end of a pause by the clock of this worker.
   */
  readonly untilMs: number

  constructor(untilMs: number) {
    super('another worker has the lease')
    this.untilMs = untilMs
  }
}
