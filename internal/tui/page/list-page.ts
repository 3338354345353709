// A page with a list, whose keys act on the selected entry.
import type { RenderLook } from '../../render/pen.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import { framePage, isClosingKey, type LivePage } from './live-page.ts'

export interface PageEntry {
  id: string
  /** Lines of the entry: at least one, each at most as wide as the screen. */
  lines: readonly string[]
}

export interface ListContent {
  head: readonly string[]
  entries: readonly PageEntry[]
  tail: readonly string[]
  /** Text that is shown for an empty list. */
  none: string
}

interface ListPageOptions {
  /** Returns the current content of the list. */
  read(look: RenderLook, now: number): ListContent
  /**
   * The handlers of keys by key name. They get the id of the selected entry, or undefined for an empty list.
   */
  keys: Readonly<Record<string, (id: string | undefined) => void>>
  /** Returns a text with the keys that have an effect now. */
  help(): string
  close?(): void
}

/** Width in cells of the mark in front of an entry. */
const markCells = 2

export function createListPage({ read, keys, help, close }: ListPageOptions): LivePage {
  let meant: string | undefined
  let ids: readonly string[] = []
  const move = (step: number) => {
    const at = Math.max(0, ids.indexOf(meant ?? ''))
    meant = ids[Math.max(0, Math.min(at + step, ids.length - 1))]
  }
  return {
    draw(look, rows, now) {
      const content = read(narrowLook(look, margin + markCells), now)
      ids = content.entries.map(({ id }) => id)
      // The same entry stays selected by its id while other entries change.
      if (meant === undefined || !ids.includes(meant)) meant = ids[0]
      return framePage(layOut(content, meant, look, rows - 1), help(), look, rows)
    },
    press(press) {
      if (isClosingKey(press)) return false
      const step = { up: -1, down: 1, pageup: -10, pagedown: 10, home: -ids.length, end: ids.length }[
        press.key
      ]
      if (step !== undefined) move(step)
      else keys[press.key]?.(meant)
      return true
    },
    close,
  }
}

/**
 * Returns the rows of the page. The lines above and below the list stay visible, unless they leave fewer than
 * three rows for it. Of the list, the entries around the selected one are shown.
 */
function layOut(content: ListContent, meant: string | undefined, look: RenderLook, rows: number): string[] {
  const pen = penOfLook(look)
  const head = indentLines(content.head)
  const tail = indentLines(content.tail)
  if (content.entries.length === 0)
    return [...head, ...indentLines(pen.wrap(content.none, look.width - margin)), ...tail]
  const marked = content.entries.flatMap(({ id, lines }) =>
    lines.map((line, i) => ({
      isMeant: id === meant,
      text: `${' '.repeat(margin)}${id === meant && i === 0 ? pen.paint({ bold: true })('> ') : '  '}${line}`,
    })),
  )
  // On a small terminal only the list itself is shown.
  const hasEnds = head.length + tail.length + 3 <= rows
  const room = Math.max(1, hasEnds ? rows - head.length - tail.length : rows)
  const first = marked.findIndex(({ isMeant }) => isMeant)
  const top = Math.max(0, Math.min(first - Math.floor(room / 3), marked.length - room))
  const list = marked.slice(top, top + room).map(({ text }) => text)
  return hasEnds ? [...head, ...list, ...tail] : list
}
