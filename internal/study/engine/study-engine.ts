// Interface of engines that pass tasks to workers: on this machine through its database, or on many
// through a queue server.
import type { StudyJob } from '../../store/journal/journal.ts'

export interface EngineHealth {
  /** Number of known workers. */
  workers: number
  /** Notices for the user, one line each. */
  notes: readonly string[]
}

export interface StudyEngine {
  /** Adds a job. The same study, task and epoch twice is one job. */
  enqueue(job: StudyJob): Promise<void>
  /**
   * Takes jobs, at most `concurrency` at once, until `signal` aborts, and then waits for the running ones.
   * `run` claims the job itself. An error of `run` is logged and ends the job, and its enqueuer decides
   * about another attempt. Only `LeaseHeld` makes the queue deliver the same job again. The signal of a
   * job aborts with `signal`.
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
 * Thrown by `run` if another worker has the lease, or if this worker cannot do the task. The job returns
 * at about that time.
 */
export class LeaseHeld extends Error {
  override readonly name = 'LeaseHeld'
  /** Milliseconds since 1970, by the journal's clock. */
  readonly untilMs: number

  constructor(untilMs: number) {
    super('another worker has the lease')
    this.untilMs = untilMs
  }
}
