// Finds a text in a file exactly, with LF and CRLF counting as equal.

/** `start` inclusive, `end` exclusive, in UTF-16 units of the text that was searched. */
export interface TextMatch {
  start: number
  end: number
}

/**
 * Every position at which `old` occurs, in order; occurrences that overlap count each. `old` is not empty.
 */
export function findAll(text: string, old: string): TextMatch[] {
  const needle = old.replaceAll('\r\n', '\n')
  const mixed = text.includes('\r\n')
  const found: TextMatch[] = []
  const stop = needle.indexOf('\n')
  // up to its first line end the needle can be looked for as it is
  const anchor = !mixed || stop < 0 ? needle : stop === 0 ? '\n' : needle.slice(0, stop)
  for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + 1)) {
    const start = mixed && stop === 0 && text[at - 1] === '\r' ? at - 1 : at
    const end = mixed ? walk(text, start, needle, needle.length) : at + needle.length
    if (end !== undefined) found.push({ start, end })
  }
  return found
}

/** Where in `text` the first `length` characters of `needle` end when they begin at `start`, or undefined. */
function walk(text: string, start: number, needle: string, length: number): number | undefined {
  let at = start
  for (let i = 0; i < length; i++) {
    const wanted = needle.charCodeAt(i)
    if (wanted === 10 && text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) at++
    if (text.charCodeAt(at) !== wanted) return undefined
    at++
  }
  return at
}

/**
 * The part of a match that a replacement really changes: what `old` and `fresh` have in common at both ends
 * stays as the file has it, byte for byte. Answers that part and what goes there.
 */
export function narrowMatch(
  text: string,
  match: TextMatch,
  old: string,
  fresh: string,
): TextMatch & { fresh: string } {
  const before = old.replaceAll('\r\n', '\n')
  const after = fresh.replaceAll('\r\n', '\n')
  const maxCommon = Math.min(before.length, after.length)
  let head = 0
  while (head < maxCommon && before[head] === after[head]) head++
  let tail = 0
  while (tail < maxCommon - head && before[before.length - 1 - tail] === after[after.length - 1 - tail])
    tail++
  const start = walk(text, match.start, before, head) ?? match.start
  const end = walk(text, match.start, before, before.length - tail) ?? match.end
  return { start, end, fresh: after.slice(head, after.length - tail) }
}
