// Cells of a sheet of a workbook, row by row, and the cells that are not read.
import type { GapKind } from '../gap-list.ts'
import { type MarkupHandler, parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { createCellAnchor, nameColumn } from './cell-anchor.ts'
import { type CellFormat, showNumber } from './cell-format.ts'
import { localName } from './office-parts.ts'
import type { MergedCells } from './sheet-tables.ts'
import type { UnreadParts } from './unread-parts.ts'

/** Largest number of columns. Cells further to the right are skipped. */
const maxColumns = 1_000

/** Data that all sheets of a workbook share. */
interface WorkbookFacts {
  strings: readonly string[]
  /** Format of a number by the style of its cell. */
  formats: ReadonlyMap<number, CellFormat>
  from1904: boolean
}

interface SheetParts {
  facts: WorkbookFacts
  add: (row: number, cells: string[]) => void
  addGap: (kind: GapKind, cell: string | undefined) => void
  merge: (cells: MergedCells) => void
  unread: UnreadParts
}

const cellNames = new Set(['c', 'v', 'f', 't', 'is'])

/**
 * Adds the rows and merged ranges of a sheet, and a gap for what is not read, such as pictures, formulas
 * without a value, and cells right of the first 1,000 columns.
 */
export async function readCells(
  zip: ZipArchive,
  part: string,
  { facts, add, addGap, merge, unread }: SheetParts,
  budget: ReadingBudget,
): Promise<void> {
  const stream = await zip.stream(part)
  if (!stream) return
  const anchor = createCellAnchor()
  const see = await unread.within(part, (kind) => anchor.defer((cell) => addGap(kind, cell)))
  const cells = sheetHandler(facts, { add, addGap }, budget.grow)
  let fallback = 0
  const handler: MarkupHandler = {
    open(raw, attributes) {
      const name = localName(raw)
      if (name === 'Fallback' || fallback > 0) fallback++
      if (fallback > 0) return
      cells.open(name, attributes)
      // elements of cells, of which a sheet may have millions, do not concern the handlers below
      if (cellNames.has(name)) return
      anchor.open(name, attributes)
      see(name, attributes)
      const range = name === 'mergeCell' ? rangeOf(attributes.ref) : undefined
      if (range) merge(range)
    },
    text(text) {
      anchor.text(text)
      cells.text(text)
    },
    close(raw) {
      const name = localName(raw)
      if (fallback > 0) fallback--
      else {
        cells.close(name)
        if (!cellNames.has(name)) anchor.close(name)
      }
    },
  }
  await parseMarkup(stream, 'xml', handler, budget)
}

/** Returns a handler for the cells of a sheet. It gets names without prefixes. */
function sheetHandler(
  facts: WorkbookFacts,
  { add, addGap }: Pick<SheetParts, 'add' | 'addGap'>,
  grow: ReadingBudget['grow'],
): MarkupHandler {
  let row = 0
  let cells: string[] = []
  let cell: SheetCell = { column: 0, type: '', style: 0 }
  let value = ''
  let formula = ''
  let reading: 'value' | 'formula' | undefined
  return {
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes.r) || row + 1
        cells = []
        cell = { column: -1, type: '', style: 0 }
      } else if (name === 'c') {
        const column = columnOf(attributes.r) ?? cell.column + 1
        cell = { column, type: attributes.t ?? '', style: Number(attributes.s ?? 0) }
        value = ''
        formula = ''
      } else if (name === 'v' || name === 't') {
        reading = 'value'
        cell.isStored = true
      } else if (name === 'f') {
        reading = 'formula'
        cell.isFormula = true
      }
    },
    text(part) {
      if (reading === 'value') value = grow(value, part)
      else if (reading === 'formula') formula = grow(formula, part)
    },
    close(name) {
      if (name === 'v' || name === 't' || name === 'f') reading = undefined
      else if (name === 'c' && cell.column < maxColumns) {
        while (cells.length < cell.column) cells.push('')
        const isOpen = cell.isFormula && !cell.isStored
        if (isOpen) addGap('formula', `${nameColumn(cell.column)}${row}`)
        cells[cell.column] = isOpen ? `[formula without a value: ${formula}]` : cellText(value, cell, facts)
      } else if (name === 'row') {
        if (cell.column >= maxColumns) addGap('cells', `row ${row}`)
        add(row, cells)
      }
    },
  }
}

interface SheetCell {
  column: number
  type: string
  style: number
  /** Whether the cell has a value, and whether it has a formula. */
  isStored?: boolean
  isFormula?: boolean
}

/** Parses a range such as `A1:B2`; returns undefined for any other text. */
function rangeOf(reference = ''): MergedCells | undefined {
  const [from = '', to = ''] = reference.split(':')
  const left = columnOf(from)
  const right = columnOf(to)
  const [top, bottom] = [from, to].map((cell) => Number(/\d+$/.exec(cell)?.[0]))
  if (left === undefined || right === undefined || !top || !bottom) return undefined
  return { rows: [top, bottom], columns: [left, right] }
}

/** Returns the column of a reference, counted from 0: 54 for `BC12`. Undefined without letters. */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

function cellText(value: string, { type, style }: { type: string; style: number }, facts: WorkbookFacts) {
  if (type === 's') return facts.strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== '' && type !== 'n') return value
  return showNumber(value, facts.formats.get(style), facts.from1904)
}
