// Background commands of a conversation: their output as it arrives, their exits, and their cleanup.

import { FailureError, messageOf } from '../base/errors.ts'
import { monotonicNow } from '../base/time-limit.ts'
import { combineOutput } from './output/combined-output.ts'
import type { CommandOutcome, ProcessCommand, RunCommand } from './process-command.ts'

/** Largest number of jobs that run at the same time. The start of a further job fails. */
export const maxJobs = 8
/**
 * Largest number of bytes of a job's unread output that are stored: the first and the last ones. The middle
 * of a longer output is dropped.
 */
const unreadBytes = 128 * 1024

/** The state of a job. */
export interface JobState {
  id: string
  command: string
  running: boolean
  /** Exit code of the job; null while the job runs, if a signal ended it, and if it could not be started. */
  exit: number | null
  signal: string | null
  timed_out: boolean
  stopped: boolean
  /** The reason why the job could not be started; undefined if it was started. */
  problem?: string
  ms: number
}

interface LiveJob {
  state: JobState
  started: number
  stop: AbortController
  ended: Promise<void>
  wakes: boolean
  unread: ReturnType<typeof combineOutput>
  isReported: boolean
}

export interface JobStart {
  /** The command line as the user sees it. */
  line: string
  command: ProcessCommand
  /**
   * Id of the tool call that started the job. The whole output is stored under this id once the
   * job has ended.
   */
  call: string
  /** True if the end of the job starts a run of the agent when no run is active. */
  wakes?: boolean
}

/** Receives the output of a job as it arrives. */
type JobOutput = (id: string, chunk: Uint8Array) => void

/**
 * Called when a job has exited, was stopped or could not be started, but not if it ended because the session
 * was closed. `output` returns the whole output.
 */
type JobEnd = (job: JobState, call: string, output: () => AsyncIterable<string>) => Promise<void>

export const createJobBoard = (run: RunCommand, onEnd: JobEnd, onOutput?: JobOutput): JobTable =>
  new JobTable(run, onEnd, onOutput)

/** The jobs of a session. `close` ends every job. */
class JobTable {
  readonly #run: RunCommand
  readonly #onEnd: JobEnd
  readonly #onOutput: JobOutput | undefined
  readonly #jobs = new Map<string, LiveJob>()
  readonly #watchers = new Set<() => void>()

  constructor(run: RunCommand, onEnd: JobEnd, onOutput?: JobOutput) {
    this.#run = run
    this.#onEnd = onEnd
    this.#onOutput = onOutput
  }

  start(order: JobStart): JobState {
    const running = this.list().filter((one) => one.running)
    if (running.length >= maxJobs) {
      const message = `${maxJobs} jobs run already: ${running.map(({ id }) => id).join(', ')}`
      throw new FailureError({ code: 'limit_reached', message, hint: 'Stop one, or wait for its end.' })
    }
    const state: JobState = {
      id: `job_${this.#jobs.size + 1}`,
      command: order.line,
      running: true,
      exit: null,
      signal: null,
      timed_out: false,
      stopped: false,
      ms: 0,
    }
    const job: LiveJob = {
      state,
      started: monotonicNow(),
      stop: new AbortController(),
      ended: Promise.resolve(),
      wakes: order.wakes === true,
      unread: combineOutput(unreadBytes),
      isReported: false,
    }
    this.#jobs.set(state.id, job)
    job.ended = this.#follow(job, order)
    return describeJob(job)
  }

  async #follow(job: LiveJob, { command, call }: JobStart): Promise<void> {
    const { state, stop } = job
    let outcome: CommandOutcome | undefined
    try {
      outcome = await this.#run({
        ...command,
        whole: true,
        signal: stop.signal,
        onOutput: (chunk, stream) => {
          job.unread.push(chunk, stream)
          this.#onOutput?.(state.id, chunk)
        },
      })
    } catch (error) {
      state.problem = error instanceof FailureError ? error.failure.message : messageOf(error)
    }
    state.running = false
    state.ms = Math.round(monotonicNow() - job.started)
    if (outcome) Object.assign(state, { exit: outcome.exit, signal: outcome.signal })
    state.timed_out = outcome?.ended === 'timeout'
    // jobs that the session ends when it closes need no report
    if (outcome?.ended === 'cancelled' && !state.stopped) job.isReported = true
    else await this.#onEnd(describeJob(job), call, () => wholeOutput(outcome)).catch(() => undefined)
    outcome?.whole?.remove()
    for (const wake of this.#watchers) wake()
  }

  #take(id: string): LiveJob {
    const job = this.#jobs.get(id)
    if (job) return job
    throw new FailureError({ code: 'not_found', message: `unknown job ${id}` })
  }

  list(): JobState[] {
    return [...this.#jobs.values()].map(describeJob)
  }

  find(id: string): JobState | undefined {
    const job = this.#jobs.get(id)
    return job && describeJob(job)
  }

  takeOutput(id: string): string {
    const job = this.#take(id)
    const { unread } = job
    // The bytes of a character may be split between two reads. They are lost while the job runs; after its
    // end they are completed here.
    if (!job.state.running) unread.finish()
    job.unread = combineOutput(unreadBytes)
    return unread.capture.captured().text
  }

  async wait(id: string, ms: number, signal: AbortSignal): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    let cancel: () => void = () => undefined
    const over = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms)
      cancel = resolve
      signal.addEventListener('abort', cancel, { once: true })
      if (signal.aborted) resolve()
    })
    await Promise.race([this.#take(id).ended, over])
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
  }

  async stop(id: string): Promise<void> {
    const job = this.#take(id)
    if (job.state.running) job.state.stopped = true
    job.stop.abort()
    await job.ended
  }

  takeEnded(): JobState[] {
    const endedJobs = [...this.#jobs.values()].filter((job) => !job.state.running && !job.isReported)
    for (const job of endedJobs) job.isReported = true
    return endedJobs.map(describeJob)
  }

  isWaking(): boolean {
    return [...this.#jobs.values()].some((job) => job.wakes && !job.state.running && !job.isReported)
  }

  acknowledge(id: string): void {
    const job = this.#take(id)
    job.isReported ||= !job.state.running
  }

  nextEnd(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const wake = () => {
        this.#watchers.delete(wake)
        resolve()
      }
      const leave = () => {
        this.#watchers.delete(wake)
        reject(signal.reason)
      }
      this.#watchers.add(wake)
      signal.addEventListener('abort', leave, { once: true })
      if (signal.aborted) leave()
    })
  }

  /** Ends all jobs without reporting them. */
  async close(): Promise<void> {
    for (const { stop } of this.#jobs.values()) stop.abort()
    await Promise.all([...this.#jobs.values()].map(({ ended: jobEnd }) => jobEnd))
  }
}

const describeJob = ({ state, started }: LiveJob): JobState => ({
  ...state,
  ms: state.running ? Math.round(monotonicNow() - started) : state.ms,
})

async function* wholeOutput(outcome: CommandOutcome | undefined): AsyncGenerator<string> {
  if (outcome?.whole) yield* outcome.whole.text()
  else if (outcome) yield outcome.combined.text
}
