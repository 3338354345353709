// Standard output and standard error: a first short text goes to the descriptor itself, the rest to a stream.
import { fstatSync, writeSync } from 'node:fs'
import { codeOf } from '../../../internal/base/errors.ts'
import { filterPrintedText } from '../../../internal/render/text/terminal-filter.ts'

/** What commands write to. */
export interface CommandOutput {
  readonly isTTY: boolean
  /** Cells of a terminal's width; undefined elsewhere. */
  readonly columns: number | undefined
  /**
   * Writes a text; on a terminal, without what could steer it. `done` comes when the system has taken the
   * text. When no program reads any more the process ends.
   */
  write(text: string, done?: (error?: Error | null) => void): unknown
  /** Writes cursor movement of our own, unfiltered: all other text in it must be filtered already. */
  draw(text: string): unknown
  /** Node's stream, for what drives a terminal. Unfiltered like `draw`. */
  readonly stream: NodeJS.WriteStream
}

/** Bytes that a pipe nobody has written to takes without making the writer wait. */
const roomy = 65_536

/** Opening Node's stream costs as much as reading a file with every check: only when it must be. */
export function openOut(name: 'stdout' | 'stderr'): CommandOutput {
  const fd = name === 'stdout' ? 1 : 2
  const isDevice = fstatSync(fd).isCharacterDevice()
  let stream: NodeJS.WriteStream | undefined
  let fresh = !isDevice
  const open = () => {
    fresh = false
    stream ??= process[name].on('error', giveUp)
    return stream
  }
  return {
    get isTTY() {
      return isDevice && open().isTTY === true
    },
    get columns() {
      // a pseudo terminal without a size has none
      return (isDevice && open().columns) || undefined
    },
    get stream() {
      return open()
    },
    draw: (text) => open().write(text),
    write(message, done) {
      const columns = name === 'stderr' && isDevice ? open().columns : undefined
      const safe = isDevice ? filterPrintedText(message) : message
      const text = columns ? foldMessage(safe, columns) : safe
      const bytes = Buffer.from(text)
      const sent = fresh && bytes.length <= roomy ? put(fd, bytes) : 0
      fresh = false
      if (sent === bytes.length) done?.()
      else open().write(bytes.subarray(sent), done)
    },
  }
}

/**
 * A message with its long lines broken between words, indented like their beginning. Lines with escape
 * sequences or with characters that may be wide stay as they are, and so do words that are longer than a
 * line.
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

/** The number of bytes taken: fewer than all where whoever made the pipe set it to never wait. */
function put(fd: number, bytes: Buffer): number {
  try {
    return writeSync(fd, bytes)
  } catch (error) {
    if (codeOf(error) === 'EAGAIN') return 0
    return giveUp(error as NodeJS.ErrnoException)
  }
}

/** A closed pipe ends quietly. */
function giveUp(error: NodeJS.ErrnoException): never {
  if (error.code === 'EPIPE') process.exit(0)
  // a full disk is the system's matter and no bug of ours
  process.stderr.write(`anode: the output could not be written: ${error.message}\n`)
  process.exit(1)
}
