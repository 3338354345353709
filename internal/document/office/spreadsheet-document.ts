// An Excel file (XLSX) as a document: a section for each sheet, a block for each row with the names of its
// columns.
import { createBlockList } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import { type CellFormat, readCellFormats, showNumber } from './cell-format.ts'
import { describeUnreadParts, eachOpenTag, localName, readRelations, relationId } from './office-parts.ts'
import { addSheetComments, addSheetDrawings, hasDrawings } from './sheet-comments.ts'
import { createSheetRows } from './sheet-rows.ts'

const workbook = 'xl/workbook.xml'
const maxSheets = 500
/** Cells further to the right are left out. */
const maxColumns = 1_000

/** What all sheets share. */
interface WorkbookFacts {
  strings: readonly string[]
  /** How a number is shown, by the style of its cell. */
  formats: ReadonlyMap<number, CellFormat>
  from1904: boolean
}

export async function readSpreadsheetDocument(
  bytes: Buffer,
  budget: ReadingBudget,
): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'XLSX', budget)
  if (!zip.has(workbook)) throw new UnreadableDocument('it is no XLSX file: it has no workbook')
  const relations = await readRelations(zip, workbook, budget)
  const sheets: { name: string; part: string }[] = []
  let from1904 = false
  await eachOpenTag(zip, workbook, budget, (tag, attributes) => {
    if (tag === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    const part = tag === 'sheet' ? relations.get(relationId(attributes))?.target : undefined
    // a sheet that is listed twice would be read twice
    if (part === undefined || sheets.length >= maxSheets || sheets.some((one) => one.part === part)) return
    const isHidden = /hidden/i.test(attributes.state ?? '')
    sheets.push({ name: `${attributes.name ?? ''}${isHidden ? ' (hidden sheet)' : ''}`, part })
  })
  const facts = {
    strings: await readSharedStrings(zip, budget),
    formats: await readCellFormats(zip, budget),
    from1904,
  }
  const list = createBlockList(budget)
  const content = await collectBlocks(list, async () => {
    for (const [i, { name, part }] of sheets.entries()) {
      const rows = createSheetRows(list, i + 1, name)
      const stream = await zip.stream(part)
      if (stream) await parseMarkup(stream, 'xml', sheetHandler(facts, rows.add, budget.grow), budget)
      rows.end()
      if (await hasDrawings(zip, part, budget)) rows.putName()
      await addSheetComments(zip, part, { list, section: i + 1 }, budget)
      await addSheetDrawings(zip, part, { list, section: i + 1 }, budget)
    }
    return {}
  })
  const notes = describeUnreadParts(zip)
  return { ...content, ...(notes.length > 0 && { notes }) }
}

/** Texts by index; what shows how a text is spoken is left out. */
async function readSharedStrings(zip: ZipArchive, budget: ReadingBudget): Promise<string[]> {
  const strings: string[] = []
  const stream = await zip.stream('xl/sharedStrings.xml')
  if (!stream) return strings
  let [text, inText, spoken] = ['', false, 0]
  const handler = {
    open(raw: string) {
      const name = localName(raw)
      if (name === 'si') text = ''
      if (name === 'rPh') spoken++
      inText = name === 't' && spoken === 0
    },
    text(part: string) {
      if (inText) text = budget.grow(text, part)
    },
    close(raw: string) {
      const name = localName(raw)
      if (name === 'si') strings.push(text)
      if (name === 'rPh') spoken--
      if (name === 't') inText = false
    },
  }
  await parseMarkup(stream, 'xml', handler, budget)
  return strings
}

function sheetHandler(
  facts: WorkbookFacts,
  add: (row: number, cells: string[]) => void,
  grow: ReadingBudget['grow'],
) {
  let row = 0
  let cells: string[] = []
  let cell = { column: 0, type: '', style: 0 }
  let value = ''
  let inValue = false
  return {
    open(raw: string, attributes: Readonly<Record<string, string>>) {
      const name = localName(raw)
      if (name === 'row') {
        row = Number(attributes.r) || row + 1
        cells = []
        cell = { column: -1, type: '', style: 0 }
      } else if (name === 'c') {
        const column = columnOf(attributes.r) ?? cell.column + 1
        cell = { column, type: attributes.t ?? '', style: Number(attributes.s ?? 0) }
        value = ''
      } else if (name === 'v' || name === 't') inValue = true
    },
    text(part: string) {
      if (inValue) value = grow(value, part)
    },
    close(raw: string) {
      const name = localName(raw)
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'c' && cell.column < maxColumns) {
        while (cells.length < cell.column) cells.push('')
        cells[cell.column] = cellText(value, cell, facts)
      } else if (name === 'row') add(row, cells)
    },
  }
}

/** From 0; `BC12` is 54. */
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
