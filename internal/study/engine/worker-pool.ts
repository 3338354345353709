// The worker processes of one study on this machine: started, replaced when they die, ended with it.
import { UserError } from '../../base/errors.ts'
import type { OwnedProcess, SpawnProcess } from '../../process/process-command.ts'

interface WorkerPoolOptions {
  spawn: SpawnProcess
  /**
   * Program and words that start a worker; it reads one line of JSON from standard input and ends when that
   * closes.
   */
  file: string
  args: readonly string[]
  cwd: string
  env: Readonly<Record<string, string>>
  /** What a worker gets on standard input; undefined: nothing. */
  order: unknown
  /** A worker is gone: whatever it held is free. What this throws, the next `ensure` does. */
  gone(pid: number): Promise<void>
  /** Aborts when the study is to stop: workers are told at once, and none is started any more. */
  signal: AbortSignal
  /** Called with what workers say on standard error, and how they died. */
  log(text: string): void
}

export interface WorkerPool {
  /** Sees to it that `n` workers are there. Throws UserError (exit 1) once they do nothing but die. */
  ensure(n: number): Promise<void>
  readonly pids: readonly number[]
  /** Lets each finish its step; `force`: ends them now. */
  close(force: boolean): Promise<void>
}

/** Deaths within this time of the start, in a row, after which nobody is started any more. */
const tooSoonMs = 1500
const tooOften = 5

export function createWorkerPool(options: WorkerPoolOptions): WorkerPool {
  return new LocalWorkerPool(options)
}

/** The line after the order that says that somebody waits for the end; a mere end of input does not. */
export const stopLine = 'stop'

const tellToStop = ({ stdin }: OwnedProcess) => void (stdin.writable && stdin.end(`${stopLine}\n`))

class LocalWorkerPool implements WorkerPool {
  readonly #options: WorkerPoolOptions
  readonly #live = new Map<number, OwnedProcess>()
  readonly #ends = new Set<Promise<void>>()
  #starting = 0
  #early = 0
  #closing = false
  #last = ''
  #trouble: { error: unknown } | undefined

  constructor(options: WorkerPoolOptions) {
    this.#options = options
    const release = () => this.#release()
    options.signal.addEventListener('abort', release, { once: true })
    if (options.signal.aborted) release()
  }

  async ensure(n: number): Promise<void> {
    const missing = n - this.#live.size - this.#starting
    if (this.#trouble) throw this.#trouble.error
    if (this.#closing || missing <= 0) return
    if (this.#early >= tooOften) {
      throw new UserError('worker processes end as soon as they have started', {
        exit: 1,
        hint: this.#last || undefined,
      })
    }
    this.#starting += missing
    try {
      await Promise.all(Array.from({ length: missing }, () => this.#start()))
    } finally {
      this.#starting -= missing
    }
  }

  get pids(): number[] {
    return [...this.#live.keys()]
  }

  /** Each finishes its step, or does not when that takes too long, and ends. */
  #release(): void {
    this.#closing = true
    for (const child of this.#live.values()) tellToStop(child)
  }

  async close(force: boolean): Promise<void> {
    this.#closing = true
    await Promise.all(
      [...this.#live.values()].map(async (child) => {
        if (force || this.#options.order === undefined) await child.stop()
        else child.stdin.end()
      }),
    )
    await Promise.all(this.#ends)
  }

  async #start(): Promise<void> {
    const { spawn, file, args, cwd, env, order } = this.#options
    const began = performance.now()
    const child = await spawn({ file, args, cwd, env })
    this.#live.set(child.pid, child)
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('utf8').split('\n')) if (line.trim() !== '') this.#tell(line)
    })
    if (order !== undefined) child.stdin.write(`${JSON.stringify(order)}\n`)
    if (this.#closing) tellToStop(child)
    const tracked: Promise<void> = this.#awaitEnd(child, began)
      .catch((error: unknown) => {
        this.#trouble ??= { error }
      })
      .finally(() => this.#ends.delete(tracked))
    this.#ends.add(tracked)
  }

  async #awaitEnd(child: OwnedProcess, began: number): Promise<void> {
    const { exit, signal } = await child.exited
    this.#live.delete(child.pid)
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
