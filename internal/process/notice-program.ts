// Runs a program of the person's own that tells them something, and waits for nothing of it.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/** One that takes longer hangs. */
const maxMs = 10_000

/** `text` is its last argument. One that cannot be started says nothing: the screen tells of it as well. */
export function runNoticeProgram(program: readonly string[], text: string, env: EnvironmentVariables): void {
  const [file, ...args] = program
  if (file === undefined) return
  const options = { env: { ...env }, stdio: 'ignore', timeout: maxMs, killSignal: 'SIGKILL' } as const
  const child = spawn(file, [...args, text], options)
  child.on('error', () => undefined)
  child.unref()
}
