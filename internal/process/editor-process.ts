// The person's own editor on the terminal of the program, until it is closed.
import { spawn } from 'node:child_process'

/** Resolves to its exit code; rejects when it cannot be started. The terminal has to be free for it. */
export function runEditor(
  line: string,
  file: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    // a setting such as `code --wait` is a line of the shell
    const child = spawn('/bin/sh', ['-c', `${line} "$0"`, file], { stdio: 'inherit', env: { ...env } })
    child.once('error', reject)
    child.once('exit', resolve)
  })
}
