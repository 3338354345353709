// A window over rows that records how far the user has seen the rows without a gap. The functions are pure,
// except that rows may be made on demand.
import { type LazyList, listLazily } from './lazy-list.ts'
import type { ScreenRow } from './rows.ts'

export interface Pager {
  readonly rows: LazyList<ScreenRow>
  /** Number of rows that are visible at once. */
  readonly height: number
  /** Index of the first visible row. */
  readonly top: number
  /**
   * Number of rows from the start that were shown without a gap. `Infinity` means all rows, including rows
   * that do not exist yet.
   */
  readonly seen: number
}

export function openPager(rows: Iterable<ScreenRow> | LazyList<ScreenRow>, height: number): Pager {
  const listed = listLazily(rows)
  return { rows: listed, height, top: 0, seen: countTo(listed, height) }
}

export const isRead = ({ rows, seen: seenCount }: Pager): boolean =>
  seenCount === Number.POSITIVE_INFINITY || rows.at(seenCount) === undefined

/** Returns true if the rows need more than one page. */
export const isPaged = ({ rows, height }: Pager): boolean => rows.at(height) !== undefined

/**
 * Scrolls by `by` rows, but never past the next row that was not seen. Returns the same pager
 * if nothing moves.
 */
export function scrollBy(pager: Pager, by: number): Pager {
  const { rows, height, seen: seenCount } = pager
  const targetTop = Math.max(0, Math.min(pager.top + by, seenCount))
  const top = rows.at(targetTop + height - 1) ? targetTop : Math.min(targetTop, lastTop(rows, height))
  if (top === pager.top) return pager
  return { ...pager, top, seen: Math.max(seenCount, countTo(rows, top + height)) }
}

/**
 * Returns a pager over the same text in other rows, scrolled to the same position in the text. A partly seen
 * line counts as unseen.
 */
export function rebreakPager(
  pager: Pager,
  rows: Iterable<ScreenRow> | LazyList<ScreenRow>,
  height: number,
): Pager {
  const listed = listLazily(rows)
  const rowOf = (line: number) => {
    for (let place = 0; ; place++) {
      const row = listed.at(place)
      if (!row || row.line >= line) return place
    }
  }
  const read = isRead(pager) ? Number.POSITIVE_INFINITY : rowOf(pager.rows.at(pager.seen)?.line ?? 0)
  const targetTop = Math.min(rowOf(pager.rows.at(pager.top)?.line ?? 0), read)
  const top = listed.at(targetTop + height - 1) ? targetTop : Math.min(targetTop, lastTop(listed, height))
  return { rows: listed, height, top, seen: Math.max(read, countTo(listed, top + height)) }
}

/** Returns the position as text, for example `lines 1-18 of 240`, or `240+` if more rows follow. */
export function positionText({ top, height, rows }: Pager): string {
  const last = countTo(rows, top + height)
  return `lines ${top + 1}-${last} of ${describeLength(rows)}`
}

/** Returns the number of rows as text, with `+` if there are more. */
export const describeLength = ({ length, isWhole = true }: { length: number; isWhole?: boolean }): string =>
  isWhole ? `${length}` : `${length - 1}+`

/** Returns `count`, or the number of rows if that is smaller. */
const countTo = (rows: LazyList<ScreenRow>, count: number) => (rows.at(count - 1) ? count : rows.length)

/** Returns the index of the top row when the window is at the end. All rows must have been made. */
const lastTop = (rows: LazyList<ScreenRow>, height: number) => Math.max(0, rows.length - height)
