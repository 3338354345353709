// Pages over the whole terminal that are drawn again as their subject changes; the last one is seen.
import type { RenderLook } from '../../render/pen.ts'
import type { KeyPress } from '../input/key-press.ts'
import { penOfLook } from '../view/look-pen.ts'

export interface LivePage {
  /** Exactly `rows` rows, none wider than the look. */
  draw(look: RenderLook, rows: number, now: number): string[]
  /** False: the page is to be closed. */
  press(press: KeyPress): boolean
  /** Called once when it is closed. */
  close?(): void
}

/** Who shows pages: the last of them has the keys. */
export interface PageHost {
  readonly overlays: { readonly pages: LivePage[] }
  readonly screen: { changed(soon?: boolean): void }
}

export function openPage(host: PageHost, page: LivePage): void {
  host.overlays.pages.push(page)
  host.screen.changed(true)
}

/** The keys of the page that is seen; one that is closed shows the one below it. */
export function pressPageKey({ overlays: { pages } }: PageHost, press: KeyPress): void {
  const page = pages.at(-1)
  if (!page || page.press(press)) return
  // a key may have opened another one meanwhile
  const at = pages.indexOf(page)
  if (at >= 0) pages.splice(at, 1)
  page.close?.()
}

/** Every page, for whoever leaves. */
export function closePages({ overlays: { pages } }: PageHost): void {
  for (const page of pages.splice(0).reverse()) page.close?.()
}

export const isClosingKey = ({ key }: KeyPress): boolean =>
  key === 'escape' || key === 'q' || key === 'ctrl-c'

/** Keys, two or three blanks between; where they have no room the last before how to leave are lost. */
export function fitKeys(keys: string, width: number, cells: (text: string) => number): string {
  const words = keys.split(/( {2,})/)
  while (words.length > 3 && cells(words.join('')) > width) words.splice(-3, 2)
  return words.join('')
}

/** Lines cut or filled up to the terminal, above a row in reverse that says the keys. */
export function framePage(lines: readonly string[], keys: string, look: RenderLook, rows: number): string[] {
  const pen = penOfLook(look)
  const height = Math.max(0, rows - 1)
  const shown = lines.slice(0, height)
  const blank = Array.from({ length: height - shown.length }, () => '')
  const row = pen.clip(` ${fitKeys(keys, look.width - 1, pen.cells)}`, look.width)
  const bar = pen.paint({ inverse: true })(row + ' '.repeat(Math.max(0, look.width - pen.cells(row))))
  return [...shown, ...blank, bar]
}
