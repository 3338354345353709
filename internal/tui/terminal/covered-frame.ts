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

/**
 * Number of rows by which the live rows must become fewer than the limit before they leave the alternate
 * screen, so that the screen does not switch too often.
 */
const steadyRows = 1

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
  let heldLines: readonly string[] = []
  let isCovering = false
  /** True if the last frame was a page, under which nothing can be printed. */
  let isPageOpen = false
  return {
    fit(content, size) {
      if (!isActive) return content
      const wasOpen = isPageOpen
      isPageOpen = content.isPage === true
      if (content.isPage === true) return content
      const { rows, caret, finished, isMoving, isFitted, hasMouse, taken: onTaken } = content
      const room = size.rows - spareRows - (isCovering ? steadyRows : 0)
      const mayCover = rows.length > 0 && isFitted !== true && (isCovering || !isNarrow(size))
      isCovering = mayCover && countNarrowRows(rows, size.columns) > room
      isPageOpen = isCovering
      heldLines = [...heldLines, ...finished]
      const lastLines = [...printed, ...heldLines].slice(-size.rows)
      // Lines that are finished when the page opens are still printed, before the page covers them.
      const lines = isCovering && wasOpen ? [] : heldLines
      if (lines.length > 0) printed = lastLines
      if (lines.length > 0) heldLines = []
      if (!isCovering) return { finished: lines, rows, caret, isMoving, hasMouse, taken: onTaken }
      const earlier = lastLines.slice(Math.max(0, lastLines.length + rows.length - size.rows))
      const top = Math.max(0, size.rows - rows.length - earlier.length)
      const first = top + earlier.length
      return {
        isPage: true,
        finished: lines,
        rows: [...Array<string>(top).fill(''), ...earlier, ...rows],
        caret: caret && { ...caret, row: first + caret.row },
        hasMouse,
        taken: onTaken,
      }
    },
  }
}

const isNarrow = ({ columns }: TerminalSize) => columns <= narrowColumns(columns)
