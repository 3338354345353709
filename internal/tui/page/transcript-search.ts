// The text search on the transcript: its matches and the selected block. The functions are pure.
import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { KeyPress } from '../input/key-press.ts'

export interface LineSearch {
  text: string
  /** True while the user types the query. */
  isOpen: boolean
  /**
   * Index of the line that the search found last. -1 means that no line matches; undefined means that no
   * search was made.
   */
  found?: number | undefined
}

/**
 * The lines of the transcript, visible from `top` on, and the starts of blocks, of which `at` is selected.
 */
export interface SearchedLines {
  readonly lines: readonly string[]
  readonly starts: readonly { readonly line: number }[]
  readonly top: number
  readonly at: number
  readonly search: LineSearch
}

/** Handles a key while the user types the query. Enter searches, Escape cancels. */
export function writeSearch<T extends SearchedLines>(page: T, { key, text }: KeyPress, rows: number): T {
  const { search } = page
  if (key === 'escape') return { ...page, search: { text: '', isOpen: false } }
  if (key === 'enter') return findNext({ ...page, search: { ...search, isOpen: false } }, 1, rows)
  const written = key === 'backspace' ? [...search.text].slice(0, -1).join('') : search.text + text
  return { ...page, search: { text: sanitizeText(written), isOpen: true } }
}

/**
 * Returns the page at the next line that matches. The search starts after the last match, or at the first
 * visible row, and runs upward if `step` is -1. At the end of the lines it continues at the other end.
 * Without a match, only `found` changes, to -1. With an empty query, nothing changes.
 */
export function findNext<T extends SearchedLines>(page: T, step: 1 | -1, rows: number): T {
  const { lines, search, top, starts } = page
  if (search.text === '') return page
  const pattern = patternOf(search.text)
  const from = search.found !== undefined && search.found >= 0 ? search.found : top - step
  for (let i = 1; i <= lines.length; i++) {
    const lineIndex = (((from + step * i) % lines.length) + lines.length) % lines.length
    if (!pattern.test(bareText(lines[lineIndex] as string))) continue
    const isSeen = lineIndex >= top && lineIndex < top + rows - 1
    const centred = Math.max(0, Math.min(lineIndex - Math.floor(rows / 3), lines.length - (rows - 1)))
    const at = Math.max(
      0,
      starts.findLastIndex(({ line }) => line <= lineIndex),
    )
    return { ...page, top: isSeen ? top : centred, at, search: { ...search, found: lineIndex } }
  }
  return { ...page, search: { ...search, found: -1 } }
}

/**
 * Returns the page with a visible block selected, so that keys do not act on a block that the
 * user cannot see.
 */
export function meanShownBlock<T extends SearchedLines>(page: T, rows: number): T {
  const { starts, top } = page
  const line = starts[page.at]?.line ?? 0
  const end = top + rows - 1
  if (line >= top && line < end) return page
  const first = starts.findIndex((start) => start.line >= top && start.line < end)
  const last = starts.findLastIndex((start) => start.line < end)
  // A long block may fill all rows, so that no block starts on the screen.
  const at = line < top && first >= 0 ? first : last
  return at < 0 ? page : { ...page, at }
}

/**
 * Returns the line with its first match in reverse video; unchanged without a match. Other styles are
 * removed, because they would end the reverse video early.
 */
export function markFound(line: string, text: string, pen: Pen): string {
  const bare = bareText(line)
  const match = patternOf(text).exec(bare)
  if (!match) return line
  const end = match.index + match[0].length
  return bare.slice(0, match.index) + pen.paint({ inverse: true })(match[0]) + bare.slice(end)
}

const patternOf = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu')

const bareText = (line: string) => line.replace(/\x1b\[[\d;]*m/g, '')
