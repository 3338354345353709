// The lines of a list to pick from: its title, its query, and the items around the selected one.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type PickerItem, type PickerState, shownItems } from '../dialog/picker.ts'
import { joinWords } from './approval-box.ts'
import { boxCells, drawTitledBox } from './box.ts'
import { adaptEllipsis, narrowLook, penOfLook } from './look-pen.ts'

const maxLabel = 36
/**
 * Widths in cells on a narrow terminal: the label of an item gets up to `leastLabel`, because users pick
 * items by label, but leaves `leastAbout` to the description.
 */
const leastLabel = 24
const leastAbout = 12

/**
 * Returns at most `rows` lines, including the box around the list and its keys, but always the lines
 * for one item.
 */
export function drawPicker<T>(state: PickerState<T>, rows: number, look: RenderLook): string[] {
  const inner = narrowLook(look, boxCells)
  const pen = penOfLook(inner)
  const shown = shownItems(state)
  const keys = ['type to filter', 'Enter picks', 'Esc closes']
  const notes = state.note === '' ? joinWords(keys, pen) : pen.wrap(sanitizeText(state.note), inner.width)
  const height = Math.max(1, rows - 3 - notes.length)
  const top = Math.max(0, Math.min(state.at - Math.floor(height / 2), shown.length - height))
  const labels = shown.slice(top, top + height)
  const cells = labels.map(({ label }) => pen.cells(adaptEllipsis(sanitizeText(label), pen)))
  const room = Math.max(Math.floor(inner.width / 2), Math.min(leastLabel, inner.width - leastAbout))
  const column = Math.min(Math.max(0, ...cells), maxLabel, room)
  const lines = labels.map((item, i) => drawItem(item, top + i === state.at, column, inner))
  const none = shown.length === 0 ? pen.wrap(state.none, inner.width).map(pen.paint({ dim: true })) : []
  const query = pen.clip(`> ${sanitizeText(state.query)}_`, inner.width, 'end')
  const note = shown.length > height ? `${state.at + 1} of ${shown.length}` : ''
  const body = [query, ...lines, ...none, ...notes.map(pen.paint({ dim: true }))]
  return drawTitledBox(body, { title: state.title, note }, look)
}

function drawItem<T>(item: PickerItem<T>, isMeant: boolean, column: number, look: RenderLook): string {
  const pen = penOfLook(look)
  const mark = isMeant ? '> ' : '  '
  const label = pen.clip(adaptEllipsis(sanitizeText(item.label), pen), column)
  const about = item.unusable === undefined ? item.about : `not now: ${item.unusable}`
  const space = ' '.repeat(column - pen.cells(label) + 2)
  const text = mark + label + space + adaptEllipsis(sanitizeText(about), pen)
  const style = isMeant ? { inverse: true } : item.unusable === undefined ? {} : { dim: true }
  return pen.paint(style)(pen.clip(text.trimEnd(), look.width))
}
