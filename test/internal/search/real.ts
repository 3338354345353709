// What the search tests share: a plain runner of real processes, and trees of files on disk.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll } from 'vitest'
import { FailureError } from '../../../internal/base/errors.ts'
import type { Captured, Outcome, Run } from '../../../internal/process/command.ts'
import { type Means, programs } from '../../../internal/search/ripgrep.ts'

/** Runs a child process, without the care that the real runner takes. */
export const run: Run = (command) =>
  new Promise<Outcome>((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env ?? process.env,
      stdio: [command.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const kept: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
    let ended: Outcome['ended']
    const stop = (why: Outcome['ended']) => {
      ended ??= why
      child.kill('SIGKILL')
    }
    const timer = command.timeoutMs ? setTimeout(() => stop('timeout'), command.timeoutMs) : undefined
    const cancel = () => stop('cancelled')
    command.signal?.addEventListener('abort', cancel)
    if (command.signal?.aborted) cancel()
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.on('data', (chunk: Buffer) => {
        kept[stream].push(chunk)
        command.onOutput?.(chunk, stream)
      })
    }
    child.on('error', (cause) => {
      const message = `${command.file} could not be started`
      reject(new FailureError({ code: 'not_found', message }, cause))
    })
    child.on('close', (exit, signal) => {
      clearTimeout(timer)
      command.signal?.removeEventListener('abort', cancel)
      const capture = (stream: 'stdout' | 'stderr'): Captured => {
        const bytes = Buffer.concat(kept[stream])
        return { bytes: bytes.length, text: bytes.toString('utf8'), cut: false, invalid: false }
      }
      const ms = performance.now() - started
      resolve({ exit, signal, ended, ms, stdout: capture('stdout'), stderr: capture('stderr'), leaked: 0 })
    })
    child.stdin?.end(command.input)
  })

export function means(rest: Partial<Means> = {}): Means {
  return { run, signal: new AbortController().signal, timeoutMs: 20_000, programs: programs(), ...rest }
}

const made: string[] = []
afterAll(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true })
})

/** A temporary folder with these files; removed at the end of the test file. */
export function plant(files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-search-')))
  made.push(dir)
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), content)
  }
  return dir
}

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function random(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}
