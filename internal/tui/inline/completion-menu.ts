// The menu under the text: commands behind a slash, files behind an at sign.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { MentionChoice } from '../../session/client.ts'
import { findOpenMention, insertMention } from '../input/mention.ts'
import { completeCommand, type NamedSkill } from '../input/slash-command.ts'
import { adaptEllipsis, penOfLook } from '../view/look-pen.ts'

type MenuItem = { kind: 'command'; name: string; about: string } | { kind: 'mention'; choice: MentionChoice }

export interface CompletionMenu {
  items: readonly MenuItem[]
  selected: number
  /** The person has gone to an item: Enter takes it. */
  isMoved?: true
}

/** So many are shown at once. */
const maxShown = 6

/** Commands that fit what is typed; undefined where none is being typed, or it stands there already. */
export function commandMenu(
  text: string,
  caret: number,
  skills: readonly NamedSkill[] = [],
): CompletionMenu | undefined {
  if (caret !== text.length) return undefined
  const found = completeCommand(text, skills).filter(({ name }) => text !== `/${name}`)
  return openMenu(found.map(({ name, about }) => ({ kind: 'command', name, about })))
}

export const mentionMenu = (choices: readonly MentionChoice[]): CompletionMenu | undefined =>
  openMenu(choices.map((choice) => ({ kind: 'mention', choice })))

function openMenu(items: readonly MenuItem[]): CompletionMenu | undefined {
  return items.length === 0 ? undefined : { items, selected: 0 }
}

/** What is typed of a file's name. */
export const mentionQuery = (text: string, caret: number): string | undefined =>
  findOpenMention(text, caret)?.query

export const moveMenu = (menu: CompletionMenu, step: number): CompletionMenu => ({
  ...menu,
  isMoved: true,
  selected: (menu.selected + step + menu.items.length) % menu.items.length,
})

/** The text with the selected item in it, and the caret behind that. */
export function completeText(
  { items, selected }: CompletionMenu,
  text: string,
  caret: number,
): { text: string; caret: number } {
  const item = items[selected]
  if (item?.kind === 'mention') return insertMention(text, caret, item.choice)
  const done = item ? `/${item.name} ` : text
  return { text: done, caret: done.length }
}

export function drawMenu({ items, selected }: CompletionMenu, look: RenderLook): string[] {
  const pen = penOfLook(look)
  const first = Math.max(0, selected - maxShown + 1)
  const rows = items.slice(first, first + maxShown).map((item) => {
    const [name, about] = item.kind === 'command' ? [`/${item.name}`, item.about] : [item.choice.path, '']
    return { name: sanitizeText(name), about: adaptEllipsis(sanitizeText(about), pen) }
  })
  const room = Math.min(Math.max(...rows.map(({ name }) => pen.cells(name))), look.width - 4)
  const drawn = rows.map(({ name, about }, i) => {
    const isSelected = first + i === selected
    const shown = pen.clip(name, room)
    const space = ' '.repeat(Math.max(0, room - pen.cells(shown)))
    const row = pen.clip(`${isSelected ? ' >' : '  '} ${shown}${space}  ${about}`, look.width)
    return pen.paint(isSelected ? { bold: true } : { dim: true })(row)
  })
  const more = items.length - maxShown
  if (more <= 0) return drawn
  return [...drawn, pen.paint({ dim: true })(pen.clip(`   ${pen.glyphs.ellipsis} ${more} more`, look.width))]
}
