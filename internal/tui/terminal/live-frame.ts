// A frame of rows at the end of the screen that are redrawn in place.
import type { Writable } from 'node:stream'
import { countCells } from '../../render/text/cell-width.ts'

/**
 * The part of a write stream that a frame uses. A stream without a size, such as some pseudo terminals have,
 * counts as 80 columns by 24 rows.
 */
export type FrameOutput = Writable & { readonly columns?: number; readonly rows?: number }

export const columnsOf = ({ columns }: { readonly columns?: number | undefined }): number => columns || 80
export const rowsOf = ({ rows }: { readonly rows?: number | undefined }): number => rows || 24

/** Loads the dialogs, which few command lines show. */
export const loadDialogs = () => import('@clack/prompts')

/** Returns the stream with a valid size, because a library cannot handle the size 0. */
export function withScreenSize<T extends FrameOutput>(out: T): T {
  if (out.columns !== 0 && out.rows !== 0) return out
  return new Proxy(out, {
    get(target, name) {
      if (name === 'columns') return columnsOf(target)
      if (name === 'rows') return rowsOf(target)
      const value = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

interface LiveFrame {
  draw(rows: readonly string[]): void
  /** Erases the rows of the frame and moves the cursor to their start. */
  erase(): void
}

export function liveFrame(out: FrameOutput): LiveFrame {
  let drawn: readonly string[] = []
  /**
   * Returns the number of rows from the start of the frame to the cursor. A terminal that became narrower has
   * broken some rows into several.
   */
  const height = () => {
    const columns = columnsOf(out)
    const rows = drawn.reduce(
      (sum, row) => sum + Math.max(1, Math.ceil(countCells(removeStyles(row)) / columns)),
      0,
    )
    return Math.min(rows, rowsOf(out) - 1)
  }
  const up = (rows: number) => (rows > 0 ? `\x1b[${rows}A\r` : '\r')
  return {
    draw(rows) {
      const begin = drawn.length === 0 ? '\x1b[?25l\r' : up(height())
      // The rows are cleared one by one, because some terminals save a copy of a screen that is
      // cleared at once. Each row is cleared before its text, because tmux keeps the width of a row whose end
      // is cleared, and breaks it as if its old text were there.
      out.write(`${begin}${rows.map((row) => `\x1b[K${row}\n`).join('')}\x1b[J`)
      drawn = rows
    },
    erase() {
      const rows = height()
      out.write(`${up(rows)}${'\x1b[2K\n'.repeat(rows)}${up(rows)}\x1b[?25h`)
      drawn = []
    },
  }
}

/** Returns the row without its styles. */
const removeStyles = (row: string) => row.replace(/\x1b\[[\d;]*m/g, '')
