// What an inline screen has drawn, and how it becomes the next frame: also after the terminal has moved it.
import { countCells } from '../../render/text/cell-width.ts'
import { type CursorPlace, type CursorReport, openFrameTiming } from './cursor-report.ts'
import { drawLeastSize, isTooSmall } from './least-size.ts'
import {
  type FrameTime,
  findLiveRows,
  type LastFrame,
  type ReflowKind,
  type TerminalSize,
} from './live-reflow.ts'
import {
  eraseLiveRows,
  type LiveRows,
  leaveLiveRows,
  noLiveRows,
  type PageFrame,
  type ScreenFrame,
  unknownRow,
  writeLiveRows,
  writeWholeScreen,
} from './screen-writer.ts'
import type { TerminalIo } from './terminal-io.ts'

/** What stands on the screen. `isPage`: on the whole terminal, and nothing is printed meanwhile. */
export interface ScreenContent extends PageFrame {
  /** Printed above the live rows, once. */
  finished: readonly string[]
  isPage?: boolean
  /** The mouse is this frame's. */
  hasMouse?: boolean
  /** Called once the terminal has taken it. */
  taken?(): void
}

/** The last rows that the terminal has room for; below its smallest size one line that says so. */
function fitFrame({ rows, caret }: ScreenFrame, size: { columns: number; rows: number }): ScreenFrame {
  if (isTooSmall(size)) return { rows: [drawLeastSize(size)] }
  const surplus = Math.max(0, rows.length - (size.rows - 1))
  const fitting = rows.slice(surplus)
  const row = caret && caret.row - surplus
  if (!caret || row === undefined || row < 0) return { rows: fitting }
  return {
    rows: fitting.map((text, i) => (i === row ? fillRow(text, caret.column + 1) : text)),
    caret: { ...caret, row },
  }
}

/**
 * A cursor that stands beyond the text of its row would be moved to its end by some that break rows; spaces
 * without style are no text to them.
 */
function fillRow(row: string, cells: number): string {
  const missing = cells - countCells(row.replace(/\x1b\[[\d;]*m/g, ''))
  return missing > 0 ? `${row}\x1b[2m${' '.repeat(missing)}\x1b[0m` : row
}

const isSameSize = (one: TerminalSize, other: TerminalSize) =>
  one.columns === other.columns && one.rows === other.rows

type FrameChanges = Parameters<typeof findLiveRows>[1]

/** Takes the last frame away that the terminal has moved, as far as is known where it stands. */
function eraseFrame(last: LastFrame, changes: FrameChanges, kind: ReflowKind, time: FrameTime): string {
  const { rows } = changes.sizes.at(-1) ?? changes.before
  if (time === 'lost') return leaveLiveRows(rows)
  const { rowsUp, reprinted } = findLiveRows(last, changes, kind, time)
  return eraseLiveRows(Math.min(rowsUp, rows - 1), reprinted)
}

/** What stands on the terminal, and how it becomes something else. */
export function openLivePainter(
  io: Pick<TerminalIo, 'columns' | 'rows' | 'write' | 'modes'>,
  kind: ReflowKind,
  cursor: Pick<CursorReport, 'ask' | 'askKept'>,
) {
  let last: LastFrame | undefined
  const live = (): LiveRows => last?.after ?? noLiveRows
  const page = openPagePainter(io)
  /** Rows below the live ones that are surely empty. */
  let free = 0
  const sizeNow = () => ({ columns: io.columns(), rows: io.rows() })
  let size = sizeNow()
  const timing = openFrameTiming(sizeNow, kind, cursor)
  const eraseLive = () => {
    const before = size
    const now = sizeNow()
    const { time, sizes } = timing.take()
    size = now
    if (!last || last.after.rows.length === 0) return
    io.write(eraseFrame(last, { before, sizes, free }, kind, time))
    // of rows that the terminal has moved nobody knows how many are empty
    free = isSameSize(before, now) ? free + last.after.rows.length : 0
    last = undefined
  }
  return {
    paint(content: ScreenContent) {
      io.modes.setMouse(content.hasMouse === true)
      if (content.isPage === true) return page.paint(content)
      page.leave()
      // the terminal may have moved what stood below a page
      if (!isSameSize(size, sizeNow())) eraseLive()
      const { finished } = content
      const before = live()
      const { bytes, after } = writeLiveRows(before, finished, fitFrame(content, size), size.columns)
      if (bytes === '') return
      last = { before, finished, after, free }
      free = Math.max(0, free + before.rows.length - finished.length - after.rows.length)
      io.write(bytes)
    },
    /** The terminal has another size: what it has moved is taken away once that is still. */
    resized() {
      if (!page.isOpen() && kind !== 'cut' && live().rows.length > 0) timing.resized()
    },
    placed: (found: CursorPlace) => timing.placed(found, live(), last?.before),
    /** Everything is drawn anew. */
    erase() {
      if (!page.forget()) eraseLive()
    },
    /** The terminal shows something else now. */
    forget() {
      last = undefined
      page.close()
      free = 0
      timing.take()
      size = sizeNow()
    },
    /** Takes the live rows away: the terminal goes on to something else. */
    part: () => (live().rows.length > 0 ? eraseLiveRows(live().row) : ''),
  }
}

/** A page on the alternate screen, row by row. */
function openPagePainter(io: Pick<TerminalIo, 'rows' | 'write' | 'modes'>) {
  let page: PageFrame | undefined
  const unknown = (count: number) => ({ rows: Array.from({ length: count }, () => unknownRow) })
  return {
    isOpen: () => page !== undefined,
    paint({ rows, caret, pane }: PageFrame) {
      if (!page) {
        io.modes.setAlternate(true)
        io.write('\x1b[?1049h')
        // what another program left there is not ours to keep
        page = unknown(io.rows())
      }
      const bytes = writeWholeScreen(page, { rows, caret, pane })
      page = { rows: [...rows], caret, pane }
      if (bytes !== '') io.write(bytes)
    },
    leave() {
      if (!page) return
      page = undefined
      io.modes.setAlternate(false)
      io.write('\x1b[?1049l')
    },
    /** Every row that the terminal has now is written again; false where no page is open. */
    forget() {
      // what is written below its last row would be written to that
      page = page && unknown(io.rows())
      return page !== undefined
    },
    /** The terminal has left it. */
    close() {
      page = undefined
    },
  }
}
