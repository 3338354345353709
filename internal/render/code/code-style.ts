// The colors of code on a terminal.
import type { CodeKind, CodeRun } from '../../base/code/code-runs.ts'
import type { Pen } from '../pen.ts'
import type { TextStyle } from '../text/color.ts'

/**
 * The style of each kind of code. A color is a name, such as `green`, for which the theme of the user defines
 * the actual color.
 */
export const codeStyles: Readonly<Record<CodeKind, TextStyle>> = {
  keyword: { color: 'magenta' },
  string: { color: 'green' },
  number: { color: 'yellow' },
  comment: { dim: true },
  type: { color: 'cyan' },
  name: { color: 'blue' },
  property: { color: 'cyan' },
  meta: { dim: true },
  added: { color: 'green' },
  removed: { color: 'red' },
}

/**
 * Returns the painted characters of a line from `start` up to `end`, which is not included. Both count
 * UTF-16 code units.
 */
export function paintCode(runs: readonly CodeRun[], start: number, end: number, pen: Pen): string {
  let at = 0
  let painted = ''
  for (const { text, kind } of runs) {
    const part = text.slice(Math.max(0, start - at), Math.max(0, end - at))
    at += text.length
    if (part !== '') painted += pen.paint(kind ? codeStyles[kind] : {})(part)
  }
  return painted
}
