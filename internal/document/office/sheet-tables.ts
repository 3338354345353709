// Detection of tables in a band of sheet rows: side by side or stacked, with one or two rows of headings.
import { formatRow } from '../block-list.ts'

export interface SheetRow {
  n: number
  cells: string[]
}

/** A range of merged cells. Rows count from 1, columns from 0; both ends are included. */
export interface MergedCells {
  rows: readonly [from: number, to: number]
  columns: readonly [from: number, to: number]
}

/** Matches a number, also with a sign, a currency or a short unit around it. */
const figure = new RegExp(
  '^[\\s+\\-–−<>≤≥~±(\\p{Sc}]*(?:(?:USD|EUR|GBP|CHF|JPY|CNY|R\\$)\\s*)?[\\s+\\-–−(]*' +
    '\\d[\\d.,:\\s-]*(?:%|\\p{Sc}|[\\p{L}°µ/]{0,6})\\)?$',
  'u',
)
const year = /^(?:1[89]|20|21)\d\d$/

const listFilled = (cells: readonly string[]) =>
  cells.flatMap((cell, i) => (cell.trim() === '' ? [] : [{ cell, i }]))

/**
 * Returns whether the row may name the columns below it: at least two cells have text, and none of them
 * is a number.
 */
function mayBeHead(cells: readonly string[]): boolean {
  const filled = listFilled(cells)
  return filled.length > 1 && filled.every(({ cell }) => !figure.test(cell))
}

interface TableState {
  columns: string[] | undefined
  /** Indexes of the columns that contained numbers since the last headings. */
  numeric: Set<number>
  isTop: boolean
}

/** State of a band (rows without an empty row between them) of which more rows may follow. */
export interface BandState {
  groups: readonly (readonly [from: number, to: number])[]
  tables: TableState[]
}

/**
 * Calls `add` with the number and text of each row. ` | ` separates adjacent tables, which have their own
 * headings. `before` is the state after earlier rows of the band.
 */
export function formatBand(
  band: readonly SheetRow[],
  merged: readonly MergedCells[],
  add: (n: number, text: string) => void,
  before?: BandState,
): BandState {
  const first = band[0]?.n ?? 0
  const last = band.at(-1)?.n ?? 0
  const bandMerges = merged.filter(({ rows }) => rows[0] <= last && rows[1] >= first)
  const groups = before?.groups ?? splitColumns(band, bandMerges)
  const tables =
    before?.tables ?? groups.map(() => ({ columns: undefined, numeric: new Set<number>(), isTop: true }))
  const texts = groups.map(([from, to], k) => {
    const rows = band.map(({ n, cells }) => ({ n, cells: cells.slice(from, to + 1) }))
    const inside = bandMerges.flatMap(({ rows: at, columns: [a, b] }) =>
      b < from || a > to ? [] : [{ rows: at, columns: [Math.max(0, a - from), b - from] as const }],
    )
    return formatTable(rows, inside, tables[k] as TableState)
  })
  for (const [i, { n }] of band.entries()) {
    const parts = texts.map((one) => one[i] ?? '').filter((text) => text !== '')
    add(n, parts.join(' | '))
  }
  return { groups, tables }
}

/**
 * Returns the column ranges of the tables of a band. Splits it at empty columns if each part has at least two
 * columns and its own headings; else returns one range.
 */
function splitColumns(
  band: readonly SheetRow[],
  merged: readonly MergedCells[],
): [from: number, to: number][] {
  const filledColumns = new Set<number>()
  for (const { cells } of band) for (const { i } of listFilled(cells)) filledColumns.add(i)
  for (const { columns } of merged)
    for (let i = columns[0]; i <= Math.min(columns[1], 1_000); i++) filledColumns.add(i)
  const groups: [number, number][] = []
  for (const i of [...filledColumns].sort((a, b) => a - b)) {
    const current = groups.at(-1)
    if (current && current[1] === i - 1) current[1] = i
    else groups.push([i, i])
  }
  const isTable = ([from, to]: [number, number]) => {
    const cells = band.map((row) => row.cells.slice(from, to + 1))
    const first = cells.find((row) => listFilled(row).length > 1) ?? []
    return to > from && mayBeHead(first)
  }
  return groups.length > 1 && groups.every(isTable) ? groups : [[0, 1_000]]
}

/** Returns the text of each row of one table, and of the tables directly below it. */
function formatTable(rows: readonly SheetRow[], merged: readonly MergedCells[], table: TableState): string[] {
  const cellRows = rows.map((row) => fillDown(row, rows, merged))
  const texts: string[] = []
  for (let at = 0; at < rows.length; at++) {
    const cells = cellRows[at] ?? []
    const next = cellRows[at + 1]
    const filled = listFilled(cells)
    const { isTop, numeric } = table
    const isBelow =
      filled.some(({ i }) => numeric.has(i)) && filled.some(({ i }) => figure.test(next?.[i] ?? ''))
    const two = isTop ? joinTwoHeads(rows, at, merged) : undefined
    if (two) {
      table.columns = two
      texts.push(formatRow(rows[at]?.cells ?? [], undefined), formatRow(rows[at + 1]?.cells ?? [], undefined))
      at++
    } else if (mayBeHead(cells) && (isTop ? !isForm(cellRows.slice(at)) : isBelow)) {
      table.columns = cells
      table.numeric = new Set()
      texts.push(formatRow(cells, undefined))
    } else texts.push(formatRow(cells, table.columns))
    // a row with a single cell is a title above the headings
    if (filled.length > 1 || two) table.isTop = false
    if (!two) for (const { cell, i } of filled) if (figure.test(cell)) table.numeric.add(i)
  }
  return texts
}

/** Returns a row in which a cell that is merged downward shows its text in each of its rows. */
function fillDown(
  { n, cells }: SheetRow,
  rows: readonly SheetRow[],
  merged: readonly MergedCells[],
): string[] {
  const out = [...cells]
  for (const {
    rows: [from, to],
    columns,
  } of merged) {
    if (n <= from || n > to) continue
    const topRow = rows[from - (rows[0]?.n ?? 0)]
    const top = topRow?.n === from ? topRow.cells[columns[0]] : undefined
    if (top === undefined || (out[columns[0]] ?? '') !== '') continue
    while (out.length < columns[0]) out.push('')
    out[columns[0]] = top
  }
  return out
}

/**
 * Returns column names such as `2024 crew`, if a heading in row `at` is merged over headings of the next row;
 * else undefined. Row `at` needs a second heading, and a third row has to follow.
 */
function joinTwoHeads(
  rows: readonly SheetRow[],
  at: number,
  merged: readonly MergedCells[],
): string[] | undefined {
  const upper = rows[at]
  const lower = rows[at + 1]
  if (!upper || !lower || rows.length < at + 3) return undefined
  const rowMerges = merged.filter(({ rows: [from] }) => from === upper.n)
  const wide = rowMerges.filter(({ rows: [, to], columns: [a, b] }) => b > a && to === upper.n)
  if (wide.length === 0 || listFilled(upper.cells).length < 2) return undefined
  const below = wide.flatMap(({ columns: [a, b] }) => lower.cells.slice(a, b + 1))
  const isName = (cell: string) => cell.trim() !== '' && (!figure.test(cell) || year.test(cell.trim()))
  if (below.length === 0 || !below.every(isName)) return undefined
  const width = Math.max(upper.cells.length, lower.cells.length, ...wide.map(({ columns }) => columns[1] + 1))
  return Array.from({ length: Math.min(width, 1_000) }, (_, i) => {
    const cover = rowMerges.find(({ columns: [a, b] }) => i >= a && i <= b)
    const top = upper.cells[cover ? cover.columns[0] : i]?.trim() ?? ''
    return [top, lower.cells[i]?.trim() ?? ''].filter((part) => part !== '').join(' ')
  })
}

/**
 * Returns whether the rows have only two columns, labels and values, and the values are text as well as
 * figures. The first row is not a heading then.
 */
function isForm(rows: readonly (readonly string[])[]): boolean {
  if (rows.some((cells) => cells.some((cell, i) => i > 1 && cell.trim() !== ''))) return false
  const kinds = rows.flatMap((cells) => {
    const value = cells[1] ?? ''
    return figure.test(value) ? ['figure'] : /\p{L}{3}/u.test(value) ? ['words'] : []
  })
  // text after the first figure and before the next one is the heading of another table
  const changes = kinds.filter((kind, i) => i > 1 && kind !== kinds[i - 1])
  const hasTableBelow = kinds.some((kind, i) => i > 1 && kind === 'words' && kinds[i - 1] === kinds[i + 1])
  return changes.length > 0 && !(kinds[1] === 'figure' && hasTableBelow)
}
