// Text boxes, diagrams and charts of a sheet of a workbook, and the cells of what is not read.
import type { GapKind } from '../gap-list.ts'
import { parseMarkup } from '../markup-events.ts'
import type { ReadingBudget } from '../reading-budget.ts'
import type { ZipArchive } from '../zip-archive.ts'
import { createCellAnchor } from './cell-anchor.ts'
import { readChartLines } from './chart-text.ts'
import { createDrawingHandler, readDrawingText } from './drawing-text.ts'
import { readRelations, relationId } from './office-parts.ts'
import type { UnreadParts } from './unread-parts.ts'

interface SheetTarget {
  add(text: string, place: () => string): void
  /** `cell` is undefined for a drawing that has no cell. */
  addGap(kind: GapKind, cell: string | undefined): void
  section: number
  unread: UnreadParts
}

/**
 * Adds the text boxes, diagrams and charts of a sheet. A chart with neither a title nor numbers becomes a
 * mark in the text, and a gap.
 */
export async function addSheetDrawings(
  zip: ZipArchive,
  sheet: string,
  { add, addGap, section, unread }: SheetTarget,
  budget: ReadingBudget,
): Promise<void> {
  let n = 0
  const place = () => `section ${section}, paragraph ${++n}`
  for (const { type, target } of (await readRelations(zip, sheet, budget)).values()) {
    if (type !== 'drawing') continue
    const addBox = (text: string) => add(`Text box: ${text}`, place)
    const cells = await addTextBoxes(zip, target, { add: addBox, addGap, unread }, budget)
    for (const [id, linked] of await readRelations(zip, target, budget)) {
      if (linked.type === 'diagramData')
        for (const text of await readDrawingText(zip, linked.target, budget)) add(`Diagram: ${text}`, place)
      if (!/^chart(?:Ex)?$/.test(linked.type)) continue
      const lines = await readChartLines(zip, linked.target, budget)
      if (lines.length === 0) addGap('chart', cells.get(id))
      for (const line of lines.length > 0 ? lines : ['[chart: its numbers are not read]']) add(line, place)
    }
  }
}

/**
 * Adds the text boxes. Returns the cell of each chart that is anchored to a cell, by the id of
 * the chart's relation.
 */
async function addTextBoxes(
  zip: ZipArchive,
  drawing: string,
  { add, addGap, unread }: Pick<SheetTarget, 'addGap' | 'unread'> & { add: (text: string) => void },
  budget: ReadingBudget,
): Promise<Map<string, string>> {
  const cells = new Map<string, string>()
  const stream = await zip.stream(drawing)
  if (!stream) return cells
  const anchor = createCellAnchor()
  const see = await unread.within(drawing, (kind) => anchor.defer((cell) => addGap(kind, cell)))
  const open = (name: string, attributes: Readonly<Record<string, string>>) => {
    anchor.open(name, attributes)
    see(name, attributes)
    const id = name === 'chart' ? relationId(attributes) : ''
    if (id !== '') anchor.defer((cell) => cell !== undefined && cells.set(id, cell))
  }
  await parseMarkup(stream, 'xml', createDrawingHandler(add, budget, { ...anchor, open }), budget)
  return cells
}
