// The docked boxes of dialogs for a choice and for a typed line.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { type ChoiceDialog, type EntryDialog, openChoices } from '../dialog/choice-dialog.ts'
import { isPaged, isRead, positionText } from '../terminal/pager.ts'
import { joinWords } from './approval-box.ts'
import { boxCells, drawTitledBox } from './box.ts'
import { narrowLook, penOfLook } from './look-pen.ts'

export function drawChoice(state: ChoiceDialog, look: RenderLook): string[] {
  const { title, pager } = state
  const pen = penOfLook(narrowLook(look, boxCells))
  const rows = pager.rows.slice(pager.top, pager.top + pager.height).map(({ text }) => text)
  const words = [
    ...(isRead(pager) ? [] : ['Space next page']),
    ...openChoices(state).map(({ key, label }) => `${key} ${label}`),
    'Esc closes',
  ]
  const note = isPaged(pager) ? positionText(pager) : ''
  return drawTitledBox([...rows, ...joinWords(words, pen)], { title, note }, look)
}

/** Returns the rows of a dialog for a typed line. Of a secret, only the length is visible. */
export function drawEntry({ title, lines, text, isSecret }: EntryDialog, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, boxCells))
  const { width } = pen.look
  const visibleText = isSecret ? '*'.repeat([...text].length) : sanitizeText(text)
  const about = lines.flatMap((line) => pen.wrap(sanitizeText(line), width))
  const keys = joinWords(['Enter confirms', 'Esc closes'], pen).map(pen.paint({ dim: true }))
  return drawTitledBox([...about, pen.clip(`> ${visibleText}_`, width, 'end'), ...keys], { title }, look)
}
