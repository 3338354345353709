// Limits of size and time for an event stream, so that a stream without an end becomes an error.
import { BrokenConnectionError, EndlessReplyError } from '../endpoint/connection-errors.ts'

interface EventBounds {
  /** Largest number of bytes of one line or event. */
  eventBytes: number
  /** Largest number of bytes of the whole stream. */
  streamBytes: number
  events: number
  /**
   * Milliseconds in which at least one event has to end. Comments that keep the connection alive
   * do not count.
   */
  eventMs: number
}

/** The default limits, far above the largest responses, and low enough for memory. */
export const usualBounds: Omit<EventBounds, 'eventMs'> = {
  eventBytes: 4 * 1024 * 1024,
  streamBytes: 128 * 1024 * 1024,
  events: 400_000,
}

const lf = 0x0a
const cr = 0x0d
const colon = 0x3a

/**
 * Yields `body` in pieces of whole events, so that no later stage buffers more than one event, and then the
 * bytes after the last event. Drops comments that keep the connection alive. Throws `EndlessReplyError` for
 * too many bytes or events, and `BrokenConnectionError` if no event ends in time.
 */
export async function* boundEvents(
  body: AsyncIterable<Uint8Array>,
  bounds: EventBounds,
): AsyncGenerator<Uint8Array> {
  const scan = new EventScan(bounds)
  for await (const chunk of body) {
    const whole = scan.push(chunk)
    if (whole.length > 0) yield whole
  }
  const rest = scan.rest()
  if (rest.length > 0) yield rest
}

const createEndlessError = (what: string) => new EndlessReplyError(what)
const formatBytes = (bytes: number) =>
  bytes >= 1 << 20 ? `${Math.round(bytes / (1 << 20))} MiB` : `${bytes} bytes`

/**
 * Returns where the line at `from` ends in this piece. `nextCr` is the position of its next carriage
 * return, or -1.
 */
function lineEnd(chunk: Uint8Array, from: number, nextCr: number): number {
  const at = chunk.indexOf(lf, from)
  const end = at < 0 ? chunk.length : at
  return nextCr >= 0 && nextCr < end ? nextCr : end
}

/** The state of a reader in a stream of lines and events. */
class EventScan {
  private readonly bounds: EventBounds
  private held: Uint8Array[] = []
  private heldBytes = 0
  private lineBytes = 0
  private hasField = false
  private afterCr = false
  private bytes = 0
  private events = 0
  private since = Date.now()

  constructor(bounds: EventBounds) {
    this.bounds = bounds
  }

  /**
   * Returns the events that end in this piece, with the earlier bytes of the first of them; empty if
   * no event ends.
   */
  push(chunk: Uint8Array): Uint8Array {
    const { bounds } = this
    this.bytes += chunk.length
    if (this.bytes > bounds.streamBytes)
      throw createEndlessError(`the reply is longer than ${formatBytes(bounds.streamBytes)}`)
    // start of the bytes still to return, and end of the last complete event
    let start = 0
    let end = 0
    let nextCr = chunk.indexOf(cr)
    for (let i = 0; i < chunk.length; i++) {
      const byte = chunk[i]
      const isPair = this.afterCr && byte === lf
      this.afterCr = byte === cr
      if (isPair) continue
      if (byte !== lf && byte !== cr) {
        if (this.lineBytes === 0 && byte !== colon) this.hasField = true
        // the rest of the line is skipped in one step
        if (nextCr >= 0 && nextCr < i) nextCr = chunk.indexOf(cr, i)
        const stop = lineEnd(chunk, i, nextCr)
        this.lineBytes += stop - i
        i = stop - 1
        continue
      }
      const isBlank = this.lineBytes === 0
      this.lineBytes = 0
      if (this.hasField && isBlank) {
        this.countEvent()
        end = i + 1
      } else if (!this.hasField && end === start) {
        this.drop()
        start = i + 1
        end = start
      }
    }
    const whole = end > start ? this.take(chunk.subarray(start, end)) : new Uint8Array()
    this.append(chunk.subarray(end))
    return whole
  }

  /** Returns the remaining bytes at the end of the stream. */
  rest(): Uint8Array {
    return this.take(new Uint8Array())
  }

  private countEvent() {
    this.hasField = false
    this.since = Date.now()
    if (++this.events > this.bounds.events) {
      throw createEndlessError(`the reply has more than ${this.bounds.events} events`)
    }
  }

  private drop() {
    this.held = []
    this.heldBytes = 0
  }

  private take(last: Uint8Array): Uint8Array {
    const whole = this.held.length === 0 ? last : Buffer.concat([...this.held, last])
    this.drop()
    return whole
  }

  /**
   * Stores the beginning of an event that has not ended. Throws `EndlessReplyError` if it is too long, and
   * `BrokenConnectionError` if it takes too long.
   */
  private append(part: Uint8Array) {
    const { eventBytes, eventMs } = this.bounds
    if (part.length > 0) this.held.push(part)
    this.heldBytes += part.length
    if (this.heldBytes > eventBytes) {
      throw createEndlessError(`a line or event of the reply is longer than ${formatBytes(eventBytes)}`)
    }
    if (Date.now() - this.since > eventMs) {
      const why = `no event ended within ${Math.round(eventMs / 100) / 10} s`
      throw new BrokenConnectionError(false, new Error(why))
    }
  }
}
