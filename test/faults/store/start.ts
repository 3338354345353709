// A helper that builds the child program, starts it as a real process, and reads its acknowledgements.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { root as project } from '../../support/sources.ts'

export interface Child {
  process: ChildProcess
  /** Whole lines so far, split at spaces; a line that a kill has cut short is not among them. */
  lines(): string[][]
  /** Resolves with the first line that begins with `word`. Rejects if the child process ends without one. */
  seen(word: string): Promise<string[]>
  /** Resolves with exit code or signal. */
  ended: Promise<number | string>
  /** Kills it at once and waits for its end. */
  kill(): Promise<void>
}

export interface Ground {
  /** A fresh directory for the data of one test. */
  fresh(): string
  start(dir: string, ...args: string[]): Child
  /** Kills what still runs and removes all files. */
  clear(): Promise<void>
}

/** Builds the program once, `entry` or that of the store; to be cleared after all tests of the file. */
export async function prepare(entry = join(import.meta.dirname, 'child.ts')): Promise<Ground> {
  const root = mkdtempSync(join(tmpdir(), 'anode-faults-'))
  const program = join(root, 'child.mjs')
  await build({
    entryPoints: [entry],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
    loader: { '.md': 'text', '.lua': 'text' },
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'\nconst require = makeRequire(import.meta.url)",
    },
  })
  // the bundle looks for SQLite next to itself
  symlinkSync(join(project, 'dist', 'sqlite'), join(root, 'sqlite'))
  const running = new Set<Child>()
  let count = 0
  return {
    fresh: () => join(root, `data-${++count}`),
    start: (dir, ...args) => {
      const child = follow(
        spawn(process.execPath, [program, dir, ...args], { stdio: ['ignore', 'pipe', 'inherit'] }),
      )
      running.add(child)
      void child.ended.then(() => running.delete(child))
      return child
    },
    clear: async () => {
      await Promise.all([...running].map((child) => child.kill()))
      rmSync(root, { recursive: true, force: true })
    },
  }
}

function follow(child: ChildProcess): Child {
  let text = ''
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  const lines = () =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => line.split(' '))
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  return {
    process: child,
    lines,
    ended,
    seen: (word) =>
      new Promise((done, fail) => {
        const look = () => {
          const found = lines().find((line) => line[0] === word)
          if (found) done(found)
        }
        child.stdout?.on('data', look)
        void ended.then((end) => {
          look()
          fail(new Error(`the child ended (${end}) without "${word}":\n${text.slice(-2000)}`))
        })
        look()
      }),
    kill: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Runs `work` for each item, at most `width` at a time. */
export async function crowd<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  const rest = items[Symbol.iterator]()
  const lane = async () => {
    for (let next = rest.next(); !next.done; next = rest.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, lane))
}

/** Returns the number of rounds: `short` in the normal run, ANODE_FAULTS in a long one. */
export function rounds(short: number): number {
  return Number(process.env['ANODE_FAULTS'] ?? 0) || short
}

/** True for the long form. */
export const long = (): boolean => Boolean(process.env['ANODE_FAULTS'])

/** Numbers in [0, 1) from a seed, which the report names. */
export const seed = Number(process.env['SEED'] ?? 1 + (Date.now() % 1_000_000))

export function random(from = seed): () => number {
  let state = from
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

/** Prints the result in a line that a script reads. */
export function report(what: string, survived: number, tried: number): void {
  console.log(`fault ${what}: survived ${survived}/${tried} (seed ${seed})`)
}

export const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
