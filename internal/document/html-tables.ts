// Open tables of an HTML page, with their column names and the cells of their open rows.
import { formatRow, namesColumns } from './block-list.ts'

interface HtmlCell {
  text: string
  head: boolean
}

interface HtmlTable {
  columns: string[] | undefined
  rows: number
  cells: HtmlCell[] | undefined
}

/** Tables that are open at one position of a page, outermost first. */
export class HtmlTables {
  readonly #tables: HtmlTable[] = []

  /**
   * Cells of the innermost open row; undefined outside of rows. A table within a cell becomes text
   * of that cell.
   */
  get cells(): HtmlCell[] | undefined {
    return this.#tables.findLast(({ cells }) => cells)?.cells
  }

  open(): void {
    this.#tables.push({ columns: undefined, rows: 0, cells: undefined })
  }

  close(): void {
    this.#tables.pop()
  }

  /** Begins a row of the innermost table, or of a new table if none is open. */
  openRow(): void {
    this.#innermost().cells = []
  }

  openCell(head: boolean): void {
    const table = this.#innermost()
    table.cells ??= []
    table.cells.push({ text: '', head })
  }

  #innermost(): HtmlTable {
    if (this.#tables.length === 0) this.open()
    return this.#tables.at(-1) as HtmlTable
  }

  /** Ends the row of the innermost table; returns it as text, or undefined without an open row or cells. */
  closeRow(): string | undefined {
    const table = this.#tables.at(-1)
    const cells = table?.cells
    if (!table || !cells) return undefined
    table.cells = undefined
    if (cells.length === 0) return undefined
    const texts = cells.map(({ text }) => text)
    const isHead = table.rows === 0 && (cells.every(({ head }) => head) || namesColumns(texts))
    table.rows++
    if (isHead && cells.length > 1) table.columns = texts
    return formatRow(texts, isHead ? undefined : table.columns)
  }
}
