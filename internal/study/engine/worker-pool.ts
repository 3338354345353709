// Worker processes of one study on this machine, each with several slots. They are started, replaced if they
// die, and ended with the study.
import { availableParallelism } from 'node:os'
import { UserError } from '../../base/errors.ts'
import type { OwnedProcess, SpawnProcess } from '../../process/process-command.ts'

interface WorkerPoolOptions {
  spawn: SpawnProcess
  /**
   * Program and arguments that start a worker. The worker reads one line of JSON from standard input, after
   * which `stopLine` may follow, and ends when the input is closed.
   */
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** Number of tasks that all processes together can do at once. */
  slots: number
  /** Returns the data that a worker with this number of slots gets on standard input. */
  order(slots: number): unknown
  /**
   * Called when a worker process has ended, to release its leases. If it rejects, each later `ensure`
   * throws that error.
   */
  gone(pid: number): Promise<void>
  /**
   * Aborts when the study has to stop. Workers then finish their step and end, and no further worker starts.
   */
  signal: AbortSignal
  /** Called with each line that a worker writes to standard error, and with the reason if a worker dies. */
  log(text: string): void
}

export interface WorkerPool {
  /**
   * Starts processes until they have at least `n` slots, or all slots if `n` is larger; starts nothing after
   * `close` or after `signal` has aborted. Throws UserError (exit 1) if five workers in a row have ended soon
   * after their start, and the errors of `spawn` and `gone`.
   */
  ensure(n: number): Promise<void>
  readonly pids: readonly number[]
  /** Ends the workers, after their current step or, with `force`, at once, and waits for their ends. */
  close(force: boolean): Promise<void>
}

/**
 * Limits for workers that end soon after their start: the milliseconds that count as soon, and the number of
 * consecutive early ends after which no worker is started.
 */
const tooSoonMs = 1500
const tooOften = 5

/**
 * Largest number of slots, which are tasks at the same time, of one process. There are at most two processes
 * for each processor; if these do not suffice for all slots, each process gets more.
 */
const slotsPerProcess = 8

/**
 * Returns the number of slots of each process. A worker of a model mostly waits for the network, so one
 * process has several slots.
 */
export function divideSlots(slots: number, processors = availableParallelism()): number[] {
  const processes = Math.min(Math.ceil(slots / slotsPerProcess), 2 * processors)
  return Array.from({ length: processes }, (_, i) => Math.floor((slots + i) / processes)).reverse()
}

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new LocalWorkerPool(options)
}

/**
 * Line on a worker's standard input which says that a user waits for its end. The mere end of the input does
 * not say that.
 */
export const stopLine = 'stop'

const tellToStop = ({ stdin }: OwnedProcess) => void (stdin.writable && stdin.end(`${stopLine}\n`))

class LocalWorkerPool implements WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #live = new Map<number, OwnedProcess>()
  readonly #ends = new Set<Promise<void>>()
  /**
   * Number of slots of each process. `#taken` has the positions in this list of processes that run or start.
   */
  readonly #shares: readonly number[]
  readonly #taken = new Set<number>()
  #early = 0
  #closing = false
  #last = ''
  #trouble: { error: unknown } | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    this.#shares = divideSlots(options.slots)
    const release = () => this.#release()
    options.signal.addEventListener('abort', release, { once: true })
    if (options.signal.aborted) release()
  }

  async ensure(n: number): Promise<void> {
    if (this.#trouble) throw this.#trouble.error
    const missing = this.#closing ? [] : this.#missingShares(n)
    if (missing.length === 0) return
    if (this.#early >= tooOften) {
      throw new UserError('worker processes end as soon as they have started', {
        exit: 1,
        hint: this.#last || undefined,
      })
    }
    await Promise.all(missing.map((share) => this.#start(share)))
  }

  /**
   * Returns the positions in `#shares` of the processes to start, so that these and the processes that
   * already run or start together have at least `n` slots, or all slots if `n` is larger.
   */
  #missingShares(n: number): number[] {
    let slots = [...this.#taken].reduce((sum, share) => sum + (this.#shares[share] ?? 0), 0)
    const missing: number[] = []
    for (const [share, more] of this.#shares.entries()) {
      if (slots >= n) break
      if (this.#taken.has(share)) continue
      missing.push(share)
      slots += more
    }
    return missing
  }

  get pids(): number[] {
    return [...this.#live.keys()]
  }

  /** Asks each worker to finish its step and end. No further worker starts. */
  #release(): void {
    this.#closing = true
    for (const child of this.#live.values()) tellToStop(child)
  }

  async close(force: boolean): Promise<void> {
    this.#closing = true
    await Promise.all(
      [...this.#live.values()].map(async (child) => {
        if (force) await child.stop()
        else child.stdin.end()
      }),
    )
    await Promise.all(this.#ends)
  }

  async #start(share: number): Promise<void> {
    const { spawn, file, args, cwd, env, order } = this.#options
    const began = performance.now()
    this.#taken.add(share)
    const child = await spawn({ file, args, cwd, env }).catch((error: unknown) => {
      this.#taken.delete(share)
      throw error
    })
    this.#live.set(child.pid, child)
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('utf8').split('\n')) if (line.trim() !== '') this.#tell(line)
    })
    child.stdin.write(`${JSON.stringify(order(this.#shares[share] ?? 1))}\n`)
    if (this.#closing) tellToStop(child)
    const tracked: Promise<void> = this.#awaitEnd(child, began, share)
      .catch((error: unknown) => {
        this.#trouble ??= { error }
      })
      .finally(() => this.#ends.delete(tracked))
    this.#ends.add(tracked)
  }

  async #awaitEnd(child: OwnedProcess, began: number, share: number): Promise<void> {
    const { exit, signal } = await child.exited
    this.#live.delete(child.pid)
    this.#taken.delete(share)
    await this.#options.gone(child.pid)
    if (this.#closing) return
    this.#early = performance.now() - began < tooSoonMs ? this.#early + 1 : 0
    if (exit !== 0) this.#tell(`worker ${child.pid} ended with ${signal ?? `exit ${exit}`}`)
  }

  #tell(text: string): void {
    this.#last = text
    this.#options.log(text)
  }
}
