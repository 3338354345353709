// Parser of ripgrep's output with --heading and --null. It parses file names and lines with
// any bytes correctly.
import { type ByteName, textOfBytes } from '../../base/text/byte-name.ts'
import type { FileHits, HitLine } from '../hit-buffer.ts'

interface OutputLimits {
  /** Largest number of matching lines of a file that are stored. Further ones are only counted. */
  max: number
  /**
   * Number of context lines after a match. A context line farther from the last stored match is not stored.
   */
  context: number
  /**
   * Number of characters of a file's lines after which no further line of it is stored, but
   * matches are counted.
   */
  room: number
}

/** Receiver of the matches in each file. */
interface HitSink {
  beyond(name: ByteName): boolean
  drop(matches: number): void
  add(hits: FileHits): void
}

/**
 * Length in bytes above which ripgrep shortens a line. Of a line with more than `windowChars` bytes, only the
 * text around the match is shown.
 */
export const maxLineBytes = 16_384
const windowChars = 1_000
const before = 200

/**
 * Creates a reader of ripgrep's output. In it a path ends with a NUL, a line of a file begins with its
 * number, and an empty line ends the file, so content and names cannot be confused. `admit` decides
 * which files count.
 */
export function createHitReader(
  limits: OutputLimits,
  admit: (name: ByteName) => boolean,
  sink: HitSink,
): HitReader {
  return new HitReader(limits, admit, sink)
}

class HitReader {
  readonly #limits: OutputLimits
  readonly #admit: (name: ByteName) => boolean
  readonly #sink: HitSink
  #rest = ''
  #file: FileHits | undefined
  #mode: 'keep' | 'count' | 'skip' = 'skip'
  #matches = 0
  #last = 0
  #bytes = 0
  #binary = false

  constructor(limits: OutputLimits, admit: (name: ByteName) => boolean, sink: HitSink) {
    this.#limits = limits
    this.#admit = admit
    this.#sink = sink
  }

  take(chunk: Buffer): void {
    this.#rest = this.#feed(this.#rest + chunk.toString('latin1'))
  }

  /** Ends the last file. `binary` is true if ripgrep found a match in a binary file, where it stops. */
  end(): { binary: boolean } {
    this.#close()
    return { binary: this.#binary || /: binary file matches/.test(this.#rest) }
  }

  /** Reads the complete lines in `text` and returns the incomplete rest. */
  #feed(text: string): string {
    let at = 0
    for (;;) {
      if (this.#file === undefined) {
        const end = text.indexOf('\0', at)
        if (end === -1) break
        this.#open(text.slice(at + 2, end))
        at = end + 1
      }
      // A notice about the file contains its name again, which may contain line ends, so the bytes of the
      // name are skipped before the end of the line is searched.
      const notice = text[at] === '.'
      const end = text.indexOf('\n', notice ? at + 2 + (this.#file as FileHits).name.length : at)
      if (end === -1) break
      if (notice) this.#binary = true
      else if (isBlank(text, at, end)) this.#close()
      else if (isDigit(text.charCodeAt(at))) this.#readLine(text, at, end)
      at = end + 1
    }
    return text.slice(at)
  }

  #open(name: ByteName): void {
    this.#mode = !this.#admit(name) ? 'skip' : this.#sink.beyond(name) ? 'count' : 'keep'
    this.#file = { name, lines: [], matches: 0 }
    this.#matches = this.#last = this.#bytes = 0
  }

  #close(): void {
    const matches = this.#matches
    if (this.#file && matches > 0 && this.#mode === 'keep') this.#sink.add({ ...this.#file, matches })
    if (this.#file && matches > 0 && this.#mode === 'count') this.#sink.drop(matches)
    this.#file = undefined
  }

  #readLine(text: string, from: number, to: number): void {
    const { max, context, room } = this.#limits
    const { number, column, end } = readLineHead(text, from)
    const match = column !== undefined
    if (match) this.#matches++
    if (this.#mode !== 'keep' || this.#bytes > room) return
    const within = match && this.#matches <= max
    // After `max` stored matches, context that is farther from the last one belongs to a match that
    // is not stored.
    if (!within && this.#matches >= max && number > this.#last + context) return
    if (within) this.#last = number
    const raw = text.slice(end + 1, text[to - 1] === '\r' ? to - 1 : to)
    const hitLine: HitLine = { line: number, match: within, text: clipToMatch(raw, column ?? 1) }
    if (match && within) hitLine.column = column
    this.#bytes += hitLine.text.length
    this.#file?.lines.push(hitLine)
  }
}

/**
 * Returns the line number and column at the beginning of an output line, and the index of the mark before its
 * text. A context line has no column.
 */
function readLineHead(text: string, from: number): { number: number; column?: number; end: number } {
  const digitsEnd = (at: number) => {
    let end = at
    while (isDigit(text.charCodeAt(end))) end++
    return end
  }
  const at = digitsEnd(from)
  const number = Number.parseInt(text.slice(from, at), 10)
  const end = text[at] === ':' ? digitsEnd(at + 1) : at
  // After --max-count matches, some versions of ripgrep print context like a match, but without a column.
  if (end <= at + 1 || text[end] !== ':') return { number, end: at }
  return { number, column: Number(text.slice(at + 1, end)), end }
}

const isDigit = (code: number) => code >= 48 && code <= 57

/**
 * Returns true if a line is blank. With --crlf and one thread, ripgrep ends the line between two files with
 * \r\n, otherwise with \n.
 */
const isBlank = (text: string, from: number, end: number) =>
  end === from || (end === from + 1 && text[from] === '\r')

/**
 * Returns a line of at most 1,000 bytes whole, and of a longer line the part around its match, with … for
 * missing text. `text` contains one character per byte; `column` counts bytes from 1.
 */
export function clipToMatch(text: ByteName, column: number): string {
  const preview = / \[\.\.\. (?:omitted end of long line|\d+ more match(?:es)?)\]$/
  const isCut = text.length > maxLineBytes
  const whole = isCut ? text.replace(preview, '') : text
  if (whole.length <= windowChars) return textOfBytes(whole) + (isCut ? '…' : '')
  const start = column <= windowChars - before ? 0 : Math.min(column - 1 - before, whole.length - windowChars)
  const from = charStart(whole, start)
  const to = charStart(whole, Math.min(whole.length, from + windowChars))
  return `${from > 0 ? '…' : ''}${textOfBytes(whole.slice(from, to))}${isCut || to < whole.length ? '…' : ''}`
}

/** Returns the position of a cut, moved back to the start of a UTF-8 character. */
function charStart(text: ByteName, at: number): number {
  let start = at
  while (start > 0 && start < text.length && (text.charCodeAt(start) & 0xc0) === 0x80 && at - start < 3)
    start--
  return start
}
