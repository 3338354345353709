// The lines of a list to pick from: its title, its query, and the items around the selected one.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type PickerItem, type PickerState, shownItems } from '../dialog/picker.ts'
import { joinWords } from './approval-box.ts'
import { boxCells, countTitleRows, drawTitledBox, limitRows } from './box.ts'
import { adaptEllipsis, narrowLook, penOfLook } from './look-pen.ts'

const maxLabel = 36
/**
 * Widths in cells. The column of labels may take half of the width. On a narrow terminal it may take
 * up to `leastLabel`, because users pick items by label, if `leastAbout` remain for the mark, the gap
 * and the description.
 */
const leastLabel = 24
const leastAbout = 12

/** Largest numbers of rows of a label, and of the description of the selected item. */
const maxLabelRows = 2
const maxAboutRows = 4

/**
 * Returns at most `rows` lines, including the box around the list and its keys, but always the lines
 * for one item.
 */
export function drawPicker<T>(state: PickerState<T>, rows: number, look: RenderLook): string[] {
  const inner = narrowLook(look, boxCells)
  const pen = penOfLook(inner)
  const visibleItems = shownItems(state)
  const keys = ['type to filter', 'Enter picks', 'Esc closes']
  const notes = state.note === '' ? joinWords(keys, pen) : pen.wrap(sanitizeText(state.note), inner.width)
  const position = `${state.at + 1} of ${visibleItems.length}`
  const titleRows = countTitleRows({ title: state.title, note: position }, look)
  const height = Math.max(1, rows - 3 - notes.length - titleRows)
  const top = Math.max(0, Math.min(state.at - Math.floor(height / 2), visibleItems.length - height))
  const labels = visibleItems.slice(top, top + height)
  const cells = labels.map(({ label }) => pen.cells(adaptEllipsis(sanitizeText(label), pen)))
  const room = Math.max(Math.floor(inner.width / 2), Math.min(leastLabel, inner.width - leastAbout))
  const column = Math.min(Math.max(0, ...cells), maxLabel, room)
  const blocks = labels.map((item, i) => drawItem(item, top + i === state.at, column, inner))
  const lines = fitBlocks(blocks, state.at - top, height)
  const none =
    visibleItems.length === 0 ? pen.wrap(state.none, inner.width).map(pen.paint({ dim: true })) : []
  const query = pen.clip(`> ${sanitizeText(state.query)}_`, inner.width, 'end')
  const note = visibleItems.length > lines.length ? position : ''
  const body = [query, ...lines.flat(), ...none, ...notes.map(pen.paint({ dim: true }))]
  return drawTitledBox(body, { title: state.title, note }, look)
}

/** Returns the blocks around the selected one that have room in `height` rows, at least the selected one. */
function fitBlocks(blocks: readonly string[][], selected: number, height: number): string[][] {
  let from = 0
  let to = blocks.length
  const count = () => blocks.slice(from, to).reduce((sum, block) => sum + block.length, 0)
  while (to - from > 1 && count() > height) {
    if (selected - from > to - 1 - selected) from++
    else to--
  }
  return blocks.slice(from, to).map((block) => block.slice(0, height))
}

/**
 * Returns the rows of an item: one row if label and description have room in it. Otherwise the selected item
 * gets up to two rows for its label and four for its description. Another item is cut to one row, unless its
 * label leaves no room for a description: then it is the label on up to two rows.
 */
function drawItem<T>(item: PickerItem<T>, isMeant: boolean, column: number, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const mark = isMeant ? '> ' : '  '
  const label = adaptEllipsis(sanitizeText(item.label), pen)
  const about = adaptEllipsis(
    sanitizeText(item.unusable === undefined ? item.about : `not now: ${item.unusable}`),
    pen,
  )
  const style = isMeant ? { inverse: true } : item.unusable === undefined ? {} : { dim: true }
  const paint = pen.paint(style)
  const gap = ' '.repeat(Math.max(0, column - pen.cells(label)) + 2)
  const row = `${mark}${label}${gap}${about}`.trimEnd()
  const nameCells = pen.cells(label)
  const isAboutShown = nameCells <= column || nameCells + 4 + leastAbout <= look.width
  if (pen.cells(row) <= look.width || (isAboutShown && !isMeant)) return [paint(pen.clip(row, look.width))]
  const name = limitRows(pen.wrap(label, look.width - 2), maxLabelRows, look.width - 2, pen)
  const words = isMeant ? pen.wrap(about, look.width - 4) : []
  return [
    ...name.map((text, i) => (i === 0 ? mark : '  ') + text),
    ...limitRows(words, maxAboutRows, look.width - 4, pen).map((text) => `    ${text}`),
  ].map((text) => paint(text.trimEnd()))
}
