// The job capability: background commands of one agent's conversation.
import type { JobStart, JobState } from '../process/background-jobs.ts'

export interface JobBoard {
  /**
   * Starts a background job and returns its state. Throws FailureError `limit_reached` if 8 jobs run already.
   */
  start(order: JobStart): JobState
  list(): JobState[]
  /** Returns the job with this id; undefined for an unknown id. */
  find(id: string): JobState | undefined
  /**
   * Returns the output of a job since the previous `takeOutput`. If this output has more than 128 KiB, its
   * middle is missing. Throws FailureError `not_found` for an unknown id.
   */
  takeOutput(id: string): string
  /**
   * Resolves when the job has ended, when the time is over, or when `signal` aborts. Rejects for
   * an unknown id.
   */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
  /**
   * Sends the signal TERM to a job and all its descendants, and KILL after at most two seconds. Resolves when
   * none of them is left, or at the latest some seconds later. Rejects for an unknown id.
   */
  stop(id: string): Promise<void>
  /** Returns ended jobs that were not reported yet, and marks them as reported. */
  takeEnded(): JobState[]
  /** Returns true if a job whose end starts a new run has ended, and this end is not reported yet. */
  isWaking(): boolean
  /** Marks the end of a job as reported; does nothing while the job runs. Throws for an unknown id. */
  acknowledge(id: string): void
  /** Resolves when the next job ends; rejects when `signal` aborts. */
  nextEnd(signal: AbortSignal): Promise<void>
}

/** Access to the background jobs of one agent. */
export interface SessionJobs {
  open(): Promise<JobBoard>
  /** The jobs of the session; undefined until `open` has resolved for the first time. */
  readonly opened: JobBoard | undefined
  /**
   * Stops every job, for an agent that ends before its session. Does nothing if the jobs belong
   * to another agent.
   */
  close(): Promise<void>
}
