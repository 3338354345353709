// The output of a child in a fixed amount of memory: one stream, or both in order of arrival and, on request,
// all of it in a file.
import { Buffer, isUtf8 } from 'node:buffer'
import { closeSync, createReadStream, openSync, rmSync, writeSync } from 'node:fs'
import type { CapturedOutput, SpooledOutput } from '../process-command.ts'

type StreamName = 'stdout' | 'stderr'

interface CombinedOutput {
  push(chunk: Uint8Array, stream: StreamName): void
  /** Adds the stored bytes of incomplete characters. Call it once, after the last chunk. */
  finish(): void
  readonly capture: OutputCapture
  /**
   * Returns the output from `file` if it exceeded the limit for memory; otherwise, and without
   * a file, undefined.
   */
  whole(): SpooledOutput | undefined
}

/**
 * Largest number of bytes of one command's output that are written to disk. Further output is only kept in
 * memory, as far as it fits there.
 */
const spoolMax = 64 * 1024 * 1024

/**
 * Creates an empty output for both streams. At most `limit` bytes stay in memory. A larger output also goes
 * to `file`, up to `max` bytes; the file is created then, with mode 0600.
 */
export function combineOutput(limit: number, file?: string, max: number = spoolMax): CombinedOutput {
  const view = captureOutput(limit)
  const spool = file === undefined ? undefined : spoolInto(file, max)
  const torn: Record<StreamName, Uint8Array> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }

  const append = (chunk: Uint8Array) => {
    if (spool && view.bytes <= limit && view.bytes + chunk.length > limit) {
      const { head, tail } = view.held()
      spool.write(head)
      spool.write(tail)
    }
    view.push(chunk)
    if (view.bytes > limit) spool?.write(chunk)
  }
  return {
    capture: view,
    push(chunk, stream) {
      // The bytes of an incomplete character wait for its rest, so that output of the other stream
      // cannot split it.
      const tornBytes = torn[stream]
      const bytes = tornBytes.length === 0 ? chunk : Buffer.concat([tornBytes, chunk])
      const rest = tornLength(bytes)
      torn[stream] = rest === 0 ? Buffer.alloc(0) : Uint8Array.from(bytes.subarray(bytes.length - rest))
      append(rest === 0 ? bytes : bytes.subarray(0, bytes.length - rest))
    },
    finish() {
      for (const stream of ['stdout', 'stderr'] as const) if (torn[stream].length > 0) append(torn[stream])
      spool?.close()
    },
    whole: () => (spool && view.bytes > limit ? wholeOf(view, spool) : undefined),
  }
}

interface OutputSpool {
  readonly file: string
  readonly bytes: number
  write(chunk: Uint8Array): void
  close(): void
}

/**
 * Returns a writer that creates `file` with the first bytes. After `max` bytes, or once a write fails, it
 * writes no more but reports no error; the result shows how much is missing.
 */
function spoolInto(file: string, max: number): OutputSpool {
  let fd: number | undefined
  let bytes = 0
  let full = false
  const close = () => {
    if (fd !== undefined) closeSync(fd)
    fd = undefined
  }
  return {
    file,
    get bytes() {
      return bytes
    },
    write(chunk) {
      if (full) return
      const part = chunk.subarray(0, max - bytes)
      try {
        fd ??= openSync(file, 'wx', 0o600)
        for (let at = 0; at < part.length; ) {
          const written = writeSync(fd, part, at)
          at += written
          bytes += written
        }
      } catch {
        full = true
      }
      full ||= bytes >= max
      if (full) close()
    },
    close,
  }
}

function wholeOf(view: OutputCapture, spool: OutputSpool): SpooledOutput {
  const total = view.bytes
  const { tail } = view.held()
  const missing = Math.max(0, total - spool.bytes - tail.length)
  return {
    bytes: total,
    cut: missing > 0,
    async *text() {
      const decoder = new TextDecoder()
      if (spool.bytes > 0) {
        for await (const chunk of createReadStream(spool.file, { highWaterMark: 256 * 1024 })) {
          yield decoder.decode(chunk as Buffer, { stream: true })
        }
      }
      if (missing > 0) yield `${decoder.decode()}\n… ${missing} bytes left out …\n`
      const rest = Math.min(tail.length, total - spool.bytes)
      yield decoder.decode(tail.subarray(tail.length - rest))
    },
    remove: () => rmSync(spool.file, { force: true }),
  }
}

interface OutputCapture {
  readonly bytes: number
  push(chunk: Uint8Array): void
  /**
   * Returns the stored bytes; `missing` is how many bytes are not stored between `head` and `tail`. Both are
   * views that are valid until the next push.
   */
  held(): { head: Buffer; tail: Buffer; missing: number }
  captured(): CapturedOutput
}

/**
 * Creates a capture with half of `limit` bytes for each end. Bytes are copied, so that many tiny chunks cost
 * no more memory than a large one.
 */
export function captureOutput(limit: number): OutputCapture {
  const headMax = Math.ceil(limit / 2)
  const ringMax = Math.max(1, limit - headMax)
  let bytes = 0
  let head = Buffer.alloc(0)
  let headLength = 0
  let ring: Buffer | undefined
  let ringAt = 0
  let ringLength = 0

  const pushHead = (chunk: Uint8Array) => {
    const needed = headLength + chunk.length
    if (needed > head.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(headMax, Math.max(needed, head.length * 2, 4096)))
      head.copy(grown, 0, 0, headLength)
      head = grown
    }
    head.set(chunk, headLength)
    headLength = needed
  }
  const pushRing = (chunk: Uint8Array) => {
    ring ??= Buffer.allocUnsafeSlow(ringMax)
    const last = chunk.length > ringMax ? chunk.subarray(chunk.length - ringMax) : chunk
    const first = Math.min(last.length, ringMax - ringAt)
    ring.set(last.subarray(0, first), ringAt)
    ring.set(last.subarray(first), 0)
    ringAt = (ringAt + last.length) % ringMax
    ringLength = Math.min(ringMax, ringLength + last.length)
  }
  const readEnds = () => {
    const from = (ringAt - ringLength + ringMax) % ringMax
    const tail = !ring
      ? Buffer.alloc(0)
      : from + ringLength <= ringMax
        ? ring.subarray(from, from + ringLength)
        : Buffer.concat([ring.subarray(from), ring.subarray(0, ringAt)])
    return { head: head.subarray(0, headLength), tail, missing: bytes - headLength - ringLength }
  }
  return {
    get bytes() {
      return bytes
    },
    push(chunk) {
      bytes += chunk.length
      const room = headMax - headLength
      if (room > 0) pushHead(chunk.subarray(0, room))
      if (chunk.length > room) pushRing(chunk.subarray(Math.max(0, room)))
    },
    held: readEnds,
    captured() {
      const { head: start, tail: end, missing } = readEnds()
      if (missing === 0) {
        const all = end.length === 0 ? start : Buffer.concat([start, end])
        return { bytes, text: decodeUtf8(all), cut: false, invalid: !isUtf8(all) }
      }
      return { bytes, ...joinEnds(start, end, missing) }
    },
  }
}

/**
 * Returns both ends as one text with the number of missing bytes between them. Characters that a gap
 * splits are removed.
 */
function joinEnds(start: Buffer, end: Buffer, missing: number): Omit<CapturedOutput, 'bytes'> {
  const from = end.subarray(skipTorn(end))
  const until = start.subarray(0, start.length - tornLength(start))
  const missingBytes = missing + (start.length - until.length) + (end.length - from.length)
  const text = `${withLineEnd(decodeUtf8(until))}… ${missingBytes} bytes left out …\n${decodeUtf8(from)}`
  return { text, cut: true, invalid: !isUtf8(until) || !isUtf8(from) }
}

/** Returns how many bytes at the end belong to an incomplete character; 0 to 3. */
export function tornLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] as number
    if ((byte & 0xc0) === 0x80) continue
    const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return size > back ? back : 0
  }
  return 0
}

/** Returns how many bytes at the beginning continue a character whose start is missing; 0 to 3. */
function skipTorn(bytes: Uint8Array): number {
  let at = 0
  while (at < Math.min(3, bytes.length) && ((bytes[at] as number) & 0xc0) === 0x80) at++
  return at
}

function decodeUtf8(bytes: Buffer): string {
  return bytes.toString('utf8')
}

function withLineEnd(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
