// The process's own streams and directory, and its signals turned into one abort signal.
import { fstatSync } from 'node:fs'
import type { CommandIo } from '../verb.ts'
import { type CommandOutput, openOut } from './command-output.ts'

export function openIo(): CommandIo {
  const stop = new AbortController()
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = code
      stop.abort(new Error(signal))
      if (signal === 'SIGHUP') void import('./hangup.ts').then(({ endByHangupAtExit }) => endByHangupAtExit())
      // a second signal ends at once
      process.once(signal, () => process.exit(code))
    })
  }
  return {
    // most commands never look at it, and opening it takes time
    get stdin() {
      return process.stdin
    },
    get piped() {
      return !fstatSync(0).isCharacterDevice()
    },
    stdout: openOut('stdout'),
    stderr: openOut('stderr'),
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    signal: stop.signal,
  }
}

/** Ctrl-C goes to the listener from now on, instead of ending the command. */
export function takeInterrupts(listener: () => void): void {
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', listener)
}

/** Writes to a stream and waits until the system has taken it. */
export function writeText(stream: Pick<CommandOutput, 'write'>, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

/** Reads standard input to its end, at most `limit` bytes. */
export async function readStdin(io: CommandIo, limit = 20 * 1024 * 1024): Promise<string> {
  const bytes = await readBytes(io, limit)
  if (!bytes) throw new Error(`standard input is longer than ${limit} bytes`)
  return bytes.toString('utf8')
}

/** The bytes of standard input, or undefined when there are more than `limit`. */
export async function readBytes(io: CommandIo, limit: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of io.stdin as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > limit) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
