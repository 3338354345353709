// What hands tasks to workers: on this machine through its database, or on many through a queue server.
import type { StudyJob } from '../../store/journal/journal.ts'

export interface EngineHealth {
  /** Workers that are known to be there. */
  workers: number
  /** What a person has to know, one line each. */
  notes: readonly string[]
}

export interface StudyEngine {
  /** The same study, task and epoch twice is one job. */
  enqueue(job: StudyJob): Promise<void>
  /**
   * Takes jobs, at most `concurrency` at once, until `signal` aborts; then waits for the running ones. `run`
   * claims the job itself; what it throws is logged and the job is over: whether there is another try is
   * decided by who enqueues. Only `LeaseHeld` makes the queue hand the same job out again. The signal of a
   * job aborts with `signal`.
   */
  work(
    run: (job: StudyJob, signal: AbortSignal) => Promise<void>,
    concurrency: number,
    signal: AbortSignal,
  ): Promise<void>
  /** Takes the waiting jobs of a study out of the queue. */
  cancel(study: string): Promise<void>
  health(): Promise<EngineHealth>
  close(): Promise<void>
}

/**
 * Thrown by `run` while somebody else holds the lease, or cannot do the task: the job comes back, about then.
 */
export class LeaseHeld extends Error {
  override readonly name = 'LeaseHeld'
  /** Milliseconds since 1970, by the journal's clock. */
  readonly untilMs: number

  constructor(untilMs: number) {
    super('somebody else holds the lease')
    this.untilMs = untilMs
  }
}
