// File names as the bytes they are.

/**
 * A path as a string with one character per byte (0–255). Order and equality are those of the bytes, in any
 * encoding, and cutting one out of a program's output costs no decoding.
 */
export type ByteName = string

const ascii = /^[\x00-\x7f]*$/

export function bytesOfText(text: string): ByteName {
  return ascii.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1')
}

/** The text behind a name; bytes that are not UTF-8 become U+FFFD. */
export function textOfBytes(name: ByteName): string {
  return ascii.test(name) ? name : Buffer.from(name, 'latin1').toString('utf8')
}
