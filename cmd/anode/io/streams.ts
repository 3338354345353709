// The streams and directory of the process, with its signals converted to one abort signal.
import { fstatSync } from 'node:fs'
import { UserError } from '../../../internal/base/errors.ts'
import { countNoun } from '../../../internal/base/text/count-noun.ts'
import type { CommandIo } from '../verb.ts'
import { type CommandOutput, openOut } from './command-output.ts'

/** Reason of the signal if the reader of a pipe has gone. */
export const closedPipe = new Error('the reader of the output has gone')

/**
 * Opens the streams. If the reader of a pipe has gone, a command that has read the signal ends its work as
 * after SIGHUP, so that a run is stored as interrupted; another command ends at once. Both end with code 0.
 */
export function openIo(): CommandIo {
  const stop = new AbortController()
  let isHeeded = false
  const leavePipe = () => {
    if (isHeeded) stop.abort(closedPipe)
    return isHeeded
  }
  for (const [signal, code] of [
    ['SIGHUP', 129],
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    process.once(signal, () => {
      process.exitCode = code
      stop.abort(new Error(signal))
      // A second signal of a user ends the process immediately. A closed window sends SIGHUP more than once:
      // the system and the shell send it, and an output that cannot be written counts as one.
      process.on(signal, () => signal === 'SIGHUP' || process.exit(code))
    })
  }
  return {
    // The stream is opened only when needed, because most commands do not read standard input and opening
    // it takes time.
    get stdin() {
      return process.stdin
    },
    get piped() {
      return !fstatSync(0).isCharacterDevice()
    },
    stdout: openOut('stdout', leavePipe),
    stderr: openOut('stderr', leavePipe),
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    get signal() {
      isHeeded = true
      return stop.signal
    },
  }
}

/** Makes Ctrl-C call the listener instead of ending the command. */
export function takeInterrupts(listener: () => void): void {
  process.removeAllListeners('SIGINT')
  process.on('SIGINT', listener)
}

/**
 * Writes a text to a stream. Resolves when the system has accepted the text, and rejects with the error of
 * the write. If the reader of a pipe has gone, the output ends the process.
 */
export function writeText(stream: Pick<CommandOutput, 'write'>, text: string): Promise<void> {
  return new Promise((resolve, reject) => stream.write(text, (error) => (error ? reject(error) : resolve())))
}

/**
 * Returns the text of standard input, read to its end. Throws UserError if it has more than `limit` bytes, by
 * default 20 MiB.
 */
export async function readStdin(io: CommandIo, limit = 20 * 1024 * 1024): Promise<string> {
  const bytes = await readBytes(io, limit)
  if (!bytes)
    throw new UserError(`standard input has more than ${countNoun(limit, 'byte')}`, {
      hint: 'write a shorter input, or put it into a file and name the file',
    })
  return bytes.toString('utf8')
}

/** Returns the bytes of standard input; undefined if there are more than `limit`. */
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
