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

/** `numbered`: each line with its number in the file, which then says where a hunk stands. */
export function diffLines(
  { path, what, hunks, added, removed }: FileDiff,
  look: TextLook,
  numbered = false,
): SourceLine[] {
  const counts = hunks === '' ? '' : `+${added} -${removed}`
  const header = {
    text: `${escapeInvisible(path)}  ${escapeInvisible(what)}  ${counts}`.trimEnd(),
    style: { bold: true },
    foreign: true,
  }
  const lines = hunks === '' ? [] : hunks.replace(/\n$/, '').split('\n')
  const numbers = numbered ? numberLines(lines) : []
  return [
    header,
    ...lines.map((line, i) => ({
      text: lineText(line, look, numbers[i]),
      style: styles[line[0] ?? ' '] ?? {},
      foreign: true,
    })),
  ]
}

/**
 * The sign stays in its column; a blank at the end of a line is written out, but not that of an empty one.
 */
function lineText(line: string, look: TextLook, number = ''): string {
  const sign = /^[ +\-@\\]/.exec(line)?.[0] ?? ''
  const text = escapeInvisible(line.slice(sign.length), { tab: look.tab })
  return sign + number + text.replace(/ $/, '\\x20')
}

/** For each line its number before or after the change, padded; the lines that open a hunk have none. */
function numberLines(lines: readonly string[]): string[] {
  let before = 1
  let after = 1
  const numbers = lines.map((line) => {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)/.exec(line)
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
    }
    if (line.startsWith('-')) return before++
    if (hunk || !/^[ +]/.test(line)) return undefined
    if (line.startsWith(' ')) before++
    return after++
  })
  const digits = String(Math.max(0, ...numbers.map((number) => number ?? 0))).length
  return numbers.map((number) => (number === undefined ? '' : ` ${String(number).padStart(digits)}  `))
}
