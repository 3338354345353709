// Pages that cover the terminal and update with their subject. Only the last opened page is visible.
import type { RenderLook } from '../../render/pen.ts'
import type { KeyPress } from '../input/key-press.ts'
import { penOfLook } from '../view/look-pen.ts'

export interface LivePage {
  /** Returns the page as exactly `rows` rows, each at most as wide as `look` allows. */
  draw(look: RenderLook, rows: number, now: number): string[]
  /** Handles a key on the page. Returns false if the page must close. */
  press(press: KeyPress): boolean
  /** Called once when the page closes. */
  close?(): void
}

/** The screen that shows the pages. The last page receives the keys. */
export interface PageHost {
  readonly overlays: { readonly pages: LivePage[] }
  readonly screen: { changed(soon?: boolean): void }
}

export function openPage(host: PageHost, page: LivePage): void {
  host.overlays.pages.push(page)
  host.screen.changed(true)
}

/** Passes a key to the visible page. If that page closes, the page below becomes visible. */
export function pressPageKey({ overlays: { pages } }: PageHost, press: KeyPress): void {
  const page = pages.at(-1)
  if (!page || page.press(press)) return
  // The key may have opened another page, so this page may not be the last one now.
  const at = pages.indexOf(page)
  if (at >= 0) pages.splice(at, 1)
  page.close?.()
}

/**
 * Closes all pages, the last opened one first, for example when the user leaves the screen
 * or the conversation.
 */
export function closePages({ overlays: { pages } }: PageHost): void {
  for (const page of pages.splice(0).reverse()) page.close?.()
}

export const isClosingKey = ({ key }: KeyPress): boolean =>
  key === 'escape' || key === 'q' || key === 'ctrl-c'

/**
 * Returns the row with keys. Its entries are separated by two or more spaces. Entries before the last one are
 * dropped, from the right, until the row fits or two entries are left.
 */
export function fitKeys(keys: string, width: number, cells: (text: string) => number): string {
  const words = keys.split(/( {2,})/)
  while (words.length > 3 && cells(words.join('')) > width) words.splice(-3, 2)
  return words.join('')
}

/** Returns the lines, cut or padded to the terminal, above a row in reverse video with the keys. */
export function framePage(lines: readonly string[], keys: string, look: RenderLook, rows: number): string[] {
  const pen = penOfLook(look)
  const height = Math.max(0, rows - 1)
  const visibleLines = lines.slice(0, height)
  const blank = Array.from({ length: height - visibleLines.length }, () => '')
  const row = pen.clip(` ${fitKeys(keys, look.width - 1, pen.cells)}`, look.width)
  const bar = pen.paint({ inverse: true })(row + ' '.repeat(Math.max(0, look.width - pen.cells(row))))
  return [...visibleLines, ...blank, bar]
}
