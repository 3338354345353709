// Words that are searched for on the transcript: where they stand, and what is meant then. Pure.
import type { Pen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { KeyPress } from '../input/key-press.ts'

export interface LineSearch {
  text: string
  /** It is being written. */
  isOpen: boolean
  /** The line that was found last; -1: no line holds the words. */
  found?: number | undefined
}

/** Lines of which some are shown from `top` on; of the blocks that begin at `starts` one is meant. */
export interface SearchedLines {
  readonly lines: readonly string[]
  readonly starts: readonly { readonly line: number }[]
  readonly top: number
  readonly at: number
  readonly search: LineSearch
}

/** Enter looks for what was written, Escape gives it up. */
export function writeSearch<T extends SearchedLines>(page: T, { key, text }: KeyPress, rows: number): T {
  const { search } = page
  if (key === 'escape') return { ...page, search: { text: '', isOpen: false } }
  if (key === 'enter') return findNext({ ...page, search: { ...search, isOpen: false } }, 1, rows)
  const written = key === 'backspace' ? [...search.text].slice(0, -1).join('') : search.text + text
  return { ...page, search: { text: sanitizeText(written), isOpen: true } }
}

/** The next line that holds the words, from the one found before or the first row on, and round the end. */
export function findNext<T extends SearchedLines>(page: T, step: 1 | -1, rows: number): T {
  const { lines, search, top, starts } = page
  if (search.text === '') return page
  const pattern = patternOf(search.text)
  const from = search.found !== undefined && search.found >= 0 ? search.found : top - step
  for (let i = 1; i <= lines.length; i++) {
    const found = (((from + step * i) % lines.length) + lines.length) % lines.length
    if (!pattern.test(bareText(lines[found] as string))) continue
    const isSeen = found >= top && found < top + rows - 1
    const centred = Math.max(0, Math.min(found - Math.floor(rows / 3), lines.length - (rows - 1)))
    const at = Math.max(
      0,
      starts.findLastIndex(({ line }) => line <= found),
    )
    return { ...page, top: isSeen ? top : centred, at, search: { ...search, found } }
  }
  return { ...page, search: { ...search, found: -1 } }
}

/** What is meant follows the rows that are shown: keys do nothing to what nobody sees. */
export function meanShownBlock<T extends SearchedLines>(page: T, rows: number): T {
  const { starts, top } = page
  const line = starts[page.at]?.line ?? 0
  const end = top + rows - 1
  if (line >= top && line < end) return page
  const first = starts.findIndex((start) => start.line >= top && start.line < end)
  const last = starts.findLastIndex((start) => start.line < end)
  // a long block may fill all rows
  const at = line < top && first >= 0 ? first : last
  return at < 0 ? page : { ...page, at }
}

/** The line with the words in reverse; without other colours, for these end at every change of them. */
export function markFound(line: string, text: string, pen: Pen): string {
  const bare = bareText(line)
  const match = patternOf(text).exec(bare)
  if (!match) return line
  const end = match.index + match[0].length
  return bare.slice(0, match.index) + pen.paint({ inverse: true })(match[0]) + bare.slice(end)
}

const patternOf = (text: string) => new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'iu')

const bareText = (line: string) => line.replace(/\x1b\[[\d;]*m/g, '')
