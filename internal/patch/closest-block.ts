// Search for the block of a file that a text was probably meant to match, with the first line in
// which they differ.

export interface ClosestBlock {
  /** Number of the block's first line, from 1. */
  line: number
  /**
   * The block in the file, with as many lines as the wanted text, or fewer at the beginning or end
   * of the file.
   */
  block: string[]
  /**
   * First line of the block that differs from the wanted text. Undefined if none does: the texts differ in
   * line ends, or the wanted text begins or ends within a line.
   */
  differs: { line: number; wanted: string; found: string | undefined } | undefined
}

/**
 * Returns the block that is most similar, or undefined if no line is similar. `file` and `wantedLines` are
 * lines without ends. `near` is a line number, from 1, that decides between equal candidates. The time is
 * linear in the size of the file.
 */
export function findClosest(
  file: readonly string[],
  wantedLines: readonly string[],
  near = 1,
): ClosestBlock | undefined {
  const start = findByVotes(file, wantedLines, near - 1) ?? findByPieces(file, wantedLines)
  if (start === undefined) return undefined
  const from = Math.max(0, start)
  const skipped = from - start
  const block = file.slice(from, start + wantedLines.length)
  const at = wantedLines.findIndex(
    (line, i) => i >= skipped && !isLineMatch(file[start + i], line, i, wantedLines.length),
  )
  return {
    line: from + 1,
    block,
    differs:
      at < 0
        ? undefined
        : { line: start + at + 1, wanted: wantedLines[at] as string, found: file[start + at] },
  }
}

/**
 * Returns true if a line of the file agrees with line `i` of the `count` wanted lines. Of several wanted
 * lines, the first may be only the end of a line, and the last one only the beginning.
 */
function isLineMatch(fileLine: string | undefined, wantedLine: string, i: number, count: number): boolean {
  if (fileLine === undefined) return false
  if (fileLine === wantedLine) return true
  if (count > 1 && i === 0) return fileLine.endsWith(wantedLine)
  return count > 1 && i === count - 1 && fileLine.startsWith(wantedLine)
}

/**
 * Returns the index at which the wanted block most probably begins; undefined if only blank lines or no lines
 * are equal. Each line of the file that equals a wanted line, apart from outer spaces, votes for the start at
 * which the two would match, or for up to five starts if the wanted line repeats. Lines of up to 40
 * characters have more weight if they are longer; blank ones do not count.
 */
function findByVotes(
  file: readonly string[],
  wantedLines: readonly string[],
  near: number,
): number | undefined {
  const places = new Map<string, number[]>()
  for (const [i, line] of wantedLines.entries()) {
    const key = line.trim()
    if (key === '') continue
    const at = places.get(key) ?? []
    if (at.length < 5) at.push(i)
    places.set(key, at)
  }
  const votes = new Map<number, number>()
  for (const [j, line] of file.entries()) {
    const key = line.trim()
    for (const i of places.get(key) ?? []) {
      votes.set(j - i, (votes.get(j - i) ?? 0) + 1 + Math.min(40, key.length))
    }
  }
  let best: number | undefined
  const distance = (start: number) => Math.abs(start - near)
  for (const [start, count] of votes) {
    const maxVotes = best === undefined ? 0 : (votes.get(best) as number)
    if (count > maxVotes || (count === maxVotes && distance(start) < distance(best as number))) best = start
  }
  return best
}

/**
 * Returns the index at which the block begins, for texts without an equal line. It is found by the line
 * that contains most short pieces of the longest wanted line. Undefined if that line contains less than 40
 * % of the pieces.
 */
function findByPieces(file: readonly string[], wantedLines: readonly string[]): number | undefined {
  const longest = wantedLines.reduce((best, line, i) => {
    return line.trim().length > (wantedLines[best] as string).trim().length ? i : best
  }, 0)
  const pieces = samplePieces((wantedLines[longest] ?? '').trim())
  let best = -1
  let maxVotes = 0
  for (const [j, line] of file.entries()) {
    const start = line.length > 1000 ? line.slice(0, 1000) : line
    let hits = 0
    for (const piece of pieces) if (start.includes(piece)) hits++
    if (hits > maxVotes) {
      best = j
      maxVotes = hits
    }
  }
  return pieces.length > 0 && maxVotes / pieces.length >= 0.4 ? best - longest : undefined
}

/**
 * Returns at most 32 different pieces of the text, evenly spread: three characters each, or two for a text of
 * fewer than eight characters.
 */
function samplePieces(text: string): string[] {
  const size = text.length < 8 ? 2 : 3
  const pieces = new Set<string>()
  const step = Math.max(1, (text.length - size + 1) / 32)
  for (let i = 0; i + size <= text.length; i += step)
    pieces.add(text.slice(Math.floor(i), Math.floor(i) + size))
  return [...pieces]
}

/**
 * Returns the block of the file that begins at `line`, with the first line in which it differs from
 * the wanted lines.
 */
export function compareAt(
  file: readonly string[],
  wantedLines: readonly string[],
  line: number,
): ClosestBlock {
  const block = file.slice(line - 1, line - 1 + wantedLines.length)
  const at = wantedLines.findIndex((text, i) => block[i] !== text)
  const differs = { line: line + at, wanted: wantedLines[at] as string, found: block[at] }
  return { line, block, differs: at < 0 ? undefined : differs }
}
