// A file's change as coloured lines: a header with its name and counts, then the hunks, white space included.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TextStyle } from '../../render/text/color.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { TextLook } from '../approval/argument-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'

const styles: Readonly<Record<string, TextStyle>> = {
  '+': { color: 'green' },
  '-': { color: 'red' },
  '@': { color: 'cyan' },
  '\\': { dim: true },
}

export function diffLines({ path, what, hunks, added, removed }: FileDiff, look: TextLook): SourceLine[] {
  const counts = hunks === '' ? '' : `+${added} -${removed}`
  const header = {
    text: `${escapeInvisible(path)}  ${escapeInvisible(what)}  ${counts}`.trimEnd(),
    style: { bold: true },
    foreign: true,
  }
  const lines = hunks === '' ? [] : hunks.replace(/\n$/, '').split('\n')
  return [
    header,
    ...lines.map((line) => ({
      text: lineText(line, look),
      style: styles[line[0] ?? ' '] ?? {},
      foreign: true,
    })),
  ]
}

/**
 * The sign stays in its column; a blank at the end of a line is written out, but not that of an empty one.
 */
function lineText(line: string, look: TextLook): string {
  const sign = /^[ +\-@\\]/.exec(line)?.[0] ?? ''
  return `${sign}${escapeInvisible(line.slice(sign.length), { tab: look.tab }).replace(/ $/, '\\x20')}`
}
