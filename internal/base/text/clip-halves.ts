// The truncation of a text to its two ends of equal size, by bytes and then by lines, with a note on
// the removed part.

export interface ClippedText {
  text: string
  /** Number of lines that the line limit has removed. */
  lines: number
  /** By how many UTF-16 units the text was shortened, at least 1; 0 if it is complete. */
  chars: number
}

/**
 * Returns the text. If it exceeds a limit, returns its beginning and end, with a line about the removed
 * middle part between them, and the size of that part. `limit.chars` are bytes of UTF-8. A cut never splits a
 * character; the rest of that character is removed too. A final line end begins no line, and the line about
 * the removed part does not count.
 */
export function clipHalves(text: string, limit: { chars: number; lines: number }): ClippedText {
  const bytes = Buffer.from(text)
  const [head, tail, removed] = halveBytes(text, bytes, limit.chars)
  const first = linesOf(head)
  const all = [...first, ...(tail === undefined ? [] : linesOf(tail.replace(/^\n/, '')))]
  const byteCut =
    tail === undefined ? undefined : { at: first.length, removed, note: `… ${removed} bytes removed …` }
  const omitted = all.length > limit.lines ? all.length - 2 * Math.floor(limit.lines / 2) : 0
  if (!byteCut && omitted === 0) return { text, lines: 0, chars: 0 }
  const ends = text.endsWith('\n') ? '\n' : ''
  const lines =
    omitted === 0 ? withCut(all, byteCut, 0) : omitLines(all, Math.floor(limit.lines / 2), omitted, byteCut)
  const clipped = lines.join('\n') + ends
  return { text: clipped, lines: omitted, chars: Math.max(1, text.length - clipped.length) }
}

interface ByteCut {
  /** Index of the line before which bytes are missing. */
  at: number
  removed: number
  note: string
}

function omitLines(
  all: readonly string[],
  half: number,
  omitted: number,
  byteCut: ByteCut | undefined,
): string[] {
  const lastStart = all.length - half
  const inFirst = byteCut && byteCut.at <= half
  const inLast = byteCut && byteCut.at >= lastStart
  const byteNote = byteCut && !inFirst && !inLast ? `${byteCut.removed} bytes removed, ` : ''
  return [
    ...withCut(all.slice(0, half), inFirst ? byteCut : undefined, 0),
    `… ${byteNote}${omitted} lines omitted …`,
    ...withCut(all.slice(lastStart), inLast && !inFirst ? byteCut : undefined, lastStart),
  ]
}

function withCut(lines: readonly string[], byteCut: ByteCut | undefined, offset: number): string[] {
  if (!byteCut) return [...lines]
  return [...lines.slice(0, byteCut.at - offset), byteCut.note, ...lines.slice(byteCut.at - offset)]
}

/** Returns both ends and the number of bytes between them. Without a tail the text is complete. */
function halveBytes(text: string, bytes: Buffer, limit: number): [string, string | undefined, number] {
  if (bytes.length <= limit) return [text, undefined, 0]
  const half = Math.floor(limit / 2)
  let end = half
  while (end > 0 && isContinuation(bytes[end])) end--
  let start = bytes.length - half
  while (start < bytes.length && isContinuation(bytes[start])) start++
  return [bytes.toString('utf8', 0, end), bytes.toString('utf8', start), start - end]
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}
