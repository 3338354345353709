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
  const { file, args, cwd, env, order, gone, log } = options
  const live = new Map<number, OwnedProcess>()
  const ends = new Set<Promise<void>>()
  let starting = 0
  let early = 0
  let closing = false
  let last = ''
  let trouble: { error: unknown } | undefined

  const tell = (text: string) => {
    last = text
    log(text)
  }
  const start = async () => {
    const began = performance.now()
    const child = await options.spawn({ file, args, cwd, env })
    live.set(child.pid, child)
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => {
      for (const line of chunk.toString('utf8').split('\n')) if (line.trim() !== '') tell(line)
    })
    if (order !== undefined) child.stdin.write(`${JSON.stringify(order)}\n`)
    const end = child.exited.then(async ({ exit, signal }) => {
      live.delete(child.pid)
      await gone(child.pid)
      if (closing) return
      early = performance.now() - began < tooSoonMs ? early + 1 : 0
      if (exit !== 0) tell(`worker ${child.pid} ended with ${signal ?? `exit ${exit}`}`)
    })
    const tracked: Promise<void> = end
      .catch((error: unknown) => {
        trouble ??= { error }
      })
      .finally(() => ends.delete(tracked))
    ends.add(tracked)
  }
  return {
    async ensure(n) {
      const missing = n - live.size - starting
      if (trouble) throw trouble.error
      if (closing || missing <= 0) return
      if (early >= tooOften) {
        throw new UserError('worker processes end as soon as they have started', {
          exit: 1,
          ...(last !== '' && { hint: last }),
        })
      }
      starting += missing
      try {
        await Promise.all(Array.from({ length: missing }, start))
      } finally {
        starting -= missing
      }
    },
    get pids() {
      return [...live.keys()]
    },
    async close(force) {
      closing = true
      await Promise.all(
        [...live.values()].map(async (child) => {
          if (force || order === undefined) await child.stop()
          else child.stdin.end()
        }),
      )
      await Promise.all(ends)
    },
  }
}
