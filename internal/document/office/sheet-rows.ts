// Rows of a sheet with the names of their columns, for as many tables as the sheet has.
import { type BlockList, formatRow } from '../block-list.ts'

/** A number, with a sign, a currency or a short unit around it. */
const figure = new RegExp(
  '^[\\s+\\-–−<>≤≥~±(\\p{Sc}]*(?:(?:USD|EUR|GBP|CHF|JPY|CNY|R\\$)\\s*)?[\\s+\\-–−(]*' +
    '\\d[\\d.,:\\s-]*(?:%|\\p{Sc}|[\\p{L}°µ/]{0,6})\\)?$',
  'u',
)

const listFilled = (cells: readonly string[]) =>
  cells.flatMap((cell, i) => (cell.trim() === '' ? [] : [{ cell, i }]))

/** At least two cells and no figure: the row may name the columns below it. */
function mayBeHead(cells: readonly string[]): boolean {
  const filled = listFilled(cells)
  return filled.length > 1 && filled.every(({ cell }) => !figure.test(cell))
}

interface SheetRow {
  n: number
  cells: string[]
}

/**
 * Adds rows under the name of their sheet. An empty row ends a table. So does a row of words where a
 * column had figures and has figures again below. Rows without a heading of their own get no names.
 */
export function createSheetRows(list: BlockList, section: number, name: string) {
  let columns: string[] | undefined
  let isTop = true
  let isNamed = false
  let numeric = new Set<number>()
  let last = 0
  let waiting: SheetRow | undefined

  const putName = () => {
    if (!isNamed) list.add(name, () => `section ${section}`, 1)
    isNamed = true
  }
  const put = ({ n, cells }: SheetRow, isHead: boolean) => {
    putName()
    if (isHead) {
      columns = cells
      numeric = new Set()
    }
    for (const { cell, i } of listFilled(cells)) if (!numeric.has(i) && figure.test(cell)) numeric.add(i)
    list.add(formatRow(cells, isHead ? undefined : columns), () => `section ${section}, row ${n}`)
    isTop = false
  }
  /** A row of words below figures is a heading where `next` has figures again in the same columns. */
  const startsTable = (row: SheetRow, next: SheetRow | undefined) => {
    const filled = listFilled(row.cells).map(({ i }) => i)
    return (
      next !== undefined &&
      filled.some((i) => numeric.has(i)) &&
      filled.some((i) => figure.test(next.cells[i] ?? ''))
    )
  }
  const flush = (next: SheetRow | undefined) => {
    if (waiting) put(waiting, startsTable(waiting, next))
    waiting = undefined
  }
  return {
    add(n: number, cells: string[]): void {
      if (cells.every((cell) => cell.trim() === '')) return
      const row = { n, cells }
      const isApart = last > 0 && n > last + 1
      flush(isApart ? undefined : row)
      if (isApart) {
        columns = undefined
        isTop = true
      }
      last = n
      if (isTop) put(row, mayBeHead(cells))
      else if (mayBeHead(cells) && listFilled(cells).some(({ i }) => numeric.has(i))) waiting = row
      else put(row, false)
    },
    end: () => flush(undefined),
    /** For a sheet that has comments or drawings alone. */
    putName,
  }
}
