// Tables of reStructuredText as rows of named cells, which are readable on narrow screens.

const simpleRule = /^\s*=+(?: +=+)+\s*$/
const gridRule = /^\s*\+(?:[-=]+\+)+\s*$/

/**
 * Returns true for a line that separates the rows of a reStructuredText table with frames,
 * such as `+---+---+`.
 */
export const isGridRule = (line: string): boolean => gridRule.test(line)

interface RstTable {
  columns: string[]
  rows: string[][]
}

/**
 * Returns one line for each row, `column: cell` for each filled cell. Undefined if the lines are not a table.
 */
export function readRstTable(lines: readonly string[]): string[] | undefined {
  const [first = ''] = lines
  const table = simpleRule.test(first)
    ? readSimple(lines)
    : gridRule.test(first)
      ? readGrid(lines)
      : undefined
  return table?.rows.map((row) =>
    row
      .map((cell, i) => ({ cell, column: table.columns[i] ?? '' }))
      .filter(({ cell }) => cell !== '')
      .map(({ cell, column }) => (column === '' ? cell : `${column}: ${cell}`))
      .join(table.columns.length > 0 ? '; ' : ' · '),
  )
}

/**
 * Reads a table whose columns are the runs of `=` in its first line. The last column extends to the end
 * of the line.
 */
function readSimple([rule = '', ...lines]: readonly string[]): RstTable {
  const starts = [...rule.matchAll(/=+/g)].map(({ index }) => index)
  const cutCells = (line: string) => starts.map((start, i) => line.slice(start, starts[i + 1]).trim())
  const rules = lines.flatMap((line, i) => (simpleRule.test(line) ? [i] : []))
  const [head = -1, end = lines.length] = rules.length > 1 ? rules : [-1, ...rules]
  const rows: string[][] = []
  for (const line of lines.slice(head + 1, end)) {
    const cells = cutCells(line)
    // a row without a first cell continues the row above
    if (cells[0] === '' && rows.length > 0) joinCells(rows.at(-1) as string[], cells)
    else rows.push(cells)
  }
  const columns = head < 0 ? [] : joinRows(lines.slice(0, head).map(cutCells))
  return { columns, rows }
}

/** Reads a table whose cells are framed by `|`. Each frame ends a row. */
function readGrid(lines: readonly string[]): RstTable {
  const groups: string[][][] = [[]]
  let headEnd = 0
  for (const line of lines.slice(1)) {
    if (!gridRule.test(line))
      groups.at(-1)?.push(
        line
          .trim()
          .replace(/^\||\|$/g, '')
          .split('|'),
      )
    else {
      if (line.includes('=')) headEnd = groups.length
      groups.push([])
    }
  }
  const rows = groups.filter((group) => group.length > 0).map((group) => joinRows(group))
  return { columns: rows.slice(0, headEnd)[0] ?? [], rows: rows.slice(headEnd) }
}

function joinRows([first = [], ...rest]: readonly (readonly string[])[]): string[] {
  const cells = first.map((cell) => cell.trim())
  for (const row of rest) joinCells(cells, row)
  return cells
}

function joinCells(into: string[], more: readonly string[]): void {
  for (const [i, cell] of more.entries()) into[i] = `${into[i] ?? ''} ${cell.trim()}`.trim()
}
