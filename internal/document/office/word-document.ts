// Reader of Word files (DOCX): paragraphs and table rows in order, numbered from 1, then notes, comments,
// charts, headers and footers.
import { type BlockList, createBlockList, isoDate } from '../block-list.ts'
import type { DocumentContent } from '../document-text.ts'
import { createGapList, type GapKind, type GapList } from '../gap-list.ts'
import { parseMarkup } from '../markup-events.ts'
import { collectBlocks, type ReadingBudget, UnreadableDocument } from '../reading-budget.ts'
import { openZip, type ZipArchive } from '../zip-archive.ts'
import { readChartLines } from './chart-text.ts'
import { readDrawingText } from './drawing-text.ts'
import { readRelations } from './office-parts.ts'
import { createUnreadParts, type UnreadParts } from './unread-parts.ts'
import { createWordGaps } from './word-gaps.ts'
import { readListNumbers } from './word-numbering.ts'
import { createWordHandler } from './word-paragraphs.ts'

export async function readWordDocument(bytes: Buffer, budget: ReadingBudget): Promise<DocumentContent> {
  const zip = await openZip(bytes, 'DOCX', budget)
  if (!zip.has('word/document.xml'))
    throw new UnreadableDocument('it is not a DOCX file: it has no text part')
  const facts = await readProperties(zip, budget)
  const levels = await readHeadingLevels(zip, budget)
  const nextNumber = await readListNumbers(zip, budget)
  const list = createBlockList(budget)
  const place = () => `paragraph ${list.blocks.length + 1}`
  const references = { charts: [] as string[], notes: new Map<string, number>() }
  const gaps = createGapList()
  const word = createWordGaps(gaps, list)
  const unread = createUnreadParts(zip, budget)
  const handlerFor = async (part: string) =>
    createWordHandler({
      levels,
      nextNumber,
      add: (text, level) => list.add(text, place, level),
      grow: list.grow,
      noteNumber(kind, id) {
        const key = `${kind} ${id}`
        const n = references.notes.get(key) ?? references.notes.size + 1
        references.notes.set(key, n)
        return n
      },
      addChart: (relation) => references.charts.push(relation),
      addGap: word.add,
      see: await unread.within(part, word.add),
      endBlock: word.endBlock,
    })
  const content = await collectBlocks(list, async () => {
    for (const part of parts) {
      const stream = await zip.stream(part)
      if (stream) await parseMarkup(stream, 'xml', await handlerFor(part), budget)
      word.endBlock()
    }
    await addCharts(zip, references.charts, list, gaps, budget)
    await addHeadsAndFeet(zip, { levels, list, gaps, unread }, budget)
    return facts
  })
  unread.addRest(gaps.add)
  const notes = gaps.notes()
  return { ...facts, ...content, notes: notes.length > 0 ? notes : undefined }
}

interface HeadParts {
  levels: ReadonlyMap<string, number>
  list: BlockList
  gaps: GapList
  unread: UnreadParts
}

/** Adds headers and footers below the text, each once, because most pages repeat them. */
async function addHeadsAndFeet(
  zip: ZipArchive,
  { levels, list, gaps, unread }: HeadParts,
  budget: ReadingBudget,
): Promise<void> {
  const addedTexts = new Set<string>()
  const place = () => `paragraph ${list.blocks.length + 1}`
  const add = (text: string) => {
    if (!addedTexts.has(text)) list.add(text, place)
    addedTexts.add(text)
  }
  for (const { type, target } of (await readRelations(zip, 'word/document.xml', budget)).values()) {
    const label = { header: 'Header: ', footer: 'Footer: ' }[type] ?? ''
    const stream = label === '' ? undefined : await zip.stream(target)
    if (!stream) continue
    const addGap = (kind: GapKind) => gaps.add(kind, `a page ${type}`)
    const see = await unread.within(target, addGap)
    const handler = createWordHandler({ levels, add, grow: list.grow, label, addGap, see })
    await parseMarkup(stream, 'xml', handler, budget)
  }
}

const parts = ['word/document.xml', 'word/footnotes.xml', 'word/endnotes.xml', 'word/comments.xml']

/**
 * Adds charts and diagrams below the text, under the numbers that mark them in the text. A chart that cannot
 * be read gets a line that says so, and a gap.
 */
async function addCharts(
  zip: ZipArchive,
  relations: readonly string[],
  list: BlockList,
  gaps: GapList,
  budget: ReadingBudget,
): Promise<void> {
  if (relations.length === 0) return
  const targets = await readRelations(zip, 'word/document.xml', budget)
  const place = () => `paragraph ${list.blocks.length + 1}`
  for (const [i, id] of relations.entries()) {
    const { type, target = '' } = targets.get(id) ?? {}
    const isDiagram = type === 'diagramData'
    const what = `${isDiagram ? 'Diagram' : 'Chart'} ${i + 1}`
    const lines = isDiagram
      ? ['Chart', ...(await readDrawingText(zip, target, budget))]
      : await readChartLines(zip, target, budget)
    const [title, ...rows] = lines
    if (title === undefined) gaps.add('chart', what)
    list.add(title?.replace(/^Chart/, what) ?? `${what}: its numbers are not in the file`, place)
    for (const row of rows) list.add(row, place)
  }
}

/**
 * Returns heading levels by style id; the level of a title is 0. Levels are found by the names of styles,
 * because the ids depend on the language of the program that wrote the file.
 */
async function readHeadingLevels(zip: ZipArchive, budget: ReadingBudget): Promise<Map<string, number>> {
  const levels = new Map<string, number>()
  const stream = await zip.stream('word/styles.xml')
  if (!stream) return levels
  let style = ''
  await parseMarkup(
    stream,
    'xml',
    {
      open(name, attributes) {
        if (name === 'w:style') style = attributes['w:styleId'] ?? ''
        if (name !== 'w:name' || style === '') return
        const named = attributes['w:val']?.toLowerCase() ?? ''
        const level = named === 'title' ? 0 : Number(/^heading (\d)$/.exec(named)?.[1])
        if (!Number.isNaN(level)) levels.set(style, level)
      },
      text: () => undefined,
      close: (name) => {
        if (name === 'w:style') style = ''
      },
    },
    budget,
  )
  return levels
}

async function readProperties(
  zip: ZipArchive,
  budget: ReadingBudget,
): Promise<{ title?: string; date?: string }> {
  const properties: Record<string, string> = {}
  const stream = await zip.stream('docProps/core.xml')
  if (!stream) return {}
  let current = ''
  await parseMarkup(
    stream,
    'xml',
    {
      open: (name) => {
        current = name
      },
      text: (text) => {
        if ((properties[current]?.length ?? 0) < 1_000)
          properties[current] = (properties[current] ?? '') + text
      },
      close: () => {
        current = ''
      },
    },
    budget,
  )
  const title = properties['dc:title']?.replace(/\s+/g, ' ').trim()
  const date = isoDate(properties['dcterms:modified'] ?? properties['dcterms:created'])
  return { title: title || undefined, date }
}
