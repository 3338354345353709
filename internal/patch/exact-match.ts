// Search for an exact text in a file, in which LF and CRLF count as equal.

/** Range of a match, from `start` to before `end`, in UTF-16 units of the searched text. */
export interface TextMatch {
  start: number
  end: number
}

/**
 * Returns every position at which `old` occurs, in order, including overlapping ones. LF and CRLF count as
 * equal. `old` must not be empty.
 */
export function findAll(text: string, old: string): TextMatch[] {
  const needle = old.replaceAll('\r\n', '\n')
  const mixed = text.includes('\r\n')
  const matches: TextMatch[] = []
  const stop = needle.indexOf('\n')
  // If `old` has line ends that may be LF or CRLF, only the part before its first line end can
  // be searched unchanged.
  const anchor = !mixed || stop < 0 ? needle : stop === 0 ? '\n' : needle.slice(0, stop)
  for (let at = text.indexOf(anchor); at >= 0; at = text.indexOf(anchor, at + 1)) {
    const start = mixed && stop === 0 && text[at - 1] === '\r' ? at - 1 : at
    const end = mixed ? findMatchEnd(text, start, needle, needle.length) : at + needle.length
    if (end !== undefined) matches.push({ start, end })
  }
  return matches
}

/**
 * Returns the index in `text` after the first `length` characters of `needle`, which begin at `start`; LF in
 * `needle` also matches CRLF. Returns undefined if the text differs.
 */
function findMatchEnd(text: string, start: number, needle: string, length: number): number | undefined {
  let at = start
  for (let i = 0; i < length; i++) {
    const charCode = needle.charCodeAt(i)
    if (charCode === 10 && text.charCodeAt(at) === 13 && text.charCodeAt(at + 1) === 10) at++
    if (text.charCodeAt(at) !== charCode) return undefined
    at++
  }
  return at
}

/**
 * Returns the part of a match that the replacement changes, with its new text, which has LF line ends. The
 * characters that `old` and `fresh` have in common at both ends stay unchanged in the file; LF and CRLF
 * count as equal.
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
  const start = findMatchEnd(text, match.start, before, head) ?? match.start
  const end = findMatchEnd(text, match.start, before, before.length - tail) ?? match.end
  return { start, end, fresh: after.slice(head, after.length - tail) }
}
