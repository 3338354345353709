// Reader of a response body that recognizes the last event of the response, so that it need not wait until
// the connection closes.

import type { HttpAnswer } from '../wire/http-transport.ts'

/**
 * How much of a response has arrived. The reader of its events sets `state`, and the client of the endpoint
 * sets the other fields.
 */
export interface StreamEnding {
  /**
   * `closing`: the finish reason has arrived, and only token counts may follow. `closed`: nothing
   * else can follow.
   */
  state: 'open' | 'closing' | 'closed'
  /** True if the stream has sent the line `data: [DONE]`, with which a stream of the OpenAI format ends. */
  isDone: boolean
  /**
   * True if the body has ended at its declared length or with its last chunk, and not because the
   * connection was lost.
   */
  isWhole: boolean
}

export const newEnding = (): StreamEnding => ({ state: 'open', isDone: false, isWhole: false })

/**
 * Milliseconds that the body may be silent after the last event; after that, the connection is closed. If the
 * body ends earlier, the connection can be reused.
 */
const closedMs = 250

/**
 * Milliseconds that the body may be silent after the finish reason, while token counts may still arrive.
 * After that, the response ends without them.
 */
const closingMs = 2000

function patienceOf({ state, isDone }: StreamEnding): number | undefined {
  if (isDone || state === 'closed') return closedMs
  return state === 'closing' ? closingMs : undefined
}

/**
 * Yields the body of `answer` up to the end of the response. A connection lost after the finish reason is
 * not a failure.
 */
export async function* readReplyBody(
  answer: HttpAnswer,
  ending: StreamEnding,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const parts = answer.body[Symbol.asyncIterator]()
  try {
    for (;;) {
      const part = await nextPart(parts, patienceOf(ending))
      if (part === undefined) return
      if (part.done) {
        ending.isWhole = answer.isDelimited
        return
      }
      yield part.value
    }
  } catch (error) {
    if (signal.aborted || patienceOf(ending) === undefined) throw error
  } finally {
    if (patienceOf(ending) !== undefined && !ending.isWhole) answer.close()
    await parts.return?.().catch(() => undefined)
  }
}

/** Resolves to the next part; undefined if it does not arrive within `ms`. Without `ms` it waits forever. */
async function nextPart<T>(
  parts: AsyncIterator<T>,
  ms: number | undefined,
): Promise<IteratorResult<T> | undefined> {
  const next = parts.next()
  if (ms === undefined) return next
  next.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms)
  })
  try {
    return await Promise.race([next, late])
  } finally {
    clearTimeout(timer)
  }
}

const doneText = Buffer.from('[DONE]')

const lineBreaks = Buffer.from('\n\n')

/**
 * Yields complete events up to a line `data: [DONE]` and then sets `ending.isDone`. That line also ends the
 * event before it.
 */
export async function* noteDone(
  events: AsyncIterable<Uint8Array>,
  ending: StreamEnding,
): AsyncGenerator<Uint8Array> {
  for await (const part of events) {
    // the rest is read only to find the end of the body
    if (ending.isDone) continue
    const at = findDone(Buffer.from(part.buffer, part.byteOffset, part.length))
    if (at < 0) {
      yield part
      continue
    }
    ending.isDone = true
    yield Buffer.concat([part.subarray(0, at), lineBreaks])
  }
}

/**
 * Returns the position of the line `data: [DONE]`, or of its event if that has no other data; -1 without one.
 */
function findDone(part: Buffer): number {
  const line = findDoneLine(part)
  if (line < 0) return line
  const before = part.toString('latin1', 0, line)
  const event = Math.max(
    before.lastIndexOf('\n\n'),
    before.lastIndexOf('\r\n\r\n'),
    before.lastIndexOf('\r\r'),
  )
  return /^data:/m.test(before.slice(event + 1)) ? line : event + 1
}

/**
 * Returns the position of a line `data: [DONE]`, or -1. A line break within JSON is escaped, so no text of a
 * response looks like this line.
 */
function findDoneLine(part: Buffer): number {
  for (let at = part.indexOf(doneText); at >= 0; at = part.indexOf(doneText, at + 1)) {
    const before = /(?:^|[\r\n])(data:[ \t]*)$/.exec(part.toString('latin1', Math.max(0, at - 16), at))
    if (before) return at - (before[1] as string).length
  }
  return -1
}
