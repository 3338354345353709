// The part of a page that one call shows, which is a range of lines with a limit of characters, or a
// range of characters.

/**
 * Largest number of characters of a line. A longer line is split, so that every part of it can be requested.
 */
const maxLineChars = 2_000

interface PageWindow {
  start_line: number
  end_line?: number | undefined
  /** Start of a range of characters, counted from 0. It replaces the range of lines. */
  start_char?: number | undefined
  max_chars: number
}

export interface ShownWindow {
  text: string
  /** First line of the part, counted from 1, also if the part is empty. */
  start_line: number
  end_line: number
  total_lines: number
  /** Start of the shown range of characters. */
  start_char?: number
  total_chars: number
  /**
   * First line of the next part; for a range of characters `next_char` is set instead. Both are undefined at
   * the end of the page.
   */
  next_line?: number
  next_char?: number
  /** True if the part is the whole page; the end of the last line does not count. */
  isWhole: boolean
}

/**
 * Returns the page as lines of at most `maxLineChars` UTF-16 units. A longer line is split at the last space
 * in the second half of each piece, or else at the limit.
 */
export function pageLines(text: string): string[] {
  if (text === '') return []
  return text.replace(/\n$/, '').split('\n').flatMap(wrapLine)
}

function wrapLine(line: string): string[] {
  const out: string[] = []
  let from = 0
  while (line.length - from > maxLineChars) {
    const piece = sliceWhole(line, from, from + maxLineChars)
    const space = piece.lastIndexOf(' ') + 1
    const length = space > maxLineChars / 2 ? space : piece.length
    out.push(piece.slice(0, length))
    from += length
  }
  return [...out, line.slice(from)]
}

export function cutWindow(text: string, window: PageWindow): ShownWindow {
  return window.start_char === undefined ? cutLines(text, window) : cutChars(text, window)
}

/** Returns complete lines up to the limit. If the first line alone is above the limit, it is truncated. */
function cutLines(text: string, { start_line, end_line, max_chars }: PageWindow): ShownWindow {
  const lines = pageLines(text)
  const last = Math.min(end_line ?? lines.length, lines.length)
  const windowLines: string[] = []
  let room = max_chars
  let isTorn = false
  for (let n = start_line; n <= last; n++) {
    const line = lines[n - 1] as string
    const cost = line.length + (windowLines.length > 0 ? 1 : 0)
    if (cost > room && windowLines.length > 0) break
    isTorn = cost > room
    windowLines.push(isTorn ? sliceWhole(line, 0, room) : line)
    room -= cost
  }
  const end = start_line + windowLines.length - 1
  return {
    text: windowLines.join('\n'),
    start_line,
    end_line: end,
    total_lines: lines.length,
    total_chars: text.length,
    ...(end < lines.length && start_line <= lines.length && { next_line: end + 1 }),
    isWhole: start_line === 1 && end === lines.length && !isTorn,
  }
}

function cutChars(text: string, { start_char = 0, max_chars }: PageWindow): ShownWindow {
  const windowText = sliceWhole(text, start_char, start_char + max_chars)
  const next = Math.min(start_char, text.length) + windowText.length
  const before = pageLines(text.slice(0, start_char)).length
  const start = Math.max(1, before + (text[start_char - 1] === '\n' ? 1 : 0))
  return {
    text: windowText,
    start_line: start,
    end_line: start + Math.max(0, pageLines(windowText).length - 1),
    total_lines: pageLines(text).length,
    start_char,
    total_chars: text.length,
    next_char: next < text.length ? next : undefined,
    isWhole: windowText.length === text.length,
  }
}

/** Returns a slice of the text that does not end within a surrogate pair, unless it would be empty. */
function sliceWhole(text: string, from: number, to: number): string {
  const isTorn = (text.charCodeAt(to) & 0xfc00) === 0xdc00
  return text.slice(from, isTorn && to - 1 > from ? to - 1 : to)
}
