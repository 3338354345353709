// The body of a request as texts in a row: what stays the same from turn to turn is not copied to be joined.

/** Texts that are sent one after the other. */
export type RequestBody = readonly string[]

/** JSON values, each one text or several, as the texts of one JSON list. */
export function listTexts(values: readonly (string | readonly string[])[]): string[] {
  const out = ['[']
  for (const value of values) {
    if (out.length > 1) out.push(',')
    if (typeof value === 'string') out.push(value)
    else out.push(...value)
  }
  out.push(']')
  return out
}

interface EncodedBody {
  buffer: Buffer
  texts: RequestBody
  /** End of each text in the buffer. */
  ends: number[]
}

/** The last body that was sent, its bytes free to be written over: a long conversation needs them. */
let spare: EncodedBody | undefined

/**
 * The bytes of `body`. `release` gives them back, to be called once they are sent and nothing looks at them
 * any more; without it they are lost to the next request and nothing else.
 */
export function encodeBody(body: RequestBody): { bytes: Buffer; release(): void } {
  const before = spare
  spare = undefined
  // the beginning of a conversation is already in its position
  let same = 0
  while (same < body.length && before && body[same] === before.texts[same]) same++
  const ends = before?.ends ?? []
  ends.length = same
  const kept = ends[same - 1] ?? 0
  let size = kept
  for (let i = same; i < body.length; i++) {
    size += Buffer.byteLength(body[i] as string)
    ends.push(size)
  }
  const buffer = fitBuffer(before?.buffer, size, kept)
  for (let i = same; i < body.length; i++) buffer.write(body[i] as string, ends[i - 1] ?? 0)
  const release = () => {
    if (buffer.length <= maxSpareBytes) spare = { buffer, texts: body, ends }
  }
  return { bytes: buffer.subarray(0, size), release }
}

/** The buffer itself where it is large enough, else a larger one that begins with the same `kept` bytes. */
function fitBuffer(before: Buffer | undefined, size: number, kept: number): Buffer {
  if (before && before.length >= size) return before
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(size * 1.5))
  before?.copy(buffer, 0, 0, kept)
  return buffer
}

/** A body with pictures in it is not worth its room for the rest of the run. */
const maxSpareBytes = 2 << 20
