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

/** The bytes of the last body that was sent, free to be written over: a long conversation needs them. */
let spare: Buffer | undefined

/**
 * The bytes of `body`. `release` gives them back, to be called once they are sent and nothing looks at them
 * any more; without it they are lost to the next request and nothing else.
 */
export function encodeBody(body: RequestBody): { bytes: Buffer; release(): void } {
  let size = 0
  for (const text of body) size += Buffer.byteLength(text)
  const buffer = spare && spare.length >= size ? spare : Buffer.allocUnsafeSlow(Math.ceil(size * 1.5))
  spare = undefined
  let at = 0
  for (const text of body) at += buffer.write(text, at)
  const release = () => {
    if (buffer.length <= maxSpareBytes) spare = buffer
  }
  return { bytes: buffer.subarray(0, size), release }
}

/** A body with pictures in it is not worth its room for the rest of the run. */
const maxSpareBytes = 2 << 20
