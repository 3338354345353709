// A run of the built program that a test communicates with: lines out, lines in, signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Done, World } from './anode.ts'
import { root } from './sources.ts'

export interface Live {
  readonly pid: number
  readonly child: ChildProcess
  /** Returns all standard output so far. */
  out(): string
  send(value: unknown): void
  /** Ends standard input. */
  end(): void
  /** Resolves when standard output, or standard error, matches. Rejects if the program ends before. */
  until(pattern: RegExp, stream?: 'out' | 'err'): Promise<RegExpExecArray>
  done: Promise<Done & { signal: NodeJS.Signals | null }>
}

/** Starts `anode <words>` in the world's workspace; standard input stays open until `end`. */
export function live(at: World, words: readonly string[], env: Record<string, string> = {}): Live {
  const child = spawn(process.execPath, [join(root, 'dist', 'anode.cjs'), ...words], {
    cwd: at.dir,
    env: { PATH: process.env.PATH, HOME: at.dir, ANODE_DATA_DIR: at.data, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let out = ''
  let err = ''
  let closed = false
  const watchers = new Set<() => void>()
  const look = () => {
    for (const watcher of [...watchers]) watcher()
  }
  child.stdin.on('error', () => undefined)
  child.stdout.on('data', (chunk) => {
    out += chunk
    look()
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
    look()
  })
  const done = new Promise<Done & { signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      closed = true
      look()
      resolve({ code, signal, out, err })
    })
  })
  return {
    pid: child.pid as number,
    child,
    out: () => out,
    send: (value) => void child.stdin.write(`${JSON.stringify(value)}\n`),
    end: () => void child.stdin.end(),
    until: (pattern, stream = 'out') =>
      new Promise((resolve, reject) => {
        const watcher = () => {
          const match = pattern.exec(stream === 'out' ? out : err)
          if (!match && !closed) return
          watchers.delete(watcher)
          if (match) resolve(match)
          else reject(new Error(`ended without ${pattern}: ${out}\n${err}`))
        }
        watchers.add(watcher)
        watcher()
      }),
    done,
  }
}
