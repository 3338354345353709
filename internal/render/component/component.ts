// What a component without children is: one way to draw it, one to say it.

import { formatCount } from '../chart/number.ts'
import type { Pen, RenderedLine } from '../pen.ts'
import type { IssueCode } from '../spec/issues.ts'

/** Reports a warning about the element being drawn. */
export type WarningReporter = (code: IssueCode, message: string) => void

export interface ComponentRenderer<P> {
  /** Lines of at most `width` cells, `width` being at least 1; as narrow as the contents allow. */
  draw(props: P, width: number, pen: Pen, warn: WarningReporter): RenderedLine[]
  /** The same as linear text without columns and borders; not wrapped yet. */
  speak(props: P, pen: Pen, warn: WarningReporter): string[]
  /** Cells wanted where drawing only to know them would cost too much. */
  natural?(props: P, pen: Pen): number
}

/** More lines than this are only drawn with `all`. */
export const maxComponentLines = 20_000

/** The first items that are worth lines, and a text about the others, if there are any. */
export function limitItems<T>(items: readonly T[], noun: string, pen: Pen, warn: WarningReporter) {
  if (pen.look.all || items.length <= maxComponentLines) return { shown: items, rest: undefined }
  const hidden = `${formatCount(items.length - maxComponentLines + 1)} more ${noun}`
  warn('truncated_rows', `${hidden} are not shown`)
  return { shown: items.slice(0, maxComponentLines - 1), rest: `${pen.glyphs.ellipsis} ${hidden}` }
}
