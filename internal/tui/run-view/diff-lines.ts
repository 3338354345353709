// A file's change as coloured lines: a header with its name and counts, then the hunks, white space included.

import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TextStyle } from '../../render/text/color.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { TextLook } from '../approval/argument-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { findChangedWords, findPartners, type TextRange } from './word-diff.ts'

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
export const diffLines = (file: FileDiff, look: TextLook, numbered = false): SourceLine[] => [
  ...eachDiffLine(file, look, numbered),
]

/** The same, each made when it is asked for. */
export function* eachDiffLine(file: FileDiff, look: TextLook, numbered = false): Generator<SourceLine> {
  yield { text: diffHeader(file), style: { bold: true }, foreign: true }
  const digits = numbered ? digitsOf(file) : 0
  let isFirst = true
  for (const { sign, text, number, marks } of eachReadLine(file, look)) {
    // the numbers say where a hunk stands
    if (!numbered || sign !== '@') {
      const lead = sign + (numbered && number !== undefined ? ` ${String(number).padStart(digits)}  ` : '')
      const moved = marks.map(([start, end]): TextRange => [start + lead.length, end + lead.length])
      const line = { text: lead + text, style: diffStyles[sign] ?? {}, foreign: true }
      yield moved.length === 0 ? line : { ...line, marks: moved }
    } else if (!isFirst) yield openHunk(text, look)
    isFirst = false
  }
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

export const readDiffLines = (file: FileDiff, look: TextLook): DiffLine[] => [...eachReadLine(file, look)]

const linesOf = ({ hunks }: FileDiff) => (hunks === '' ? [] : hunks.replace(/\n$/, '').split('\n'))

/** Words are compared when the first of two lines is asked for, not before. */
function* eachReadLine(file: FileDiff, look: TextLook): Generator<DiffLine> {
  const lines = linesOf(file)
  const numbers = numberLines(lines)
  const partners = findPartners(lines.map((line) => line[0] ?? ''))
  const known = new Map<number, readonly TextRange[]>()
  for (const [i, line] of lines.entries()) {
    const own = splitSign(line, look)
    const other = partners.get(i)
    if (other !== undefined && other > i) {
      const found = findChangedWords(own.text, splitSign(lines[other] as string, look).text)
      if (found) known.set(i, found.before).set(other, found.after)
    }
    yield { ...own, number: numbers[i], marks: known.get(i) ?? [] }
    known.delete(i)
  }
}

/** Of the longest number. */
export const digitsOf = (file: FileDiff): number =>
  String(numberLines(linesOf(file)).reduce<number>((max, number = 0) => Math.max(max, number), 0)).length

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
