// The lines of a file change with their numbers. Signs mark added and removed lines, as the colors do.

import { h } from 'preact'
import { useMemo } from 'preact/hooks'
import { languageOfPath } from '../../../base/code/code-language.ts'
import type { CodeRun } from '../../../base/code/code-runs.ts'
import { readHunkCode } from '../../../base/code/diff-code.ts'
import { findChangedWords, findPartners, type TextRange } from '../../../base/code/word-diff.ts'
import { countNoun } from '../../../base/text/count-noun.ts'
import { drawRuns, useCodeReader } from '../../text/code-text.ts'
import { revealText } from '../../text/shown-text.ts'
import { type NumberedLine, numberHunks } from './hunk-lines.ts'

/** Largest number of shown lines; the rest can be read in the file. */
const maxLines = 2_000

/** Shows a file change. `hunks` contains the hunks of a unified diff, or lines that were all added. */
export function FileChange({ change }: { change: { path: string; what: string; hunks: string } }) {
  const { path, what, hunks } = change
  const read = useCodeReader(languageOfPath(path))
  const { lines, more } = useMemo(() => readLines(hunks, read), [hunks, read])
  return h(
    'figure',
    { class: 'diff' },
    h('figcaption', null, h('code', null, revealText(path)), h('span', { class: 'quiet' }, revealText(what))),
    hunks !== '' && h('pre', { tabIndex: 0 }, lines.map(drawLine), more > 0 && countNoun(more, 'more line')),
  )
}

interface ShownLine extends NumberedLine {
  /** Text of the line, with visible escapes for invisible characters. */
  shown: string
  marks: readonly TextRange[]
  runs: readonly CodeRun[] | undefined
}

const signs = { added: '+', removed: '-', same: ' ', hunk: '@' } as const

/**
 * Returns the lines to show, with the words that changed and the colors of their code, and the number
 * of further lines.
 */
function readLines(hunks: string, read: (text: string) => CodeRun[][] | undefined) {
  const all = numberHunks(hunks)
  const lines: ShownLine[] = all
    .slice(0, maxLines)
    .map((line) => ({ ...line, shown: revealText(line.text), marks: [], runs: undefined }))
  for (const [i, other] of findPartners(lines.map(({ kind }) => signs[kind]))) {
    const before = lines[i] as ShownLine
    const after = lines[other] as ShownLine
    const words = i < other ? findChangedWords(before.shown, after.shown) : undefined
    if (words) {
      before.marks = words.before
      after.marks = words.after
    }
  }
  for (let start = 0; start < lines.length; ) {
    const next = lines.findIndex(({ kind }, i) => i > start && kind === 'hunk')
    const end = next < 0 ? lines.length : next
    const hunk = lines.slice(start, end)
    const signed = hunk.map(({ kind, shown: shownText }) => ({ sign: signs[kind], text: shownText }))
    for (const [i, runs] of readHunkCode(signed, read).entries()) (hunk[i] as ShownLine).runs = runs
    start = end
  }
  return { lines, more: all.length - lines.length }
}

function drawLine({ kind, number, shown: shownText, marks, runs }: ShownLine) {
  const figures = kind === 'hunk' ? '' : `${number ?? ''}`
  return h(
    'span',
    { class: kind },
    h('span', { class: 'number', 'aria-hidden': 'true' }, figures),
    kind === 'hunk'
      ? shownText
      : [`${signs[kind]} `, drawRuns(runs ?? [{ text: shownText, kind: undefined }], marks)],
    '\n',
  )
}
