// The cell that a drawing or an embedded file of a sheet is anchored to.
import type { MarkupHandler } from '../markup-events.ts'

interface CellAnchor extends MarkupHandler {
  /**
   * Calls `use` at the end of the anchor with the name of its cell, such as `B4`; undefined for an anchor
   * without a cell. Outside of an anchor, calls it at once with undefined.
   */
  defer(use: (cell: string | undefined) => void): void
}

const anchors = new Set(['twoCellAnchor', 'oneCellAnchor', 'absoluteAnchor', 'oleObject', 'control'])

/** Returns a handler that tracks the anchors of a sheet. It gets names without prefixes. */
export function createCellAnchor(): CellAnchor {
  let waiting: ((cell: string | undefined) => void)[] = []
  let from: { col?: number; row?: number } | undefined
  let reading: 'col' | 'row' | undefined
  let inFrom = false
  let depth = 0
  return {
    defer(use) {
      if (depth > 0) waiting.push(use)
      else use(undefined)
    },
    open(name) {
      if (anchors.has(name) && depth++ === 0) from = undefined
      if (name === 'from') {
        inFrom = true
        from ??= {}
      }
      reading = inFrom && (name === 'col' || name === 'row') ? name : undefined
    },
    text(text) {
      if (from && reading) from[reading] = Number(text)
    },
    close(name) {
      reading = undefined
      if (name === 'from') inFrom = false
      if (!anchors.has(name) || --depth > 0) return
      const { col, row } = from ?? {}
      const cell = col === undefined || row === undefined ? undefined : `${nameColumn(col)}${row + 1}`
      for (const use of waiting) use(cell)
      waiting = []
    },
  }
}

/** Returns the letters of a column, counted from 0: `AB` for 27. */
export function nameColumn(column: number): string {
  let letters = ''
  for (let n = column + 1; n > 0; n = Math.floor((n - 1) / 26))
    letters = String.fromCharCode(65 + ((n - 1) % 26)) + letters
  return letters
}
