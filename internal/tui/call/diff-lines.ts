// A file's change as coloured lines: a header with its name and counts, then the hunks, white space included.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TextStyle } from '../../render/text/color.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { TextLook } from '../approval/argument-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { markChangedWords, type TextRange } from './word-diff.ts'

export const diffStyles: Readonly<Record<string, TextStyle>> = {
  '+': { color: 'green' },
  '-': { color: 'red' },
  '@': { color: 'cyan' },
  '\\': { dim: true },
}

/** One line of a hunk, with what cannot be seen written out. */
export interface DiffLine {
  /** One of `+-@\` and a blank; empty where the line has none. */
  sign: string
  text: string
  /** Its number before or after the change; undefined for lines that open a hunk, and remarks. */
  number: number | undefined
  /** What has changed within it, of a line that stands for another one. */
  marks: readonly TextRange[]
}

/** `numbered`: each line with its number in the file, which then says where a hunk stands, not its head. */
export function diffLines(file: FileDiff, look: TextLook, numbered = false): SourceLine[] {
  const lines = readDiffLines(file, look)
  const digits = digitsOf(lines)
  return [
    { text: diffHeader(file), style: { bold: true }, foreign: true },
    ...lines.flatMap(({ sign, text, number, marks }, i): SourceLine[] => {
      // the numbers say where a hunk stands
      if (numbered && sign === '@') return i === 0 ? [] : [openHunk(text, look)]
      const lead = sign + (numbered && number !== undefined ? ` ${String(number).padStart(digits)}  ` : '')
      const moved = marks.map(([start, end]): TextRange => [start + lead.length, end + lead.length])
      const line = { text: lead + text, style: diffStyles[sign] ?? {}, foreign: true }
      return [moved.length === 0 ? line : { ...line, marks: moved }]
    }),
  ]
}

/** What stands behind the places of a hunk, as git writes the function that it lies in. */
const openHunk = (text: string, { gap }: TextLook): SourceLine => ({
  text: gap + (/@@( .*)$/.exec(text)?.[1] ?? ''),
  style: { dim: true },
  foreign: true,
})

export function diffHeader({ path, what, hunks, added, removed }: FileDiff): string {
  const counts = hunks === '' ? '' : `+${added} -${removed}`
  return `${escapeInvisible(path)}  ${escapeInvisible(what)}  ${counts}`.trimEnd()
}

export function readDiffLines({ hunks }: FileDiff, look: TextLook): DiffLine[] {
  const lines = hunks === '' ? [] : hunks.replace(/\n$/, '').split('\n')
  const numbers = numberLines(lines)
  const split = lines.map((line) => splitSign(line, look))
  const marks = markChangedWords(split)
  return split.map((line, i) => ({ ...line, number: numbers[i], marks: marks.get(i) ?? [] }))
}

/** Of the longest number. */
export const digitsOf = (lines: readonly DiffLine[]): number =>
  String(Math.max(0, ...lines.map(({ number }) => number ?? 0))).length

/**
 * The sign stays in its column; a blank at the end of a line is written out, but not that of an empty one.
 */
function splitSign(line: string, look: TextLook): { sign: string; text: string } {
  const sign = /^[ +\-@\\]/.exec(line)?.[0] ?? ''
  const text = escapeInvisible(line.slice(sign.length), { tab: look.tab })
  return { sign, text: text.replace(/ $/, '\\x20') }
}

/** For each line its number before or after the change; the lines that open a hunk have none. */
function numberLines(lines: readonly string[]): (number | undefined)[] {
  let before = 1
  let after = 1
  return lines.map((line) => {
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
}
