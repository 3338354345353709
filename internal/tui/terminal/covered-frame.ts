// Frames on the alternate screen of tmux, which has no history. A narrower pane would move rows of tall
// frames into its history, where they cannot be erased.
import { minFreeRows } from './bottom-anchor.ts'
import type { ScreenContent } from './live-painter.ts'
import { countNarrowRows, narrowColumns, type TerminalSize } from './live-reflow.ts'

/**
 * Number of terminal rows that live rows leave free after the terminal became narrower: the first one, and
 * empty rows below them, which tmux does not drop.
 */
const spareRows = minFreeRows

/** Number of rows by which live rows must be lower before they leave the alternate screen. */
const steadyRows = 3

interface FrameCover {
  /** Returns the frame, or a page with the same rows if the live rows may not fit a narrower terminal. */
  fit(content: ScreenContent, size: TerminalSize): ScreenContent
}

/**
 * Opens the cover, which converts frames in tmux only. In other terminals the user scrolls with the terminal
 * itself, which shows no scrollback on the alternate screen.
 */
export function openFrameCover(isActive: boolean): FrameCover {
  /** The lines that were printed last, at most one screen. */
  let printed: readonly string[] = []
  /** Finished lines that are printed when the page closes. */
  let held: readonly string[] = []
  let isCovering = false
  return {
    fit(content, size) {
      if (!isActive || content.isPage === true) return content
      const { rows, caret, finished, isMoving, hasMouse, taken } = content
      const room = size.rows - spareRows - (isCovering ? steadyRows : 0)
      const mayCover = rows.length > 0 && (isCovering || !isNarrow(size))
      isCovering = mayCover && countNarrowRows(rows, size.columns) > room
      held = [...held, ...finished]
      const known = [...printed, ...held].slice(-size.rows)
      if (!isCovering) {
        const lines = held
        held = []
        printed = known
        return { finished: lines, rows, caret, isMoving, hasMouse, taken }
      }
      const earlier = known.slice(Math.max(0, known.length + rows.length - size.rows))
      const top = Math.max(0, size.rows - rows.length - earlier.length)
      const first = top + earlier.length
      return {
        isPage: true,
        finished: [],
        rows: [...Array<string>(top).fill(''), ...earlier, ...rows],
        caret: caret && { ...caret, row: first + caret.row },
        hasMouse,
        taken,
      }
    },
  }
}

const isNarrow = ({ columns }: TerminalSize) => columns <= narrowColumns(columns)
