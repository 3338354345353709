// A window over rows that knows how far it was read without a gap. Pure.
import type { ScreenRow } from './rows.ts'

export interface Pager {
  readonly rows: readonly ScreenRow[]
  /** Rows that are shown at once. */
  readonly height: number
  /** The first row shown. */
  readonly top: number
  /** So many rows from the start have been shown. */
  readonly seen: number
}

export function openPager(rows: readonly ScreenRow[], height: number): Pager {
  return { rows, height, top: 0, seen: Math.min(rows.length, height) }
}

export const isRead = ({ rows, seen }: Pager): boolean => seen >= rows.length

/** By so many rows, never past what comes next: nothing is skipped. The same pager where nothing moves. */
export function scrollBy(pager: Pager, rows: number): Pager {
  const { height, seen } = pager
  const last = Math.max(0, pager.rows.length - height)
  const top = Math.max(0, Math.min(pager.top + rows, last, seen))
  if (top === pager.top) return pager
  return { ...pager, top, seen: Math.max(seen, Math.min(top + height, pager.rows.length)) }
}

/** The same text in other rows, at the same place; a line that was read in part is read again. */
export function rebreakPager(pager: Pager, rows: readonly ScreenRow[], height: number): Pager {
  const rowOf = (line: number) => {
    const row = rows.findIndex((one) => one.line >= line)
    return row < 0 ? rows.length : row
  }
  const read = isRead(pager) ? rows.length : rowOf(pager.rows[pager.seen]?.line ?? 0)
  const top = Math.min(rowOf(pager.rows[pager.top]?.line ?? 0), read, Math.max(0, rows.length - height))
  return { rows, height, top, seen: Math.max(read, Math.min(top + height, rows.length)) }
}

/** `lines 1-18 of 240`. */
export function positionText({ top, height, rows }: Pager): string {
  return `lines ${top + 1}-${Math.min(top + height, rows.length)} of ${rows.length}`
}
