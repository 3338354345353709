// Machines of a study: each with its own home, data and copy of the corpus, around one real server; programs started and killed.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { plant } from './scratch.ts'
import { root } from './sources.ts'

const program = join(root, 'dist', 'anode.cjs')

export interface Running {
  readonly process: ChildProcess
  out(): string
  err(): string
  /** Resolves when standard output holds `text`; rejects when the program ends without it. */
  says(text: string): Promise<void>
  /** Exit code or signal. */
  readonly ended: Promise<number | string>
}

export interface Machine {
  readonly dir: string
  readonly data: string
  /** Starts Anode. `stdin`: `pipe` for a standard input that the test writes; default: none. */
  start(words: readonly string[], env?: Record<string, string>, stdin?: 'ignore' | 'pipe'): Running
  /** Runs to the end. */
  run(
    words: readonly string[],
    env?: Record<string, string>,
  ): Promise<{ code: number | string; out: string; err: string }>
}

export interface Machines {
  /** Creates a machine. `through`: a program with arguments that starts Anode. Default: Anode starts directly. */
  machine(files: Readonly<Record<string, string | Uint8Array>>, through?: readonly string[]): Machine
  /** Kills what still runs and removes all files. */
  clear(): Promise<void>
}

export function machines(): Machines {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-machines-')))
  const running = new Set<Running>()
  let count = 0
  return {
    machine(files, through = []) {
      const home = join(base, `m${++count}`)
      const dir = join(home, 'work')
      const data = join(home, 'data')
      mkdirSync(dir, { recursive: true })
      plant(dir, files)
      const start: Machine['start'] = (words, env = {}, stdin = 'ignore') => {
        const [file = '', ...before] = [...through, process.execPath]
        const child = spawn(file, [...before, program, ...words], {
          cwd: dir,
          env: { PATH: process.env.PATH, HOME: home, ANODE_DATA_DIR: data, ...env },
          stdio: [stdin, 'pipe', 'pipe'],
        })
        const one = follow(child)
        running.add(one)
        void one.ended.then(() => running.delete(one))
        return one
      }
      return {
        dir,
        data,
        start,
        run: async (words, env) => {
          const one = start(words, env)
          const code = await one.ended
          return { code, out: one.out(), err: one.err() }
        },
      }
    },
    async clear() {
      for (const one of running) one.process.kill('SIGKILL')
      await Promise.all([...running].map((one) => one.ended))
      rmSync(base, { recursive: true, force: true })
    },
  }
}

function follow(child: ChildProcess): Running {
  const text = { out: '', err: '' }
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text.out += part
  })
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    text.err += part
  })
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | string)
  return {
    process: child,
    out: () => text.out,
    err: () => text.err,
    ended,
    says: (wanted) =>
      new Promise((done, fail) => {
        const look = () => text.out.includes(wanted) && done()
        child.stdout?.on('data', look)
        void ended.then((end) => {
          look()
          fail(new Error(`ended (${end}) without "${wanted}":\n${text.out}\n${text.err}`))
        })
        look()
      }),
  }
}

/** Two documents, a question about both, and a script that answers it slowly. */
export const corpus: Readonly<Record<string, string>> = {
  'doc/lock.md': '# Locks\n\nThe store locks files with O_EXCL. A lock is held for at most 30 seconds.\n',
  'doc/crash.md':
    '# Crash\n\nAfter a crash the journal is replayed. A crash never loses an acknowledged line.\n',
}
export const question = 'How does the store lock files, and what is the journal for after a crash?'

/** Replies for the two tasks, `delayMs` before each. */
export function slowScript(delayMs: number): string {
  const task = (id: string, path: string, quote: string) =>
    [
      { calls: [{ name: 'read', args: { path } }] },
      { calls: [{ name: 'grep', args: { pattern: quote } }] },
      { calls: [{ name: 'glob', args: { pattern: '**/*.md' } }] },
      { text: 'finished', claims: [{ text: `It says ${quote}.`, evidence: `E${id.slice(1)}.1`, quote }] },
    ].map((reply) => ({ task: id, delay_ms: delayMs, usage: { in: 100, out: 10 }, ...reply }))
  return [
    ...task('t1', 'doc/lock.md', 'locks files with O_EXCL'),
    ...task('t2', 'doc/crash.md', 'the journal is replayed'),
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}
