// A runner of commands in the real bash, where every program on PATH only records its call.
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

/** Real programs, because the tests check what they run. */
const real = ['bash', 'sh', 'env', 'xargs', 'timeout', 'nice', 'nohup', 'find', 'cat']

export interface Recorder {
  /** Runs a command. Returns the argument vectors of all recorded programs, unordered, and the new files. */
  run(line: string): { ran: string[][]; files: string[] }
  end(): void
}

/** Creates the programs `names`. Each records its calls and does nothing else. */
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
      // a new PATH for each run, because background processes of earlier commands write to another log
      const bin = join(dir, `bin-${runs++}`)
      const log = `${bin}.log`
      symlinkSync('bin', bin)
      rmSync(join(dir, 'cwd'), { recursive: true, force: true })
      mkdirSync(join(dir, 'cwd'))
      const env = { PATH: bin, HOME: dir, LC_ALL: 'C.UTF-8' }
      // A final `wait` would change the command, so background commands get a moment.
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
