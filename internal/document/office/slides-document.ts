// Reader of PowerPoint files (PPTX): a page for each slide with its paragraphs, tables and notes.
import { type BlockList, createBlockList, formatRow, namesColumns } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { createGapList, type GapList } from '../gap-list.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, DocumentCut, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import { readChartLines } from './chart-text.ts'
import { eachOpenTag, localName, readRelations, relationId } from './office-parts.ts'
import { createUnreadParts, type SeeReferences, type UnreadParts } from './unread-parts.ts'

const presentation = 'ppt/presentation.xml'
const maxSlides = 2_000

export async function readSlidesDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'PPTX', budget)
  if (!zip.has(presentation)) throw new UnreadableDocument('it is not a PPTX file: it has no presentation')
  const relations = await readRelations(zip, presentation, budget)
  const slides: string[] = []
  await eachOpenTag(zip, presentation, budget, (tag, attributes) => {
    const part = tag === 'sldId' ? relations.get(relationId(attributes))?.target : undefined
    // a slide may be listed twice, but it is read once
    if (part !== undefined && slides.length <= maxSlides && !slides.includes(part)) slides.push(part)
  })
  const list = createBlockList(budget)
  const gaps = createGapList()
  const unread = createUnreadParts(zip, budget)
  const masterParts = new Set<string>()
  const content = await collectBlocks(list, async () => {
    for (const [i, part] of slides.entries()) {
      if (i === maxSlides) throw new DocumentCut(`the first ${maxSlides} slides`)
      const slide = {
        zip,
        list,
        gaps,
        unread,
        name: `slide ${i + 1}`,
        place: paragraphCounter(i + 1),
        budget,
      }
      await readShapes(slide, part, (text, isTitle) => list.add(text, slide.place, isTitle ? 1 : undefined))
      await readLinkedParts(slide, part)
      await readMasterText({ ...slide, name: 'a slide layout' }, part, masterParts)
    }
    return {}
  })
  unread.addRest(gaps.add)
  const notes = gaps.notes()
  return { ...content, notes: notes.length > 0 ? notes : undefined }
}

interface SlideContext {
  zip: ZipArchive
  list: BlockList
  gaps: GapList
  unread: UnreadParts
  /** Name of the slide in notes about skipped parts. */
  name: string
  place: () => string
  budget: ReadingBudget
}

/**
 * Reads the text that a layout or master shows on every slide, once. Text of placeholders is skipped because
 * it is a hint for the author.
 */
async function readMasterText(slide: SlideContext, part: string, masterParts: Set<string>): Promise<void> {
  const { zip, list, place, budget } = slide
  for (const { type, target } of (await readRelations(zip, part, budget)).values()) {
    if (!/^slide(?:Layout|Master)$/.test(type) || masterParts.has(target)) continue
    masterParts.add(target)
    await readShapes(slide, target, (text, _, isHint) => !isHint && list.add(text, place))
    await readMasterText(slide, target, masterParts)
  }
}

function paragraphCounter(slide: number): () => string {
  let n = 0
  return () => `page ${slide}, paragraph ${++n}`
}

/** Reads charts, diagrams, notes and comments of a slide, which are separate parts. */
async function readLinkedParts(slide: SlideContext, part: string): Promise<void> {
  const { zip, list, gaps, name, place, budget } = slide
  const relations = [...(await readRelations(zip, part, budget)).values()]
  const targets = (kind: RegExp) =>
    relations.filter(({ type }) => kind.test(type)).map(({ target }) => target)
  for (const target of targets(/^chart(?:Ex)?$/)) {
    const lines = await readChartLines(zip, target, budget)
    if (lines.length === 0) gaps.add('chart', name)
    for (const line of lines.length > 0 ? lines : ['[chart: its numbers are not read]']) list.add(line, place)
  }
  for (const target of targets(/^diagramData$/))
    await readShapes(slide, target, (text) => list.add(text, place))
  // the notes page repeats the number of the slide, which is not a note
  const addNote = (text: string) => {
    if (!/^\s*\d+\s*$/.test(text)) list.add(`Notes: ${text}`, place)
  }
  for (const target of targets(/^notesSlide$/))
    await readShapes({ ...slide, name: `the notes of ${name}` }, target, addNote)
  for (const target of targets(/^comments$/))
    await readComments(zip, target, (text) => list.add(`Comment: ${text.trim()}`, place), budget)
}

/**
 * Calls `add` with the text of each comment and reply. Older programs write comments as plain text, newer
 * ones as paragraphs.
 */
async function readComments(
  zip: ZipArchive,
  part: string,
  add: (text: string) => void,
  budget: ReadingBudget,
): Promise<void> {
  const stream = await zip.stream(part)
  if (!stream) return
  let text = ''
  let inText = false
  const flush = () => {
    if (text.trim() !== '') add(text)
    text = ''
  }
  const handler = {
    open(raw: string) {
      const name = localName(raw)
      if (name === 't' || name === 'text') inText = true
      if (name === 'cm' || name === 'reply') flush()
    },
    text(more: string) {
      if (inText) text = budget.grow(text, more)
    },
    close(raw: string) {
      const name = localName(raw)
      if (name === 't' || name === 'text') inText = false
      if (name === 'p') text += ' '
      if (name === 'cm' || name === 'reply') flush()
    },
  }
  await parseMarkup(stream, 'xml', handler, budget)
}

type AddText = (text: string, isTitle: boolean, isPlaceholder: boolean) => void

async function readShapes(slide: SlideContext, part: string, add: AddText): Promise<void> {
  const { zip, gaps, unread, name, budget } = slide
  const stream = await zip.stream(part)
  if (!stream) return
  const see = await unread.within(part, (kind) => gaps.add(kind, name))
  await parseMarkup(stream, 'xml', shapeHandler(add, see, budget.grow), budget)
}

function shapeHandler(add: AddText, see: SeeReferences, grow: ReadingBudget['grow']) {
  let text = ''
  let inText = false
  let isTitle = false
  let isPlaceholder = false
  /** Number of open elements within a copy for older programs, which is skipped. */
  let fallback = 0
  let table: { columns?: string[]; cells?: string[] } | undefined
  const closeRow = () => {
    const cells = table?.cells ?? []
    const isHead = table !== undefined && table.columns === undefined && namesColumns(cells)
    if (cells.some((cell) => cell.trim() !== ''))
      add(formatRow(cells, isHead ? undefined : table?.columns), false, false)
    // a first row without names leaves the columns unnamed
    if (table) table.columns ??= isHead ? cells : cells.map(() => '')
  }
  return {
    open(raw: string, attributes: Readonly<Record<string, string>>) {
      const name = localName(raw)
      if (name === 'Fallback' || fallback > 0) fallback++
      if (fallback > 0) return
      see(name, attributes)
      if (name === 'sp') {
        isTitle = false
        isPlaceholder = false
      }
      if (name === 'ph') {
        isTitle = /^(?:ctrT|t)itle$/.test(attributes.type ?? '')
        isPlaceholder = true
      }
      if (name === 'p') text = ''
      if (name === 't') inText = true
      if (name === 'br') text += '\n'
      if (name === 'tbl') table = {}
      if (name === 'tr' && table) table.cells = []
      if (name === 'tc') table?.cells?.push('')
    },
    text(part: string) {
      if (inText && fallback === 0) text = grow(text, part)
    },
    close(raw: string) {
      const name = localName(raw)
      if (fallback-- > 0) return
      fallback = 0
      if (name === 't') inText = false
      if (name === 'tr') closeRow()
      if (name === 'tbl') table = undefined
      if (name !== 'p' || text.trim() === '') return
      const cells = table?.cells
      if (cells && cells.length > 0) cells[cells.length - 1] = grow(cells.at(-1) ?? '', ` ${text}`)
      else add(text, isTitle, isPlaceholder)
      text = ''
    },
  }
}
