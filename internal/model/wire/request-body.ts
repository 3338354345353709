// The body of a request as consecutive texts. Text that is equal in every turn is not copied.

/** Texts that are sent one after another. */
export type RequestBody = readonly string[]

/**
 * Returns a JSON list of the values as texts to send one after another, including the brackets and commas.
 * Each value is JSON, as one text or as several consecutive texts, which are not joined.
 */
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
  /** Number of bytes in the buffer up to the end of each text. */
  ends: number[]
}

/**
 * The last body that was released, if its buffer has at most 2 MiB. The next body overwrites the buffer, so
 * that a long conversation needs only one.
 */
let spare: EncodedBody | undefined

/**
 * Returns the bytes of `body`. Call `release` once they are sent and no code reads them, so that the next
 * request reuses a buffer of up to 2 MiB. Without this call, the next request only allocates a new one.
 */
export function encodeBody(body: RequestBody): { bytes: Buffer; release(): void } {
  const before = spare
  spare = undefined
  // The first texts that are equal to those of the previous body are in the reused buffer already, so they
  // are not written again.
  let same = 0
  while (same < body.length && before && body[same] === before.texts[same]) same++
  const ends = before?.ends ?? []
  ends.length = same
  const keptBytes = ends[same - 1] ?? 0
  let size = keptBytes
  for (let i = same; i < body.length; i++) {
    size += Buffer.byteLength(body[i] as string)
    ends.push(size)
  }
  const buffer = fitBuffer(before?.buffer, size, keptBytes)
  for (let i = same; i < body.length; i++) buffer.write(body[i] as string, ends[i - 1] ?? 0)
  const release = () => {
    if (buffer.length <= maxSpareBytes) spare = { buffer, texts: body, ends }
  }
  return { bytes: buffer.subarray(0, size), release }
}

/**
 * Returns `before` if it has at least `size` bytes, otherwise a larger buffer with the same
 * first `keptBytes` bytes.
 */
function fitBuffer(before: Buffer | undefined, size: number, keptBytes: number): Buffer {
  if (before && before.length >= size) return before
  const buffer = Buffer.allocUnsafeSlow(Math.ceil(size * 1.5))
  before?.copy(buffer, 0, 0, keptBytes)
  return buffer
}

/** Largest buffer that is kept for the next request. A body with images is too large to keep. */
const maxSpareBytes = 2 << 20
