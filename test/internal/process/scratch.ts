// A temporary directory and a runner in it, both gone after the test.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { ProcessCommand } from '../../../internal/process/process-command.ts'
import {
  createRunner,
  type ProcessRunner,
  type RunnerOptions,
} from '../../../internal/process/run-command.ts'

export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'anode-process-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Without the locale of this machine: where it is not installed, bash writes a warning to standard error. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(LANG|LANGUAGE|LC_.*)$/.test(name)),
)

export function runnerIn(dataDir: string, rest: Partial<RunnerOptions> = {}): ProcessRunner {
  const runner = createRunner({ dataDir, env, ...rest })
  onTestFinished(() => runner.close())
  return runner
}

/** Returns the running processes with `text` in their command or environment. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      try {
        const state = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)
        const notices =
          readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8')
        return !state?.startsWith('Z') && notices.includes(text)
      } catch {
        return false
      }
    })
    .map(Number)
}

/** A shell script as a command. */
export const bash = (script: string, cwd: string, rest: Partial<ProcessCommand> = {}): ProcessCommand => ({
  file: 'bash',
  args: ['-c', script],
  cwd,
  ...rest,
})
