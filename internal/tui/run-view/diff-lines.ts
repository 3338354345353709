// A change of a file as colored lines: a header with name and counts, then the changed places with
// visible white space.

import { languageOfPath } from '../../base/code/code-language.ts'
import { readCodeLines } from '../../base/code/code-reader.ts'
import type { CodeKind, CodeRun } from '../../base/code/code-runs.ts'
import { readHunkCode } from '../../base/code/diff-code.ts'
import { findChangedWords, findPartners, type TextRange } from '../../base/code/word-diff.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { TextStyle } from '../../render/text/color.ts'
import type { FileDiff } from '../../tool/ask.ts'
import type { TextLook } from '../approval/argument-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'

export const diffStyles: Readonly<Record<string, TextStyle>> = {
  '+': { color: 'green' },
  '-': { color: 'red' },
  '@': { color: 'cyan' },
  '\\': { dim: true },
}

const signKinds: Readonly<Record<string, CodeKind>> = { '+': 'added', '-': 'removed' }

/** One line of a hunk, with invisible characters escaped. */
export interface DiffLine {
  /** Sign of the line: `+`, `-`, `@`, `\` or a space; empty if the line has none. */
  sign: string
  text: string
  /**
   * Line number: in the old file for a removed line, in the new file for others; undefined for hunk
   * headers and notes.
   */
  number: number | undefined
  /**
   * The changed ranges within the text, each as start and exclusive end in UTF-16 code units; empty for a
   * line that replaces no line.
   */
  marks: readonly TextRange[]
  /** The words of the line as code; undefined if it has no code colors. */
  runs: readonly CodeRun[] | undefined
}

/**
 * Returns a line about the file, then the lines of a change. `numbered` adds line numbers, omits the first
 * hunk header, and omits the positions in further ones.
 */
export const diffLines = (file: FileDiff, look: TextLook, numbered = false): SourceLine[] => [
  ...eachDiffLine(file, look, numbered),
]

/** Yields the lines of a change. Each line is made only when it is requested. */
export function* eachDiffLine(file: FileDiff, look: TextLook, numbered = false): Generator<SourceLine> {
  yield { text: diffHeader(file), style: { bold: true }, foreign: true }
  const digits = numbered ? digitsOf(file) : 0
  let isFirst = true
  for (const { sign, text, number, marks, runs } of eachReadLine(file, look)) {
    // With line numbers, a hunk needs no header.
    if (!numbered || sign !== '@') {
      const lead = sign + (numbered && number !== undefined ? ` ${String(number).padStart(digits)}  ` : '')
      const moved = marks.map(([start, end]): TextRange => [start + lead.length, end + lead.length])
      const words = runs && [{ text: lead, kind: signKinds[sign] }, ...runs]
      const line: SourceLine = {
        text: lead + text,
        style: diffStyles[sign] ?? {},
        foreign: true,
        runs: words,
      }
      yield moved.length === 0 ? line : { ...line, marks: moved }
    } else if (!isFirst) yield openHunk(text, look)
    isFirst = false
  }
}

/** Returns the line between two hunks, with the function name that git writes into the hunk's header. */
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

/**
 * Yields the lines of a change. The words of a line are compared, and a hunk is read as code, only when that
 * line or its hunk is requested.
 */
function* eachReadLine(file: FileDiff, look: TextLook): Generator<DiffLine> {
  const lines = linesOf(file)
  const numbers = numberLines(lines)
  const partners = findPartners(lines.map((line) => line[0] ?? ''))
  const marksByLine = new Map<number, readonly TextRange[]>()
  const language = look.isColored ? languageOfPath(file.path) : undefined
  let runs: readonly (readonly CodeRun[] | undefined)[] = []
  let start = 0
  for (const [i, line] of lines.entries()) {
    const lineParts = splitSign(line, look)
    const other = partners.get(i)
    if (other !== undefined && other > i) {
      const changedWords = findChangedWords(lineParts.text, splitSign(lines[other] as string, look).text)
      if (changedWords) marksByLine.set(i, changedWords.before).set(other, changedWords.after)
    }
    if (language !== undefined && (i === 0 || lineParts.sign === '@')) {
      start = i
      runs = readHunk(lines, i, language, look)
    }
    yield { ...lineParts, number: numbers[i], marks: marksByLine.get(i) ?? [], runs: runs[i - start] }
    marksByLine.delete(i)
  }
}

/** Returns the code words of all lines from the header of a hunk to the next header. */
function readHunk(lines: readonly string[], start: number, language: string, look: TextLook) {
  const next = lines.findIndex((line, i) => i > start && line.startsWith('@'))
  const hunk = lines.slice(start, next < 0 ? undefined : next).map((line) => splitSign(line, look))
  return readHunkCode(hunk, (text) => readCodeLines(text, language))
}

/** Returns the number of digits of the largest line number in a change. */
export const digitsOf = (file: FileDiff): number =>
  String(numberLines(linesOf(file)).reduce<number>((max, number = 0) => Math.max(max, number), 0)).length

/**
 * Splits a line of a change into sign and text, with invisible characters escaped. A space at the end of the
 * text is shown as `\x20`.
 */
function splitSign(line: string, look: TextLook): { sign: string; text: string } {
  const sign = /^[ +\-@\\]/.exec(line)?.[0] ?? ''
  const text = escapeInvisible(line.slice(sign.length), { tab: look.tab })
  return { sign, text: text.replace(/ $/, '\\x20') }
}

/**
 * Returns the number of each line: in the old file for a removed line, in the new file for others; undefined
 * for hunk headers and notes.
 */
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
