// The painter of an inline screen. It replaces a frame with the next one, also after the terminal has
// changed its size.
import { countCells, splitClusters } from '../../render/text/cell-width.ts'
import { type CursorPlace, type CursorReport, openFrameTiming } from './cursor-report.ts'
import { drawLeastSize, isTooSmall } from './least-size.ts'
import {
  type FrameTime,
  findLiveRows,
  isSafeFrame,
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
import { leaveAlternate } from './terminal-modes.ts'

/**
 * The content of a frame. `isPage` means that the frame covers the whole terminal. Then lines are printed
 * only if the page has just opened.
 */
export interface ScreenContent extends PageFrame {
  /** Lines that are printed once, above the live rows. */
  finished: readonly string[]
  isPage?: boolean
  /** True if further frames follow by themselves at any moment, also while the terminal changes its size. */
  isMoving?: boolean
  /**
   * True if the live rows were already limited to those that fit a narrower terminal, as while
   * a response arrives.
   */
  isFitted?: boolean
  /** True if the screen captures the mouse during this frame. */
  hasMouse?: boolean
  /** Called once the terminal has received the frame. */
  taken?(): void
}

/**
 * Returns the last rows of a frame that have room. A terminal below the smallest size shows one line
 * that says so.
 */
function fitFrame({ rows, caret, isParked }: ScreenFrame, size: TerminalSize): ScreenFrame {
  if (isTooSmall(size)) return { rows: [drawLeastSize(size)], isParked }
  const surplus = Math.max(0, rows.length - (size.rows - 1))
  const fitting = rows.slice(surplus)
  const row = caret && caret.row - surplus
  if (!caret || row === undefined || row < 0) return { rows: fitting, isParked }
  const drawCaret = isParked ? markCell : fillRow
  const column = isParked ? Math.min(caret.column, size.columns - 1) : caret.column + 1
  return {
    rows: fitting.map((text, i) => (i === row ? drawCaret(text, column) : text)),
    caret: { ...caret, row },
    isParked,
  }
}

/**
 * Fills a row with styled spaces up to the cursor. Some terminals that break rows would otherwise move the
 * cursor to the end of the text; they ignore spaces without style.
 */
function fillRow(row: string, cells: number): string {
  const missing = cells - countCells(row.replace(/\x1b\[[\d;]*m/g, ''))
  return missing > 0 ? `${row}\x1b[2m${' '.repeat(missing)}\x1b[0m` : row
}

/** Returns the row with one inverse cell in place of the hidden cursor. */
function markCell(row: string, column: number): string {
  const mark = (text: string) => `\x1b[7m${text}\x1b[27m`
  let cells = 0
  let marked = ''
  for (const piece of row.split(/(\x1b\[[\d;]*m)/)) {
    const clusters = piece.startsWith('\x1b') ? [{ text: piece }] : splitClusters(piece)
    for (const { text } of clusters) {
      const width = text.startsWith('\x1b') ? 0 : countCells(text)
      const isHere = width > 0 && cells <= column && column < cells + width
      marked += isHere ? mark(text) : text
      cells += width
    }
  }
  return cells > column ? marked : `${row}${' '.repeat(column - cells)}${mark(' ')}`
}

const isSameSize = (one: TerminalSize, other: TerminalSize) =>
  one.columns === other.columns && one.rows === other.rows

/**
 * Returns true if the cursor is where the live rows begin, at any width. Without live rows it counts
 * as there too.
 */
const isAtStart = ({ row, column }: LiveRows) => row === 0 && column === 0

function fitContent(content: ScreenContent, size: TerminalSize, kind: ReflowKind): ScreenFrame {
  const { rows, caret, isMoving } = content
  const isParked = kind === 'text' && rows.length > 0 && (isMoving === true || !caret)
  return fitFrame({ rows, caret, isParked }, size)
}

type FrameChanges = Parameters<typeof findLiveRows>[1]

/**
 * Returns bytes that erase a frame after the terminal changed its size, as far as the frame's
 * position is known.
 */
function eraseFrame(last: LastFrame, changes: FrameChanges, kind: ReflowKind, time: FrameTime): string {
  const { rows } = changes.sizes.at(-1) ?? changes.before
  if (time === 'lost') return leaveLiveRows(rows)
  const { rowsUp, reprinted } = findLiveRows(last, changes, kind, time)
  return eraseLiveRows(Math.min(rowsUp, rows - 1), reprinted)
}

/** Opens a painter that knows the live rows on the terminal and replaces them. */
export function openLivePainter(
  io: Pick<TerminalIo, 'columns' | 'rows' | 'write' | 'modes'>,
  kind: ReflowKind,
  cursor: Pick<CursorReport, 'ask' | 'askKept'>,
) {
  let last: LastFrame | undefined
  const live = (): LiveRows => last?.after ?? noLiveRows
  const page = openPagePainter(io)
  /** Number of rows below the live rows that are known to be empty. */
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
    // After a change of size this number is unknown, so none is counted.
    free = isSameSize(before, now) ? free + last.after.rows.length : 0
    last = undefined
  }
  return {
    paint(content: ScreenContent) {
      io.modes.setMouse(content.hasMouse === true)
      if (content.isPage === true) return page.paint(content, eraseLive)
      page.leave()
      if (!isSameSize(size, sizeNow())) eraseLive()
      const { finished } = content
      const before = live()
      const { bytes, after } = writeLiveRows(before, finished, fitContent(content, size, kind), size.columns)
      if (bytes === '') return
      last = { before, finished, after, free }
      free = Math.max(0, free + before.rows.length - finished.length - after.rows.length)
      io.write(bytes)
    },
    /** Records a new size if live rows may have moved. They are erased once the size is stable. */
    resized() {
      if (!page.isOpen() && kind !== 'cut' && !isAtStart(live())) timing.resized()
    },
    /** Returns the live rows with the position of the cursor; none while a page is open. */
    shownRows: () => (page.isOpen() ? noLiveRows : live()),
    placed: (cursorPlace: CursorPlace) =>
      timing.placed(cursorPlace, live(), last && !isSafeFrame(last, kind) ? last.before : undefined),
    /** Erases the live rows, or forgets an open page, so that all is drawn again. */
    erase: () => (page.forget() ? undefined : eraseLive()),
    /** Forgets the frame, because other content has replaced it on the terminal. */
    forget() {
      last = undefined
      page.close()
      free = 0
      timing.take()
      size = sizeNow()
    },
    /** Returns bytes that erase the live rows before other content is written; empty if none are shown. */
    part: () => (live().rows.length > 0 ? eraseLiveRows(live().row) : ''),
  }
}

/**
 * Opens a painter of pages on the alternate screen of the terminal. It writes only rows that have changed.
 */
function openPagePainter(io: Pick<TerminalIo, 'rows' | 'write' | 'modes'>) {
  let page: PageFrame | undefined
  const unknown = (count: number) => ({ rows: Array.from({ length: count }, () => unknownRow) })
  return {
    isOpen: () => page !== undefined,
    /**
     * Draws the page. When it opens, the finished lines are printed in place of the live rows, which a
     * narrower terminal could move. Finished lines of later frames are ignored.
     */
    paint({ rows, caret, pane, finished }: ScreenContent, eraseLive: () => void) {
      if (!page) {
        eraseLive()
        io.write(eraseLiveRows(0, finished))
        io.modes.setAlternate(true)
        io.write('\x1b[?1049h')
        // The screen may show content of another program, so every row is overwritten.
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
      io.write(leaveAlternate)
    },
    /**
     * Marks every row of the page as unknown, so that it is written again. Returns false if no page is open.
     */
    forget() {
      // The new frame may have more rows than the terminal, whose last row would be overwritten, so every row
      // is unknown now.
      page = page && unknown(io.rows())
      return page !== undefined
    },
    /** Records that the terminal has left its alternate screen. */
    close() {
      page = undefined
    },
  }
}
