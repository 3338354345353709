// A PowerPoint file (PPTX) as a document: a page for each slide with its paragraphs, tables and notes.
import { type BlockList, createBlockList, formatRow, namesColumns } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import { eachOpenTag, localName, readRelations, relationId } from './office-parts.ts'

const presentation = 'ppt/presentation.xml'
const maxSlides = 2_000

export async function readSlidesDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'PPTX', budget)
  if (!zip.has(presentation)) throw new UnreadableDocument('it is no PPTX file: it has no presentation')
  const relations = await readRelations(zip, presentation, budget)
  const slides: string[] = []
  await eachOpenTag(zip, presentation, budget, (tag, attributes) => {
    const part = tag === 'sldId' ? relations.get(relationId(attributes))?.target : undefined
    // a slide that is listed twice would be read twice
    if (part !== undefined && slides.length < maxSlides && !slides.includes(part)) slides.push(part)
  })
  const list = createBlockList(budget)
  return collectBlocks(list, async () => {
    for (const [i, part] of slides.entries()) {
      const place = paragraphCounter(i + 1)
      await readShapes(zip, part, (text, isTitle) => list.add(text, place, isTitle ? 1 : undefined), budget)
      await readNotes(zip, part, list, place, budget)
    }
    return {}
  })
}

function paragraphCounter(slide: number): () => string {
  let n = 0
  return () => `page ${slide}, paragraph ${++n}`
}

async function readNotes(
  zip: ZipArchive,
  slide: string,
  list: BlockList,
  place: () => string,
  budget: ReadingBudget,
): Promise<void> {
  const relations = await readRelations(zip, slide, budget)
  const notes = [...relations.values()].find(({ type }) => type === 'notesSlide')?.target
  if (notes === undefined) return
  // the number of the slide stands on its notes, too
  const add = (text: string) => {
    if (!/^\s*\d+\s*$/.test(text)) list.add(`Notes: ${text}`, place)
  }
  await readShapes(zip, notes, add, budget)
}

type AddText = (text: string, isTitle: boolean) => void

async function readShapes(zip: ZipArchive, part: string, add: AddText, budget: ReadingBudget): Promise<void> {
  const stream = await zip.stream(part)
  if (stream) await parseMarkup(stream, 'xml', shapeHandler(add, budget.grow), budget)
}

function shapeHandler(add: AddText, grow: ReadingBudget['grow']) {
  let text = ''
  let inText = false
  let isTitle = false
  let table: { columns?: string[]; cells?: string[] } | undefined
  const closeRow = () => {
    const cells = table?.cells ?? []
    const isHead = table !== undefined && table.columns === undefined && namesColumns(cells)
    if (cells.some((cell) => cell.trim() !== ''))
      add(formatRow(cells, isHead ? undefined : table?.columns), false)
    // without names in the first row there are none
    if (table) table.columns ??= isHead ? cells : cells.map(() => '')
  }
  return {
    open(raw: string, attributes: Readonly<Record<string, string>>) {
      const name = localName(raw)
      if (name === 'sp') isTitle = false
      if (name === 'ph') isTitle = /^(?:ctrT|t)itle$/.test(attributes.type ?? '')
      if (name === 'p') text = ''
      if (name === 't') inText = true
      if (name === 'br') text += '\n'
      if (name === 'tbl') table = {}
      if (name === 'tr' && table) table.cells = []
      if (name === 'tc') table?.cells?.push('')
    },
    text(part: string) {
      if (inText) text = grow(text, part)
    },
    close(raw: string) {
      const name = localName(raw)
      if (name === 't') inText = false
      if (name === 'tr') closeRow()
      if (name === 'tbl') table = undefined
      if (name !== 'p' || text.trim() === '') return
      const cells = table?.cells
      if (cells && cells.length > 0) cells[cells.length - 1] = grow(cells.at(-1) ?? '', ` ${text}`)
      else add(text, isTitle)
      text = ''
    },
  }
}
