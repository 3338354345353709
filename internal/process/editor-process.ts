// Programs of the person's own: the editor and stty, which have the terminal until they end, notices, and the
// clipboard.
import { spawn } from 'node:child_process'

type Env = Readonly<Record<string, string | undefined>>

/** Resolves to its exit code; rejects when it cannot be started. The terminal has to be free for it. */
export function runEditor(line: string, file: string, env: Env): Promise<number | null> {
  // a setting such as `code --wait` is a line of the shell
  return runOnTerminal('/bin/sh', ['-c', `${line} "$1"`, 'sh', file], env)
}

/** As `runEditor`, for a program and its arguments. */
export function runOnTerminal(file: string, args: readonly string[], env: Env): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit', env: { ...env } })
    child.once('error', reject)
    child.once('exit', resolve)
  })
}

/**
 * Writes the text to a pager, a shell command that has the terminal until it ends. Resolves to its exit
 * code, null if a signal ended it; rejects if the shell cannot be started. Ctrl-C reaches only the pager.
 */
export function pageText(line: string, text: string, env: Env): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const listeners = process.listeners('SIGINT')
    process.removeAllListeners('SIGINT').on('SIGINT', ignore)
    const restore = () => {
      process.removeListener('SIGINT', ignore)
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
    // a pager that ends before it has read everything closes the pipe
    child.stdin.on('error', ignore).end(text)
  })
}

const ignore = () => undefined

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

interface TextProgram {
  /** Absolute path. */
  file: string
  args: readonly string[]
  env: Env
  input: Uint8Array
  timeoutMs: number
}

/**
 * Hands `input` to a program. Resolves to its exit code, null where it was not started or took too long. What
 * it leaves running goes on: a desktop's clipboard is empty once nobody serves it.
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
    // one that does not read is known by its exit
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
