// Programs of the person's own: the editor and stty, which have the terminal until they end, and notices.
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

/** One that takes longer hangs. */
const maxMs = 10_000

/** `text` is its last argument. One that cannot be started says nothing: the screen tells of it as well. */
export function runNoticeProgram(program: readonly string[], text: string, env: Env): void {
  const [file, ...args] = program
  if (file === undefined) return
  const options = { env: { ...env }, stdio: 'ignore', timeout: maxMs, killSignal: 'SIGKILL' } as const
  const child = spawn(file, [...args, text], options)
  child.on('error', () => undefined)
  child.unref()
}
