// An Excel file (XLSX) as a document: a section for each sheet, a block for each row with the names
// of its columns.
import { createBlockList } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { createGapList, type GapKind } from '../gap-list.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import { readCellFormats } from './cell-format.ts'
import { eachOpenTag, localName, readRelations, relationId } from './office-parts.ts'
import { readCells } from './sheet-cells.ts'
import { addSheetComments } from './sheet-comments.ts'
import { addSheetDrawings } from './sheet-drawings.ts'
import { createSheetRows } from './sheet-rows.ts'
import { createUnreadParts } from './unread-parts.ts'

const workbook = 'xl/workbook.xml'
const maxSheets = 500

export async function readSpreadsheetDocument(
  bytes: Buffer,
  budget: ReadingBudget,
): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'XLSX', budget)
  if (!zip.has(workbook)) throw new UnreadableDocument('it is not an XLSX file: it has no workbook')
  const relations = await readRelations(zip, workbook, budget)
  const gaps = createGapList()
  const sheets: { name: string; part: string }[] = []
  let from1904 = false
  await eachOpenTag(zip, workbook, budget, (tag, attributes) => {
    if (tag === 'workbookPr') from1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
    const part = tag === 'sheet' ? relations.get(relationId(attributes))?.target : undefined
    // a sheet may be listed twice, but it is read once
    if (part === undefined || sheets.some((one) => one.part === part)) return
    if (sheets.length >= maxSheets) {
      gaps.add('sheet', `sheet “${attributes.name ?? ''}”`)
      return
    }
    const isHidden = /hidden/i.test(attributes.state ?? '')
    sheets.push({ name: `${attributes.name ?? ''}${isHidden ? ' (hidden sheet)' : ''}`, part })
  })
  const facts = {
    strings: await readSharedStrings(zip, budget),
    formats: await readCellFormats(zip, budget),
    from1904,
  }
  const list = createBlockList(budget)
  const unread = createUnreadParts(zip, budget)
  const content = await collectBlocks(list, async () => {
    for (const [i, { name, part }] of sheets.entries()) {
      const section = i + 1
      const rows = createSheetRows(list, section, name)
      const addGap = (kind: GapKind, cell: string | undefined) =>
        gaps.add(kind, `sheet “${name}”${cell === undefined ? '' : `, ${cell}`}`)
      await readCells(zip, part, { facts, add: rows.add, merge: rows.merge, addGap, unread }, budget)
      rows.end()
      const add: typeof list.add = (...block) => {
        rows.putName()
        list.add(...block)
      }
      await addSheetComments(zip, part, { add, section }, budget)
      await addSheetDrawings(zip, part, { add, addGap, section, unread }, budget)
    }
    return {}
  })
  unread.addRest(gaps.add)
  const notes = gaps.notes()
  return { ...content, notes: notes.length > 0 ? notes : undefined }
}

/** Returns the shared texts by index, without the readings above words that show how they are spoken. */
async function readSharedStrings(zip: ZipArchive, budget: ReadingBudget): Promise<string[]> {
  const strings: string[] = []
  const stream = await zip.stream('xl/sharedStrings.xml')
  if (!stream) return strings
  let text = ''
  let inText = false
  let spoken = 0
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
