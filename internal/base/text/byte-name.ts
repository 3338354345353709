// File names as bytes.

/**
 * A path as a string with one character per byte (0–255). It compares as its bytes do, in any encoding, and
 * extracting one from a program's output needs no decoding.
 */
export type ByteName = string

const ascii = /^[\x00-\x7f]*$/

export function bytesOfText(text: string): ByteName {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** Returns the text of a name. Bytes that are not UTF-8 become U+FFFD. */
export function textOfBytes(name: ByteName): string {
  return ascii.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8')
}
