// Programs of the user: the editor, the pager and stty, which use the terminal until they exit, notice
// programs, and clipboard programs.
import { spawn } from 'node:child_process'
import type { EnvironmentVariables } from '../base/environment.ts'

/**
 * Resolves to the exit code of the editor, null if a signal ended it; rejects if it cannot be started. The
 * caller must not use the terminal meanwhile.
 */
export function runEditor(line: string, file: string, env: EnvironmentVariables): Promise<number | null> {
  // The setting is a shell command, such as `code --wait`.
  return runOnTerminal('/bin/sh', ['-c', `${line} "$1"`, 'sh', file], env)
}

/** Runs a program with arguments on the terminal, as `runEditor` does. */
export function runOnTerminal(
  file: string,
  args: readonly string[],
  env: EnvironmentVariables,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...env } })
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/**
 * Writes the text to a pager, a shell command that uses the terminal until it exits. Resolves to its exit
 * code, null if a signal ended it; rejects if the shell cannot be started. Ctrl-C reaches only the pager.
 */
export function pageText(line: string, text: string, env: EnvironmentVariables): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const listeners = process.listeners('SIGINT')
    process.removeAllListeners('SIGINT').on('SIGINT', doNothing)
    const restore = () => {
      process.removeListener('SIGINT', doNothing)
      for (const listener of listeners) process.on('SIGINT', listener)
    }
    const child = spawn('/bin/sh', ['-c', line], { stdio: ['pipe', 'inherit', 'inherit'], env: { ...env } })
    child.once('error', (error) => {
      restore()
      reject(error)
    })
    child.once('exit', (exit) => {
      restore()
      resolve(exit)
    })
    // a pager that exits before it has read everything closes the pipe
    child.stdin.on('error', doNothing).end(text)
  })
}

const doNothing = () => undefined

/** Time limit of a notice program in milliseconds. A longer run is a hang. */
const maxMs = 10_000

/**
 * Runs a notice program with `text` as its last argument. A failed start is ignored, because the screen shows
 * the notice as well.
 */
export function runNoticeProgram(program: readonly string[], text: string, env: EnvironmentVariables): void {
  const [file, ...args] = program
  if (file === undefined) return
  const options = { env: { ...env }, stdio: 'ignore', timeout: maxMs, killSignal: 'SIGKILL' } as const
  try {
    const child = spawn(file, [...args, text], options)
    child.on('error', () => undefined)
    child.unref()
  } catch {
    // a text with a NUL byte, or longer than the system accepts as an argument
  }
}

interface TextProgram {
  /** Absolute path of the program. */
  file: string
  args: readonly string[]
  env: EnvironmentVariables
  input: Uint8Array
  timeoutMs: number
}

/**
 * Writes `input` to a program. Resolves to its exit code, null if it did not start, took too long, or was
 * ended by a signal. If it ends in time, its child processes keep running, because a clipboard is empty once
 * its program exits.
 */
export function giveToProgram({ file, args, env, input, timeoutMs }: TextProgram): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(file, args, {
      cwd: '/',
      env: { ...env },
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    const timer = setTimeout(() => endGroup(child.pid), timeoutMs)
    const end = (exit: number | null) => {
      clearTimeout(timer)
      resolve(exit)
    }
    child.once('error', () => end(null)).once('exit', end)
    // A program that does not read its input is noticed by its exit, so a broken pipe is ignored.
    child.stdin.on('error', () => undefined).end(input)
  })
}

function endGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // it has ended
  }
}
