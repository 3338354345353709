// Runs lines in the real bash, where every program on PATH only writes down that it was called.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { folder, remove } from '../policies.ts'

/** Programs that are really there, because what they run is the question. */
const real = ['bash', 'sh', 'env', 'xargs', 'timeout', 'nice', 'nohup', 'find', 'cat']

export interface Recorder {
  /** The argument vectors of all recorded programs, in no order, and the files that came to be. */
  run(line: string): { ran: string[][]; files: string[] }
  end(): void
}

/** `names` are the programs that exist; each call is recorded, none does anything. */
export function record(names: readonly string[]): Recorder {
  const dir = folder('bin', 'cwd')
  let runs = 0
  for (const name of names) {
    const path = join(dir, 'bin', name)
    writeFileSync(path, `#!/bin/sh\nprintf '%s\\0' "\${0##*/}" "$@" '\u0001' >> "\${0%/*}.log"\n`)
    chmodSync(path, 0o755)
  }
  for (const name of real) {
    const path = ['/bin', '/usr/bin'].map((at) => join(at, name)).find((at) => existsSync(at))
    if (path) symlinkSync(path, join(dir, 'bin', name))
  }
  return {
    run: (line) => {
      // a PATH of its own for each run: what an earlier line left running writes to another log
      const bin = join(dir, `bin-${runs++}`)
      const log = `${bin}.log`
      symlinkSync('bin', bin)
      rmSync(join(dir, 'cwd'), { recursive: true, force: true })
      mkdirSync(join(dir, 'cwd'))
      const env = { PATH: bin, HOME: dir, LC_ALL: 'C.UTF-8' }
      // `wait` at the end is not possible without changing the line: background commands get a moment
      const options = {
        cwd: join(dir, 'cwd'),
        env,
        timeout: 5_000,
        killSignal: 'SIGKILL' as const,
        stdio: 'ignore' as const,
      }
      spawnSync('/bin/bash', ['-c', line], options)
      if (/[&(]|coproc/.test(line)) spawnSync('/bin/sleep', ['0.03'])
      const text = existsSync(log) ? readFileSync(log, 'utf8') : ''
      const calls = text.split('\u0001\0').filter((call) => call !== '')
      return { ran: calls.map((call) => call.split('\0').slice(0, -1)), files: readdirSync(join(dir, 'cwd')) }
    },
    end: () => remove(dir),
  }
}
