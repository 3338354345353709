// Programs that have the terminal of this one to themselves until they end: the person's editor, stty.
import { spawn } from 'node:child_process'

type Env = Readonly<Record<string, string | undefined>>

/** Resolves to its exit code; rejects when it cannot be started. The terminal has to be free for it. */
export function runEditor(line: string, file: string, env: Env): Promise<number | null> {
  // a setting such as `code --wait` is a line of the shell
  return runOnTerminal('/bin/sh', ['-c', `${line} "$0"`, file], env)
}

/** As `runEditor`, for a program and its arguments. */
export function runOnTerminal(file: string, args: readonly string[], env: Env): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...env } })
    child.once('error', reject)
    child.once('exit', resolve)
  })
}
