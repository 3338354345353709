// A window over rows that knows how far it was read without a gap. Pure but for rows that are made when they
// are looked at.
import { type LazyList, listLazily } from './lazy-list.ts'
import type { ScreenRow } from './rows.ts'

export interface Pager {
  readonly rows: LazyList<ScreenRow>
  /** Rows that are shown at once. */
  readonly height: number
  /** The first row shown. */
  readonly top: number
  /** So many rows from the start have been shown; `Infinity`: all, also of those that are not made yet. */
  readonly seen: number
}

export function openPager(rows: Iterable<ScreenRow> | LazyList<ScreenRow>, height: number): Pager {
  const listed = listLazily(rows)
  return { rows: listed, height, top: 0, seen: countTo(listed, height) }
}

export const isRead = ({ rows, seen }: Pager): boolean =>
  seen === Number.POSITIVE_INFINITY || rows.at(seen) === undefined

/** Whether there is more than is shown at once. */
export const isPaged = ({ rows, height }: Pager): boolean => rows.at(height) !== undefined

/** By so many rows, never past what comes next: nothing is skipped. The same pager where nothing moves. */
export function scrollBy(pager: Pager, by: number): Pager {
  const { rows, height, seen } = pager
  const wanted = Math.max(0, Math.min(pager.top + by, seen))
  const top = rows.at(wanted + height - 1) ? wanted : Math.min(wanted, lastTop(rows, height))
  if (top === pager.top) return pager
  return { ...pager, top, seen: Math.max(seen, countTo(rows, top + height)) }
}

/** The same text in other rows, at the same place; a line that was read in part is read again. */
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
  const wanted = Math.min(rowOf(pager.rows.at(pager.top)?.line ?? 0), read)
  const top = listed.at(wanted + height - 1) ? wanted : Math.min(wanted, lastTop(listed, height))
  return { rows: listed, height, top, seen: Math.max(read, countTo(listed, top + height)) }
}

/** `lines 1-18 of 240`; `240+` where more follow than are known. */
export function positionText({ top, height, rows }: Pager): string {
  const last = countTo(rows, top + height)
  return `lines ${top + 1}-${last} of ${describeLength(rows)}`
}

/** How many there are, or that there are more. */
export const describeLength = ({ length, isWhole = true }: { length: number; isWhole?: boolean }): string =>
  isWhole ? `${length}` : `${length - 1}+`

/** So many, or as many as there are. */
const countTo = (rows: LazyList<ScreenRow>, count: number) => (rows.at(count - 1) ? count : rows.length)

/** Of rows that are all made. */
const lastTop = (rows: LazyList<ScreenRow>, height: number) => Math.max(0, rows.length - height)
