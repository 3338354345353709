// The job capability: commands that go on running beside the conversation of one agent.
import type { JobStart, JobState } from '../process/background-jobs.ts'

export interface JobBoard {
  /** Throws FailureError `limit_reached` where too many run already. */
  start(order: JobStart): JobState
  list(): JobState[]
  /** Undefined for a job that there is not. */
  find(id: string): JobState | undefined
  /** What it has printed since this was last asked; the middle of a flood is missing. */
  takeOutput(id: string): string
  /** Resolves when the job has ended, when the time is over, or when `signal` aborts. */
  wait(id: string, ms: number, signal: AbortSignal): Promise<void>
  /** TERM, KILL after two seconds, then every descendant; resolves when nothing of it is left. */
  stop(id: string): Promise<void>
  /** Jobs that have ended and that nobody has been told of. */
  takeEnded(): JobState[]
  /** Whether there is such a job whose end is to begin a run. */
  isWaking(): boolean
  /** Marks a job's end as told. */
  acknowledge(id: string): void
  /** Resolves when the next job ends; rejects when `signal` aborts. */
  nextEnd(signal: AbortSignal): Promise<void>
}

/** The jobs of one agent. */
export interface SessionJobs {
  open(): Promise<JobBoard>
  /** Undefined until there has been a job. */
  readonly opened: JobBoard | undefined
  /** Stops every job; for an agent that ends before its session. */
  close(): Promise<void>
}
