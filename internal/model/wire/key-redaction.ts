// The removal of keys from text before it is shown, logged or recorded.
import { hideSecrets } from '../../base/secrets.ts'

const mark = '[key removed]'

/**
 * Returns `text` with `[key removed]` in place of text in the form of a key, and of any of `keys` that has at
 * least six characters.
 */
export function redactKeys(text: string, keys: readonly string[]): string {
  let out = text
  // the longest first, because one key may be the beginning of another
  for (const key of [...keys].sort((a, b) => b.length - a.length)) {
    // anything shorter is not a secret, and its removal would damage ordinary words
    if (key.length >= 6) out = out.replaceAll(key, mark)
  }
  return hideSecrets(out, mark)
}

/**
 * Returns one line of at most `max` characters without control characters and keys, with white space folded.
 */
export function redactLine(text: string, keys: readonly string[], max = 400): string {
  const flat = redactKeys(text, keys)
    .replace(/[\x00-\x1f\x7f-\x9f\s]+/g, ' ')
    .trim()
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}
