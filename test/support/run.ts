// A small real process runner for tests of parts that take a Run: own group, killed whole at its time limit.
import { spawn } from 'node:child_process'
import { FailureError } from '../../internal/base/errors.ts'
import type { Captured, Outcome, Run } from '../../internal/process/command.ts'

/** Runs the command; output is kept whole. */
export const run: Run = (command) =>
  new Promise<Outcome>((resolve, reject) => {
    const started = performance.now()
    const child = spawn(command.file, [...command.args], {
      cwd: command.cwd,
      env: command.env ?? { PATH: process.env.PATH, HOME: process.env.HOME },
      detached: true,
    })
    const chunks: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
    child.stdout.on('data', (chunk: Buffer) => chunks.stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
    let ended: Outcome['ended']
    const end = (why: 'timeout' | 'cancelled') => {
      ended ??= why
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
    const timer = command.timeoutMs && setTimeout(() => end('timeout'), command.timeoutMs)
    command.signal?.addEventListener('abort', () => end('cancelled'))
    child.on('error', (cause) =>
      reject(new FailureError({ code: 'not_found', message: cause.message }, cause)),
    )
    child.on('close', (exit, signal) => {
      clearTimeout(timer)
      const ms = performance.now() - started
      resolve({
        exit,
        signal,
        ended,
        ms,
        stdout: captured(chunks.stdout),
        stderr: captured(chunks.stderr),
        leaked: 0,
      })
    })
    // a program that does not read its input closes the pipe, which is its right
    child.stdin.on('error', () => child.stdin.destroy())
    child.stdin.end(command.input ?? '')
  })

function captured(chunks: Buffer[]): Captured {
  const whole = Buffer.concat(chunks)
  return { bytes: whole.length, text: whole.toString('utf8'), cut: false, invalid: false }
}
