// Comments, charts and text boxes of a sheet of a workbook.
import type { BlockList } from '../block-list.ts'
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { readChartLines } from './chart-text.ts'
import { readDrawingText } from './drawing-text.ts'
import { localName, readRelations } from './office-parts.ts'

interface CommentTarget {
  list: BlockList
  section: number
}

/** Adds the comments of a sheet below its rows, each with the row of its cell. */
export async function addSheetComments(
  zip: ZipArchive,
  sheet: string,
  { list, section }: CommentTarget,
  budget: ReadingBudget,
): Promise<void> {
  for (const { type, target } of (await readRelations(zip, sheet, budget)).values()) {
    if (type !== 'comments' && type !== 'threadedComment') continue
    const stream = await zip.stream(target)
    if (!stream) continue
    let [cell, text, inText] = ['', '', false]
    await parseMarkup(
      stream,
      'xml',
      {
        open(raw, attributes) {
          const name = localName(raw)
          if (name === 'comment' || name === 'threadedComment') [cell, text] = [attributes.ref ?? '', '']
          if (name === 't' || (name === 'text' && type === 'threadedComment')) inText = true
        },
        text(part) {
          if (inText) text = budget.grow(text, part)
        },
        close(raw) {
          const name = localName(raw)
          if (name === 't' || name === 'text') inText = false
          if (name !== 'comment' && name !== 'threadedComment') return
          // a copy of a thread for older programs says the same
          if (/^\[Threaded comment\]/.test(text)) return
          const row = /\d+$/.exec(cell)?.[0]
          if (text.trim() !== '')
            list.add(`Comment at ${cell}: ${text}`, () => `section ${section}${row ? `, row ${row}` : ''}`)
        },
      },
      budget,
    )
  }
}

/** Whether a sheet has a drawing with text or a chart, or comments. */
export async function hasDrawings(zip: ZipArchive, sheet: string, budget: ReadingBudget): Promise<boolean> {
  for (const { type, target } of (await readRelations(zip, sheet, budget)).values()) {
    if (type === 'comments' || type === 'threadedComment') return true
    if (type !== 'drawing') continue
    const inner = [...(await readRelations(zip, target, budget)).values()]
    if (inner.some((one) => /^(?:chart(?:Ex)?|diagramData)$/.test(one.type))) return true
    if ((await readDrawingText(zip, target, budget)).length > 0) return true
  }
  return false
}

/** Adds text boxes, diagrams and the numbers of charts; a chart without numbers leaves a mark. */
export async function addSheetDrawings(
  zip: ZipArchive,
  sheet: string,
  { list, section }: CommentTarget,
  budget: ReadingBudget,
): Promise<void> {
  let n = 0
  const place = () => `section ${section}, paragraph ${++n}`
  for (const drawing of (await readRelations(zip, sheet, budget)).values()) {
    if (drawing.type !== 'drawing') continue
    for (const text of await readDrawingText(zip, drawing.target, budget))
      list.add(`Text box: ${text}`, place)
    for (const { type, target } of (await readRelations(zip, drawing.target, budget)).values()) {
      if (type === 'diagramData')
        for (const text of await readDrawingText(zip, target, budget)) list.add(`Diagram: ${text}`, place)
      if (!/^chart(?:Ex)?$/.test(type)) continue
      const lines = await readChartLines(zip, target, budget)
      for (const line of lines.length > 0 ? lines : ['[chart: its numbers are not read]'])
        list.add(line, place)
    }
  }
}
