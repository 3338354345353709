// A component without children, with its rendering as lines and as plain text.

import { formatCount } from '../chart/number.ts'
import type { Pen, RenderedLine } from '../pen.ts'
import type { IssueCode } from '../spec/issues.ts'

/** Reports a warning about the element being drawn. */
export type WarningReporter = (code: IssueCode, message: string) => void

export interface ComponentRenderer<P> {
  /** Returns lines of at most `width` cells, which is at least 1. Short lines are not padded. */
  draw(props: P, width: number, pen: Pen, warn: WarningReporter): RenderedLine[]
  /** Returns the content as plain text without columns and borders, not wrapped yet. */
  speak(props: P, pen: Pen, warn: WarningReporter): string[]
  /**
   * Returns the width of the content in cells. Only components whose rendering is slow have this function. To
   * measure any other component, the layout renders it.
   */
  natural?(props: P, pen: Pen): number
}

/**
 * Largest number of items or lines that a component shows, including the line about hidden ones. `look.all`
 * removes the limit.
 */
export const maxComponentLines = 20_000

/**
 * Returns all items, or with more than `maxComponentLines` the first ones and a text with the number of
 * hidden ones, which is also reported as a warning. With `look.all`, returns all items.
 */
export function limitItems<T>(items: readonly T[], noun: string, pen: Pen, warn: WarningReporter) {
  if (pen.look.all || items.length <= maxComponentLines) return { shown: items, rest: undefined }
  const hidden = `${formatCount(items.length - maxComponentLines + 1)} more ${noun}`
  warn('truncated_rows', `${hidden} are not shown`)
  return { shown: items.slice(0, maxComponentLines - 1), rest: `${pen.glyphs.ellipsis} ${hidden}` }
}
