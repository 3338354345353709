// Redaction of secret texts in the output of programs.
import { stripVTControlCharacters } from 'node:util'

/**
 * Length in characters of the pieces by which a secret line is recognized. A shorter line is recognized only
 * as a whole, if it has at least `leastLine` characters.
 */
const window = 12
const leastLine = 5
const mark = '[cut: holdout]'

/**
 * Returns a function that replaces lines of the secrets, and pieces of at least 12 characters of a line, with
 * `[cut: holdout]`. Lines below 5 characters stay. It does not recognize an encoded copy of a secret.
 */
export function redactorOf(secrets: readonly string[]): (text: string) => string {
  const grams = new Set<string>()
  const short = new Set<string>()
  for (const line of secrets.join('\n').split(/\r?\n|\r/)) {
    const trimmed = line.trim()
    if (trimmed.length < leastLine) continue
    if (trimmed.length < window) short.add(trimmed)
    for (let i = 0; i + window <= trimmed.length; i++) grams.add(trimmed.slice(i, i + window))
  }
  if (grams.size === 0 && short.size === 0) return (text) => text
  return (text) => {
    // Invisible characters are removed first, because they could split a secret line without a visible trace.
    const plain = stripVTControlCharacters(text).replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/g, '')
    const secretFlags = new Uint8Array(plain.length)
    for (let i = 0; i + window <= plain.length; i++)
      if (grams.has(plain.slice(i, i + window))) secretFlags.fill(1, i, i + window)
    for (const line of short)
      for (let at = plain.indexOf(line); at >= 0; at = plain.indexOf(line, at + 1))
        secretFlags.fill(1, at, at + line.length)
    return secretFlags.includes(1) ? withoutMarked(plain, secretFlags) : text
  }
}

function withoutMarked(text: string, secretFlags: Uint8Array): string {
  let out = ''
  for (let i = 0; i < text.length; i++) {
    if (secretFlags[i] === 0) out += text[i]
    else if (i === 0 || secretFlags[i - 1] === 0) out += mark
  }
  return out
}
