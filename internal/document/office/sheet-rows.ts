// Rows of a sheet with the names of their columns, for as many tables as the sheet has.
import type { BlockList } from '../block-list.ts'
import { type BandState, formatBand, type MergedCells, type SheetRow } from './sheet-tables.ts'

/**
 * Limits for rows that are stored until the merged cells are known, which come after the rows in the file.
 * Above the limits of rows or characters, the stored rows are added at once. Merged ranges above the third
 * limit are ignored.
 */
const maxWaitingRows = 20_000
const maxWaitingChars = 1_000_000
const maxMerged = 1_000

/** Returns a collector that adds rows to `list` under the name of their sheet. An empty row ends a table. */
export function createSheetRows(list: BlockList, section: number, name: string) {
  let isNamed = false
  let last = 0
  let band: SheetRow[] = []
  const bands: SheetRow[][] = []
  /**
   * State of the first band (rows without an empty row between them), if some of its rows are already added.
   */
  let state: BandState | undefined
  const waiting = { rows: 0, chars: 0 }
  const merged: MergedCells[] = []

  const putName = () => {
    if (!isNamed) list.add(name, () => `section ${section}`, 1)
    isNamed = true
  }
  const putRow = (n: number, text: string) => {
    putName()
    list.add(text, () => `section ${section}, row ${n}`)
  }
  const flush = () => {
    for (const rows of bands.splice(0)) {
      const after = formatBand(rows, merged, putRow, state)
      state = rows === band ? after : undefined
    }
    if (state) {
      band = []
      bands.push(band)
    }
    waiting.rows = waiting.chars = 0
  }
  return {
    add(n: number, cells: string[]): void {
      if (cells.every((cell) => cell.trim() === '')) return
      if (n > last + 1 || bands.length === 0) {
        if (band.length === 0 && state) {
          bands.pop()
          state = undefined
        }
        band = []
        bands.push(band)
      }
      last = n
      band.push({ n, cells })
      waiting.rows++
      for (const cell of cells) waiting.chars += cell.length
      if (waiting.rows > maxWaitingRows || waiting.chars > maxWaitingChars) flush()
    },
    merge(cells: MergedCells): void {
      if (merged.length < maxMerged) merged.push(cells)
    },
    end: flush,
    /**
     * Adds the name of the sheet unless it is already added, for a sheet that has only comments or drawings.
     */
    putName,
  }
}
