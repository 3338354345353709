// Standard output and standard error. Except on a device such as a terminal, a first short text is written
// directly to the file descriptor; all other text goes to a stream.
import { fstatSync, writeSync } from 'node:fs'
import { codeOf } from '../../../internal/base/errors.ts'
import { filterPrintedText } from '../../../internal/render/text/terminal-filter.ts'

export interface CommandOutput {
  readonly isTTY: boolean
  /** The width of the terminal in cells; undefined if it is unknown or the output is not a terminal. */
  readonly columns: number | undefined
  /**
   * Writes a text; on a terminal, without control sequences except those for colors and type styles, and on
   * standard error wrapped to the width. Calls `done` when the system has accepted the text. A failed write
   * ends the process; if the reader of a pipe has gone, `onClosed` may end the work instead.
   */
  write(text: string, done?: (error?: Error | null) => void): unknown
  /** Writes Anode's own cursor movements without a filter. All other text in it must be filtered already. */
  draw(text: string): unknown
  /** Node's stream, for code that controls a terminal. It has no filter, like `draw`. */
  readonly stream: NodeJS.WriteStream
}

/**
 * Largest size in bytes of a first text that is written directly, because an empty pipe accepts this size
 * without blocking. A larger text uses Node's stream.
 */
const roomy = 65_536

/**
 * Opens an output. Node's stream is opened only when necessary, because opening it takes time. `onClosed` is
 * called when the reader of a pipe has gone, and returns true if the work stops by itself; the rest of
 * the output is then dropped.
 */
export function openOut(name: 'stdout' | 'stderr', onClosed: () => boolean = () => false): CommandOutput {
  const fd = name === 'stdout' ? 1 : 2
  const isDevice = fstatSync(fd).isCharacterDevice()
  let stream: NodeJS.WriteStream | undefined
  let fresh = !isDevice
  let isClosed = false
  const lose = (error: NodeJS.ErrnoException) => {
    isClosed ||= error.code === 'EPIPE' && onClosed()
    if (!isClosed) (isDevice ? loseDevice : giveUp)(error)
  }
  const open = () => {
    fresh = false
    stream ??= process[name].on('error', lose)
    return stream
  }
  return {
    get isTTY() {
      return isDevice && open().isTTY === true
    },
    get columns() {
      // A pseudo terminal without a size reports zero columns, which counts as unknown.
      return (isDevice && open().columns) || undefined
    },
    get stream() {
      return open()
    },
    draw: (text) => isClosed || open().write(text),
    write(message, done) {
      if (isClosed) return done?.()
      const columns = name === 'stderr' && isDevice ? open().columns : undefined
      const safe = isDevice ? filterPrintedText(message) : message
      const text = columns ? foldMessage(safe, columns) : safe
      const bytes = Buffer.from(text)
      const sentBytes = fresh && bytes.length <= roomy ? writeBytes(fd, bytes, lose) : 0
      fresh = false
      if (isClosed || sentBytes === bytes.length) return done?.()
      // The error is handled by the stream's listener, which this callback precedes.
      open().write(bytes.subarray(sentBytes), (error) => done?.(codeOf(error) === 'EPIPE' ? null : error))
    },
  }
}

/**
 * Returns a message with its long lines wrapped between words and indented like their first line. Lines with
 * escape sequences, or with characters other than Latin letters and common signs, are not wrapped, nor are
 * words longer than a line.
 */
export function foldMessage(text: string, columns: number): string {
  return text
    .split('\n')
    .map((line) =>
      line.length <= columns || !/^[\x20-\u024f\u2010-\u2026]*$/.test(line) ? line : foldLine(line, columns),
    )
    .join('\n')
}

function foldLine(line: string, columns: number): string {
  const indent = /^ */.exec(line)?.[0] ?? ''
  const lines = ['']
  for (const word of line.match(/ *[^ ]+/g) ?? []) {
    const last = lines.at(-1) as string
    if (last.length + word.length <= columns || last === '') lines[lines.length - 1] = last + word
    else lines.push(indent + word.trimStart())
  }
  return lines.join('\n')
}

/**
 * Writes bytes to the file descriptor and returns how many were written. If the creator of the pipe made it
 * non-blocking and it is full, the number is smaller, also 0. Calls `lose` with the error of a failed write.
 */
function writeBytes(fd: number, bytes: Buffer, lose: (error: NodeJS.ErrnoException) => void): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (codeOf(error) !== 'EAGAIN') lose(error as NodeJS.ErrnoException)
    return 0
  }
}

/**
 * Stops the work of the process like SIGHUP if the terminal was closed, which sends no signal to a job in the
 * background of a shell that has ended. Ends the process after other errors.
 */
function loseDevice(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EIO') giveUp(error)
  if (!process.emit('SIGHUP', 'SIGHUP')) process.exit(129)
}

/**
 * Ends the process after a write error: with code 0 and without a message if the pipe is closed, else
 * with code 1.
 */
function giveUp(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  // A full disk is not a bug of Anode, so the error is reported in one line.
  process.stderr.write(`anode: the output could not be written: ${error.message}\n`)
  process.exit(1)
}
