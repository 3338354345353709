// What an inline screen has drawn, and how it becomes the next frame: also after the terminal has moved it.
import { countRowsUp, type ReflowKind } from './live-reflow.ts'
import {
  eraseLiveRows,
  type LiveRows,
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
}

const smallest = { columns: 20, rows: 6 }

/** The last rows that the terminal has room for; below its smallest size one line that says so. */
function fitFrame({ rows, caret }: ScreenFrame, size: { columns: number; rows: number }): ScreenFrame {
  if (size.columns < smallest.columns || size.rows < smallest.rows) {
    const line = `needs ${smallest.columns}x${smallest.rows}`.slice(0, Math.max(0, size.columns - 1))
    return { rows: [line] }
  }
  const surplus = Math.max(0, rows.length - (size.rows - 1))
  const row = caret && caret.row - surplus
  return {
    rows: rows.slice(surplus),
    caret: caret && row !== undefined && row >= 0 ? { ...caret, row } : undefined,
  }
}

/** What stands on the terminal, and how it becomes something else. */
export function openLivePainter(
  io: Pick<TerminalIo, 'columns' | 'rows' | 'write' | 'modes'>,
  kind: ReflowKind,
) {
  let live: LiveRows = noLiveRows
  const page = openPagePainter(io)
  /** Rows below the live ones that are surely empty. */
  let free = 0
  const sizeNow = () => ({ columns: io.columns(), rows: io.rows() })
  let size = sizeNow()
  const eraseLive = () => {
    const [before, now] = [size, sizeNow()]
    size = now
    if (live.rows.length === 0) return
    const isMoved = before.columns !== now.columns || before.rows !== now.rows
    const rowsUp = isMoved ? countRowsUp(live, { before, now, free }, kind) : live.row
    io.write(eraseLiveRows(Math.min(rowsUp, now.rows - 1)))
    // of rows that the terminal has moved nobody knows how many are empty
    free = isMoved ? 0 : free + live.rows.length
    live = noLiveRows
  }
  return {
    paint(content: ScreenContent) {
      io.modes.setMouse(content.hasMouse === true)
      if (content.isPage === true) return page.paint(content)
      page.leave()
      // the terminal may have moved what stood below a page
      if (size.columns !== io.columns() || size.rows !== io.rows()) eraseLive()
      const frame = fitFrame(content, sizeNow())
      const { bytes, after } = writeLiveRows(live, content.finished, frame)
      const grown = content.finished.length + after.rows.length - live.rows.length
      free = Math.max(0, free - grown)
      live = after
      if (bytes !== '') io.write(bytes)
    },
    /** The terminal has another size: what it moves is taken away at once, before it moves again. */
    resized() {
      if (!page.isOpen() && kind !== 'cut') eraseLive()
    },
    /** Everything is drawn anew. */
    erase() {
      if (!page.forget()) eraseLive()
    },
    /** The terminal shows something else now. */
    forget() {
      live = noLiveRows
      page.close()
      free = 0
      size = sizeNow()
    },
    /** Takes the live rows away: the terminal goes on to something else. */
    part: () => (live.rows.length > 0 ? eraseLiveRows(live.row) : ''),
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
    /** Every row is written again; false where no page is open. */
    forget() {
      page = page && unknown(Math.max(page.rows.length, io.rows()))
      return page !== undefined
    },
    /** The terminal has left it. */
    close() {
      page = undefined
    },
  }
}
