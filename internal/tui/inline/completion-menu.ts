// The completion menu below the text, with commands after `/` and files after `@`.
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { MentionChoice } from '../../session/client.ts'
import { findOpenMention, insertMention } from '../input/mention.ts'
import { completeCommand, type NamedSkill, needsArgument } from '../input/slash-command.ts'
import { countNarrowRows, narrowColumns } from '../terminal/live-reflow.ts'
import { adaptEllipsis, penOfLook } from '../view/look-pen.ts'

type MenuItem = { kind: 'command'; name: string; about: string } | { kind: 'mention'; choice: MentionChoice }

export interface CompletionMenu {
  items: readonly MenuItem[]
  selected: number
  /** True if the user moved the selection. Enter then takes a selected file as well. */
  isMoved?: true
}

/**
 * Smallest number of items that the menu shows of a longer list by default, even if the screen has fewer free
 * rows. During a run, `drawLowMenu` may show fewer.
 */
const minShown = 6

/**
 * Returns a menu of commands that match the typed text. Returns undefined if none does, if the text is the
 * name of the only match, or if the caret is not at the end.
 */
export function commandMenu(
  text: string,
  caret: number,
  skills: readonly NamedSkill[] = [],
): CompletionMenu | undefined {
  if (caret !== text.length) return undefined
  const matches = completeCommand(text, skills)
  if (matches.length === 1 && text === `/${matches[0]?.name}`) return undefined
  return openMenu(matches.map(({ name, about }) => ({ kind: 'command', name, about })))
}

export const mentionMenu = (choices: readonly MentionChoice[]): CompletionMenu | undefined =>
  openMenu(choices.map((choice) => ({ kind: 'mention', choice })))

function openMenu(items: readonly MenuItem[]): CompletionMenu | undefined {
  return items.length === 0 ? undefined : { items, selected: 0 }
}

/** Returns the part of a file name that is typed after `@`; undefined if the caret is not in such a name. */
export const mentionQuery = (text: string, caret: number): string | undefined =>
  findOpenMention(text, caret)?.query

export const moveMenu = (menu: CompletionMenu, step: number): CompletionMenu => ({
  ...menu,
  isMoved: true,
  selected: (menu.selected + step + menu.items.length) % menu.items.length,
})

/**
 * Returns true if the selected item is a command that Enter runs. A command that needs an argument
 * is only completed.
 */
export function runsSelected({ items, selected }: CompletionMenu): boolean {
  const item = items[selected]
  return item?.kind === 'command' && !needsArgument(item.name)
}

/**
 * Returns true if Enter takes the selected item. For a command that is always so; for a file, only after the
 * user moved the selection.
 */
export const takesEnter = ({ items, isMoved }: CompletionMenu): boolean =>
  isMoved === true || items[0]?.kind === 'command'

/**
 * Returns the text with the selected item, and the caret after that item. A command replaces the whole text,
 * a file only its mention.
 */
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

/**
 * Returns the rows of the menu. `room` is the number of free rows on the screen. At least `least` items are
 * shown, even if they need more rows.
 */
export function drawMenu(
  { items, selected }: CompletionMenu,
  look: RenderLook,
  room = 0,
  least = minShown,
): string[] {
  const pen = penOfLook(look)
  // The last row shows the number of items that have no room.
  const maxShown = items.length <= room ? room : Math.max(least, room - 1)
  const first = Math.max(0, selected - maxShown + 1)
  const rows = items.slice(first, first + maxShown).map((item) => {
    const [name, about] = item.kind === 'command' ? [`/${item.name}`, item.about] : [item.choice.path, '']
    return { name: sanitizeText(name), about: adaptEllipsis(sanitizeText(about), pen) }
  })
  const nameCells = Math.min(Math.max(...rows.map(({ name }) => pen.cells(name))), look.width - 4)
  const drawn = rows.map(({ name, about }, i) => {
    const isSelected = first + i === selected
    const shortName = pen.clip(name, nameCells)
    const space = ' '.repeat(Math.max(0, nameCells - pen.cells(shortName)))
    const row = pen.clip(`${isSelected ? ' >' : '  '} ${shortName}${space}  ${about}`, look.width)
    return pen.paint(isSelected ? { bold: true } : { dim: true })(row)
  })
  const more = items.length - maxShown
  if (more <= 0) return drawn
  return [...drawn, pen.paint({ dim: true })(pen.clip(`   ${pen.glyphs.ellipsis} ${more} more`, look.width))]
}

/** Smallest number of items of a menu that must still fit after the terminal becomes narrower. */
const leastItems = 2

/**
 * Returns the rows of a menu that may use at most `narrowRows` rows if the terminal becomes narrower, when
 * long rows wrap. Shows fewer items for this, but at least two.
 */
export function drawLowMenu(
  menu: CompletionMenu,
  look: RenderLook,
  room: number,
  narrowRows: number,
): string[] {
  const low = { ...look, width: Math.min(look.width, 2 * narrowColumns(look.width)) }
  let drawn = drawMenu(menu, low, room)
  for (let count = drawn.length - 1; count > leastItems; count--) {
    if (countNarrowRows(drawn, look.width) <= narrowRows) break
    drawn = drawMenu(menu, low, count, leastItems)
  }
  return drawn
}
