// Stores the beginning and the end of a byte stream in a fixed amount of memory.
import { isUtf8 } from 'node:buffer'
import type { CapturedOutput } from '../process-command.ts'

export interface OutputCapture {
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
  const held = () => {
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
    held,
    captured() {
      const { head: start, tail: end, missing } = held()
      if (missing === 0) {
        const all = end.length === 0 ? start : Buffer.concat([start, end])
        return { bytes, text: decode(all), cut: false, invalid: !isUtf8(all) }
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
  const gone = missing + (start.length - until.length) + (end.length - from.length)
  const text = `${ended(decode(until))}… ${gone} bytes left out …\n${decode(from)}`
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

function decode(bytes: Buffer): string {
  return bytes.toString('utf8')
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
