// Tables and sheets of an OpenDocument file, where one cell element may represent several equal cells.
import { type BlockList, formatRow, namesColumns } from '../block-list.ts'
import type { GapKind } from '../gap-list.ts'
import type { TagAttributes } from '../markup-events.ts'
import { createSheetRows } from './sheet-rows.ts'

interface OpenTable {
  columns: string[] | undefined
  rows: number
  cells: string[]
  rowCount: number
  /** Number of cells that the open cell element represents; 0 between cells. */
  cellCount: number
  sheet: ReturnType<typeof createSheetRows> | undefined
}

interface TableOutput {
  list: BlockList
  place: () => string
  addGap: (kind: GapKind) => void
}

const maxRepeated = 1_000

export class OpenTables {
  /** Number (from 1) and name of the current sheet; 0 and empty before the first one. */
  section = 0
  name = ''
  readonly #tables: OpenTable[] = []
  readonly #list: BlockList
  readonly #place: () => string
  readonly #addGap: (kind: GapKind) => void

  constructor({ list, place, addGap }: TableOutput) {
    this.#list = list
    this.#place = place
    this.#addGap = addGap
  }

  get depth(): number {
    return this.#tables.length
  }

  /** Row (from 1) and column (from 0) of the open cell of the outermost table. */
  get position(): { row: number; column: number } {
    const table = this.#tables[0]
    return { row: (table?.rows ?? 0) + 1, column: Math.max(0, (table?.cells.length ?? 0) - 1) }
  }

  /** Adds text to the open cell; returns false if no cell is open. */
  put(text: string): boolean {
    const table = this.#tables.at(-1)
    if (!table || table.cellCount === 0) return false
    table.cells.push(`${table.cells.pop() ?? ''} ${text}`.trim())
    return true
  }

  open(name: string, attributes: TagAttributes, isSheet: boolean): void {
    const table = this.#tables.at(-1)
    if (name === 'table:table') {
      if (isSheet) {
        this.section++
        this.name = attributes['table:name'] ?? ''
      }
      const sheet = isSheet ? createSheetRows(this.#list, this.section, this.name) : undefined
      this.#tables.push({ columns: undefined, rows: 0, cells: [], rowCount: 1, cellCount: 0, sheet })
    } else if (name === 'table:table-row' && table) {
      table.rowCount = countOf(attributes['table:number-rows-repeated'])
    } else if (isCell(name) && table) this.#openCell(table, attributes)
  }

  /** Closes an element; returns whether it was a table or row. */
  close(name: string): boolean {
    const table = this.#tables.at(-1)
    if (table && isCell(name)) this.#closeCell(table)
    else if (table && name === 'table:table-row') this.#closeRow(table)
    else if (table && name === 'table:table') this.#tables.pop()?.sheet?.end()
    else return false
    return !isCell(name)
  }

  #openCell(table: OpenTable, attributes: TagAttributes): void {
    const columns = countOf(attributes['table:number-columns-spanned'])
    const rows = countOf(attributes['table:number-rows-spanned'])
    const at = table.cells.length
    if (columns > 1 || rows > 1)
      table.sheet?.merge({ rows: [table.rows + 1, table.rows + rows], columns: [at, at + columns - 1] })
    table.cells.push('')
    table.cellCount = countOf(attributes['table:number-columns-repeated'])
  }

  #closeCell(table: OpenTable): void {
    const text = table.cells.at(-1) ?? ''
    for (let i = 1; i < table.cellCount && table.cells.length < maxRepeated; i++) table.cells.push(text)
    if (text !== '' && table.cellCount > maxRepeated) this.#addGap('cells')
    table.cellCount = 0
  }

  #closeRow(table: OpenTable): void {
    const isFilled = table.cells.some((cell) => cell !== '')
    const count = isFilled ? Math.min(table.rowCount, maxRepeated) : 0
    if (isFilled && table.rowCount > maxRepeated) this.#addGap('repeated')
    for (let i = 0; i < count; i++) {
      if (table.sheet) table.sheet.add(table.rows + i + 1, [...table.cells])
      else this.#putRow(table)
    }
    table.rows += table.rowCount
    table.cells = []
  }

  /** Adds a row; a table within a cell becomes text of that cell. */
  #putRow(table: OpenTable): void {
    const isHead = table.rows === 0 && namesColumns(table.cells)
    if (isHead) table.columns = table.cells
    const row = formatRow(table.cells, isHead ? undefined : table.columns)
    const outer = this.#tables.at(-2)
    if (outer && outer.cellCount > 0) outer.cells.push(`${outer.cells.pop() ?? ''} ${row}`.trim())
    else this.#list.add(row, this.#place)
  }
}

const isCell = (name: string) => name === 'table:table-cell' || name === 'table:covered-table-cell'

export const countOf = (value: string | undefined): number =>
  Math.max(1, Math.min(1_048_576, Number(value) || 1))
