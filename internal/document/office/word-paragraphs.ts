// Paragraphs and table rows of WordprocessingML, from its events.
import { formatRow, namesColumns } from '../block-list.ts'
import type { GapKind } from '../gap-list.ts'
import type { MarkupHandler, TagAttributes } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import { symbolOf } from './symbol-letters.ts'
import type { SeeReferences } from './unread-parts.ts'
import { FormulaWriter } from './word-formula.ts'
import type { NextListNumber } from './word-numbering.ts'
import { OpenParagraphs } from './word-open-paragraphs.ts'

interface WordTable {
  columns: string[] | undefined
  rows: number
  cells: string[] | undefined
}

/**
 * Skipped elements: deleted text, moved text at its old place, codes of fields, the second copy of drawings
 * for older programs, and the old format of changed text.
 */
const skipped = new Set(['w:del', 'w:instrText', 'mc:Fallback', 'w:moveFrom', 'w:pPrChange', 'w:rPrChange'])
/** Elements that contain deleted text. A note below the document says that it was skipped. */
const deletions = new Set(['w:del', 'w:moveFrom'])

type AddParagraph = (text: string, level: number | undefined) => void

interface WordParts {
  /** Heading level by style id. */
  levels: ReadonlyMap<string, number>
  /**
   * Receives each paragraph with text outside of tables, each row of an outermost table, and a mark for
   * an embedded document.
   */
  add: AddParagraph
  grow: ReadingBudget['grow']
  nextNumber?: NextListNumber
  /** Returns the number of a note by its kind and id, in the order of references. */
  noteNumber?: (kind: NoteKind, id: string) => number
  /** Called with the relation of a chart or diagram; returns its number. */
  addChart?: (relation: string) => number
  /** Called for each deletion, which is skipped, and for each unknown letter of a symbol font. */
  addGap?: (kind: GapKind) => void
  /** Called at the start of each element that is read, except those of formulas. */
  see?: SeeReferences
  /** Called at the end of each paragraph and row outside of another one, and after an embedded document. */
  endBlock?: () => void
  /** Text before each paragraph, such as `Header: `. */
  label?: string
}

type NoteKind = 'footnote' | 'endnote'

export function createWordHandler(parts: WordParts): MarkupHandler {
  return new WordHandler(parts)
}

class WordHandler implements MarkupHandler {
  private readonly parts: WordParts
  private readonly paragraphs: OpenParagraphs
  private readonly tables: WordTable[] = []
  /** Number of open elements from the skipped one downward; 0 outside of a skipped element. */
  private skip = 0
  private inText = false
  /** Text before the next paragraph: the label of a note or comment. */
  private label = ''
  /** Length of the paragraph's text before the reading (ruby) of a word. */
  private rubyStart = 0
  private ruby = ''
  private readonly formula: FormulaWriter

  constructor(parts: WordParts) {
    const paragraphs = new OpenParagraphs(parts.grow)
    this.parts = parts
    this.paragraphs = paragraphs
    this.formula = new FormulaWriter({
      text: () => paragraphs.text,
      put: (part) => paragraphs.put(part),
      cut: () => paragraphs.cutTo(paragraphs.text.length - 1),
    })
  }

  open(name: string, attributes: TagAttributes): void {
    if (this.skip === 0 && deletions.has(name)) this.parts.addGap?.('deletion')
    if (this.skip > 0 || skipped.has(name)) this.skip++
    else if (name.startsWith('m:') && name !== 'm:t') this.formula.open(name, attributes)
    else this.begin(name, attributes)
  }

  text(text: string): void {
    if (this.inText && this.skip === 0) this.paragraphs.put(text)
  }

  close(name: string): void {
    if (this.skip > 0) this.skip--
    else if (name === 'w:t' || name === 'm:t') this.inText = false
    else if (name.startsWith('m:')) this.formula.close(name)
    else if (name === 'w:rt') this.closeRuby()
    else if (name === 'w:ruby') this.paragraphs.put(`(${this.ruby})`)
    else if (name === 'w:p') this.closeParagraph()
    else if (name === 'w:tr') closeRow(this.tables, this.parts.add)
    else if (name === 'w:tbl') this.tables.pop()
    const isRowEnd = name === 'w:tr' && this.tables.length === 1
    const isEnd = isRowEnd || (name === 'w:p' && this.tables.length === 0)
    if (isEnd && this.paragraphs.isEmpty) this.parts.endBlock?.()
  }

  private begin(name: string, attributes: TagAttributes): void {
    this.parts.see?.(name, attributes)
    const value = attributes['w:val'] ?? ''
    switch (name) {
      case 'w:p':
        this.paragraphs.open()
        break
      case 'w:t':
      case 'm:t':
        this.inText = true
        break
      case 'w:tab':
      case 'w:br':
      case 'w:cr':
      case 'w:noBreakHyphen':
        this.paragraphs.put(marks[name])
        break
      case 'w:pStyle':
        this.paragraphs.setLevel(this.parts.levels.get(value))
        this.paragraphs.setList({ style: value })
        break
      case 'w:numId':
        this.paragraphs.setList({ list: { list: value } })
        break
      case 'w:ilvl':
        this.paragraphs.setList({ list: { level: Number(value) } })
        break
      case 'w:outlineLvl':
        this.paragraphs.setLevel(Number(value) + 1)
        break
      case 'w:tbl':
        this.tables.push({ columns: undefined, rows: 0, cells: undefined })
        break
      case 'w:tr':
        this.openRow()
        break
      case 'w:tc':
        this.tables.at(-1)?.cells?.push('')
        break
      default:
        this.beginLinked(name, attributes)
    }
  }

  /**
   * Handles elements that refer to other parts, such as notes and charts, and symbols, readings (ruby)
   * and embedded objects.
   */
  private beginLinked(name: string, attributes: TagAttributes): void {
    switch (name) {
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        this.paragraphs.put(`[^${this.noteOf(name.slice(2, -9) as NoteKind, attributes)}]`)
        break
      case 'w:footnote':
      case 'w:endnote':
        this.label = `[^${this.noteOf(name.slice(2) as NoteKind, attributes)}] `
        break
      case 'w:comment':
        this.label = `Comment by ${attributes['w:author'] || 'an unknown author'}: `
        break
      case 'c:chart':
        this.putChart('chart', attributes['r:id'])
        break
      case 'dgm:relIds':
        this.putChart('diagram', attributes['r:dm'])
        break
      case 'wp:docPr':
        if (attributes['descr']) this.paragraphs.put(` [picture: ${attributes['descr']}] `)
        break
      case 'w:sym':
        this.paragraphs.put(symbolOf(attributes['w:font'] ?? '', attributes['w:char'] ?? ''))
        if (this.paragraphs.text.endsWith('\ufffd')) this.parts.addGap?.('symbol')
        break
      case 'w:rt':
        this.rubyStart = this.paragraphs.text.length
        break
      case 'w:altChunk':
        this.parts.add('[embedded document: not read]', undefined)
        this.parts.endBlock?.()
        break
      case 'o:OLEObject':
        this.paragraphs.put(` [embedded object: ${attributes['ProgID'] || 'of an unknown kind'}; not read] `)
        break
      case 'v:textpath':
        if (attributes['string']) this.paragraphs.put(` ${attributes['string']} `)
    }
  }

  /**
   * Removes the reading of a word from the text and stores it. In the file, the reading is before the word.
   * The end of the element `w:ruby` adds the reading after the word.
   */
  private closeRuby(): void {
    this.ruby = this.paragraphs.text.slice(this.rubyStart)
    this.paragraphs.cutTo(this.rubyStart)
  }

  private noteOf(kind: NoteKind, attributes: TagAttributes): number {
    const id = attributes['w:id'] ?? ''
    return this.parts.noteNumber?.(kind, id) ?? Number(id)
  }

  private putChart(what: string, relation = ''): void {
    const n = this.parts.addChart?.(relation)
    this.paragraphs.put(n === undefined ? ` [${what}] ` : ` [${what} ${n}] `)
  }

  private openRow(): void {
    // a damaged row without its closing tag ends at the next row
    closeRow(this.tables, this.parts.add)
    const table = this.tables.at(-1)
    if (table) table.cells = []
  }

  private closeParagraph(): void {
    const paragraph = this.paragraphs.close()
    const cells = this.tables.at(-1)?.cells
    if (!paragraph) return
    // an empty item of a list has a number too, so it is counted
    const number = this.parts.nextNumber?.(paragraph.list, paragraph.style) ?? ''
    if (paragraph.text.trim() === '') return
    const label = `${this.parts.label ?? ''}${this.label}${number === '' ? '' : `${number} `}`
    paragraph.text = label + paragraph.text.trimStart()
    this.label = ''
    if (cells && cells.length > 0)
      cells[cells.length - 1] = this.parts.grow(cells.at(-1) ?? '', ` ${paragraph.text}`)
    else this.parts.add(paragraph.text, paragraph.level)
  }
}

const marks = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '-' } as const

/** Closes a row; a table within a cell becomes text of that cell. */
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
