// What a component without children is: one way to draw it, one to say it.
import type { Code } from './issue.ts'
import { formatCount } from './number.ts'
import type { Line, Pen } from './pen.ts'

/** Reports a warning about the element being drawn. */
export type Warn = (code: Code, message: string) => void

export interface Part<P> {
  /** Lines of at most `width` cells, `width` being at least 1; as narrow as the contents allow. */
  draw(props: P, width: number, pen: Pen, warn: Warn): Line[]
  /** The same as linear text without columns and borders; not wrapped yet. */
  speak(props: P, pen: Pen, warn: Warn): string[]
  /** Cells wanted where drawing only to know them would cost too much. */
  natural?(props: P, pen: Pen): number
}

/** More lines than this are only drawn with `all`. */
export const mostLines = 20_000

/** The first items that are worth lines, and a text about the others, if there are any. */
export function shorten<T>(items: readonly T[], noun: string, pen: Pen, warn: Warn) {
  if (pen.look.all || items.length <= mostLines) return { shown: items, rest: undefined }
  const hidden = `${formatCount(items.length - mostLines + 1)} more ${noun}`
  warn('truncated_rows', `${hidden} are not shown`)
  return { shown: items.slice(0, mostLines - 1), rest: `${pen.glyphs.ellipsis} ${hidden}` }
}
