// Takes keys out of text before it is shown, logged or recorded.
import { hideSecrets } from '../../base/secrets.ts'

const mark = '[key removed]'

/** `text` without any of `keys` and without anything that has the form of a key. */
export function redactKeys(text: string, keys: readonly string[]): string {
  let out = text
  // the longest first: one key may be the beginning of another
  for (const key of [...keys].sort((a, b) => b.length - a.length)) {
    // anything shorter is no secret and would take ordinary words out
    if (key.length >= 6) out = out.replaceAll(key, mark)
  }
  return hideSecrets(out, mark)
}

/** One line of at most `max` characters: white space folded, control characters out, keys out. */
export function redactLine(text: string, keys: readonly string[], max = 400): string {
  const flat = redactKeys(text, keys)
    .replace(/[\x00-\x1f\x7f-\x9f\s]+/g, ' ')
    .trim()
  return flat.length > max ? `${flat.slice(0, max - 1)}…` : flat
}
