// Paragraphs and table rows of WordprocessingML, from its events.
import { formatRow, namesColumns } from '../block-list.ts'
import type { MarkupHandler } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'

interface WordParagraph {
  text: string
  level: number | undefined
}

interface WordTable {
  columns: string[] | undefined
  rows: number
  cells: string[] | undefined
}

/** Text that was deleted, codes of fields, and the second copy of drawings for older programs. */
const skipped = new Set(['w:del', 'w:instrText', 'mc:Fallback', 'w:moveFrom'])

type AddParagraph = (text: string, level: number | undefined) => void
type Attributes = Readonly<Record<string, string>>

/** `levels`: heading level by style id; `add` receives each paragraph or row, `grow` what is still open. */
export function createWordHandler(
  levels: ReadonlyMap<string, number>,
  add: AddParagraph,
  grow: ReadingBudget['grow'],
): MarkupHandler {
  return new WordHandler(levels, add, grow)
}

class WordHandler implements MarkupHandler {
  private readonly levels: ReadonlyMap<string, number>
  private readonly add: AddParagraph
  private readonly grow: ReadingBudget['grow']
  /** A text box is a paragraph within a paragraph. */
  private readonly paragraphs: WordParagraph[] = []
  private readonly tables: WordTable[] = []
  /** Open elements below the one that is left out, itself included. */
  private skip = 0
  private inText = false

  constructor(levels: ReadonlyMap<string, number>, add: AddParagraph, grow: ReadingBudget['grow']) {
    this.levels = levels
    this.add = add
    this.grow = grow
  }

  open(name: string, attributes: Attributes): void {
    if (this.skip > 0 || skipped.has(name)) this.skip++
    else this.begin(name, attributes)
  }

  text(text: string): void {
    if (this.inText && this.skip === 0) this.put(text)
  }

  close(name: string): void {
    if (this.skip > 0) this.skip--
    else if (name === 'w:t' || name === 'm:t') this.inText = false
    else if (name in formulaMarks) this.put(')')
    else if (name === 'w:p') this.closeParagraph()
    else if (name === 'w:tr') closeRow(this.tables, this.add)
    else if (name === 'w:tbl') this.tables.pop()
  }

  private begin(name: string, attributes: Attributes): void {
    const value = attributes['w:val'] ?? ''
    const mark = formulaMarks[name]
    if (mark !== undefined) this.put(mark)
    switch (name) {
      case 'w:p':
        this.paragraphs.push({ text: '', level: undefined })
        break
      case 'w:t':
      case 'm:t':
        this.inText = true
        break
      case 'w:tab':
      case 'w:br':
      case 'w:cr':
      case 'w:noBreakHyphen':
        this.put(marks[name])
        break
      case 'w:pStyle':
        this.setLevel(this.levels.get(value))
        break
      case 'w:outlineLvl':
        this.setLevel(Number(value) + 1)
        break
      case 'w:tbl':
        this.tables.push({ columns: undefined, rows: 0, cells: undefined })
        break
      case 'w:tr':
        this.openRow()
        break
      case 'w:tc':
        this.tables.at(-1)?.cells?.push('')
    }
  }

  private put(text: string): void {
    const current = this.paragraphs.at(-1)
    if (current) current.text = this.grow(current.text, text)
  }

  /** Level 10 is body text. */
  private setLevel(level: number | undefined): void {
    const current = this.paragraphs.at(-1)
    if (current && level !== undefined && level <= 9) current.level = level
  }

  private openRow(): void {
    const table = this.tables.at(-1)
    if (table) table.cells = []
  }

  private closeParagraph(): void {
    const paragraph = this.paragraphs.pop()
    const cells = this.tables.at(-1)?.cells
    if (!paragraph || paragraph.text.trim() === '') return
    if (cells && cells.length > 0)
      cells[cells.length - 1] = this.grow(cells.at(-1) ?? '', ` ${paragraph.text}`)
    else this.add(paragraph.text, paragraph.level)
  }
}

/** What opens a part of a formula; each ends with a bracket, so that a fraction is no number. */
const formulaMarks: Readonly<Record<string, string>> = {
  'm:num': '(',
  'm:den': '/(',
  'm:sup': '^(',
  'm:sub': '_(',
  'm:rad': '√(',
}

const marks = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '-' } as const

/** A table within a cell becomes text of that cell. */
function closeRow(tables: WordTable[], add: (text: string, level: undefined) => void): void {
  const table = tables.at(-1)
  const cells = table?.cells
  if (!table || !cells) return
  table.cells = undefined
  const isHead = table.rows++ === 0 && namesColumns(cells)
  if (isHead) table.columns = cells
  const row = formatRow(cells, isHead ? undefined : table.columns)
  const outer = tables.at(-2)?.cells
  if (outer && outer.length > 0) outer[outer.length - 1] += ` ${row}`
  else add(row, undefined)
}
