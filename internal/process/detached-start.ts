// A new start of this program in a separate session that outlives the starting process.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { EnvironmentVariables } from '../base/environment.ts'
import { FailureError, messageOf } from '../base/errors.ts'
import { spawnFailure } from './spawn-failure.ts'

interface DetachedStart {
  cwd: string
  env: EnvironmentVariables
  /** Path of the script that Node runs. Default: this program, with the same options of Node. */
  program?: string
  /** Text that the program gets on standard input, which is then closed. `startDetached` ignores it. */
  input?: string
}

interface DetachedProcess {
  /**
   * Resolves when the program has ended: to the reason if it could not be started, otherwise to undefined.
   */
  ended: Promise<string | undefined>
  /** Sends TERM to the program. */
  terminate(): void
}

/**
 * Runs the program with `words`, without pipe, marker or watchdog. Throws FailureError `bad_args` for a NUL
 * byte in a word or variable, and `too_large` for words that exceed the limit of the system.
 */
export function startDetached(words: readonly string[], start: DetachedStart): DetachedProcess {
  const child = spawnProgram(words, start, 'ignore')
  return {
    ended: new Promise((resolve) => {
      child.once('error', (error) => resolve(messageOf(error)))
      child.once('exit', () => resolve(undefined))
    }),
    terminate: () => void child.kill('SIGTERM'),
  }
}

/**
 * Starts the program without waiting for its end. Resolves to the first line that the program writes, empty
 * if it ends without one. Rejects with FailureError `command_failed` if it cannot be started, and with the
 * errors of `startDetached`.
 */
export async function startAndForget(words: readonly string[], start: DetachedStart): Promise<string> {
  const child = spawnProgram(words, start, ['pipe', 'pipe', 'ignore'])
  const failed = new Promise<never>((_, reject) => {
    child.once('error', (error) => {
      const message = `${process.execPath} could not be started: ${messageOf(error)}`
      reject(new FailureError({ code: 'command_failed', message }))
    })
  })
  const { stdin, stdout } = child
  if (!stdin || !stdout) return failed
  stdin.on('error', () => undefined)
  stdin.end(start.input ?? '')
  const lines = createInterface({ input: stdout })
  const line = new Promise<string>((resolve) => {
    lines.once('line', resolve)
    lines.once('close', () => resolve(''))
  })
  try {
    return await Promise.race([line, failed])
  } finally {
    lines.close()
    stdout.destroy()
    child.unref()
  }
}

function spawnProgram(
  words: readonly string[],
  { cwd, env, program }: DetachedStart,
  stdio: 'ignore' | ['pipe', 'pipe', 'ignore'],
) {
  const args = program === undefined ? [...process.execArgv, process.argv[1] ?? ''] : [program]
  try {
    return spawn(process.execPath, [...args, ...words], { cwd, env: { ...env }, stdio, detached: true })
  } catch (error) {
    throw spawnFailure(error, process.execPath) ?? error
  }
}
