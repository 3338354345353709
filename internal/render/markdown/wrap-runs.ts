// Styled runs of text, and their layout in lines of a width.
import type { Token } from 'marked'
import type { Pen, RenderedLine } from '../pen.ts'
import { splitClusters } from '../text/cell-width.ts'
import type { TextStyle } from '../text/color.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { readInline } from './inline.ts'
import type { InlineRun } from './inline-run.ts'

/** A piece of text in one style; a line feed in it breaks the line. */
interface StyledRun {
  text: string
  style: TextStyle
}

/**
 * Returns the runs of inline tokens, in order. The URL of a link follows its text, unless the text is the URL
 * or the mail address in it.
 */
export function inlineRuns(tokens: readonly Token[] = [], style: TextStyle = {}): StyledRun[] {
  const runs = readInline(tokens)
  return runs.flatMap((run, i) => {
    const styled = { text: run.text, style: styleOf(run, style) }
    const isLast = run.link !== undefined && runs[i + 1]?.link !== run.link
    return isLast ? [styled, ...addressAfter(runs, i)] : [styled]
  })
}

function styleOf({ isBold, isItalic, isStruck, isCode, link }: InlineRun, base: TextStyle): TextStyle {
  const style = { ...base }
  if (isBold) style.bold = true
  if (isItalic) style.italic = true
  if (isStruck) style.strikethrough = true
  if (link && !link.isImage) style.underline = true
  if (isCode) style.color = 'cyan'
  return style
}

/**
 * Returns the URL in parentheses; an empty list if the URL is empty, or if the text of the link is the URL or
 * the mail address in it.
 */
function addressAfter(runs: readonly InlineRun[], last: number): StyledRun[] {
  const { link } = runs[last] as InlineRun
  const linkText = runs
    .filter((run) => run.link === link)
    .map(({ text }) => text)
    .join('')
  const href = link?.href ?? ''
  return href === linkText || href === `mailto:${linkText}` || href === ''
    ? []
    : [{ text: ` (${href})`, style: { dim: true } }]
}

/** Part of a word in one style. */
interface WordPiece {
  text: string
  style: TextStyle
  cells: number
}

/** Returns runs as lines of at most `width` cells, broken between words, and within longer words. */
export function wrapRuns(runs: readonly StyledRun[], width: number, pen: Pen): RenderedLine[] {
  const lines: RenderedLine[] = []
  let line: WordPiece[] = []
  let lineCells = 0
  let gap: WordPiece | undefined
  /** True directly after a hard line break, where spaces indent the line. */
  let isFresh = false
  const flush = () => {
    lines.push(paintPieces(line, pen))
    line = []
    lineCells = 0
    gap = undefined
  }
  const put = (piece: WordPiece) => {
    line.push(piece)
    lineCells += piece.cells
  }
  for (const word of wordsOf(runs, pen)) {
    const wasFresh = isFresh
    isFresh = word === 'break'
    if (word === 'break') flush()
    else if (word.kind === 'gap') {
      gap = word.pieces[0]
      if (wasFresh && gap) {
        const cells = Math.min(gap.text.replaceAll('\t', '    ').length, Math.floor(width / 2))
        if (cells > 0) put({ ...gap, text: ' '.repeat(cells), cells })
        gap = undefined
      }
    } else {
      const size = word.pieces.reduce((sum, { cells }) => sum + cells, 0)
      if (line.length > 0 && lineCells + (gap ? 1 : 0) + size > width) flush()
      if (gap && line.length > 0) put({ ...gap, text: ' ', cells: 1 })
      gap = undefined
      if (lineCells + size <= width) for (const piece of word.pieces) put(piece)
      else
        for (const piece of word.pieces.flatMap((piece) => splitPiece(piece, pen))) {
          if (lineCells + piece.cells > width && line.length > 0) flush()
          put(piece.cells <= width ? piece : { ...piece, text: ' ', cells: 1 })
        }
    }
  }
  if (line.length > 0 || lines.length === 0) flush()
  return lines
}

type StyledWord = 'break' | { kind: 'word' | 'gap'; pieces: WordPiece[] }

/** Splits runs into words; a word may span runs: `**a**b` is one word in two styles. */
function wordsOf(runs: readonly StyledRun[], pen: Pen): StyledWord[] {
  const words: StyledWord[] = []
  for (const { text, style } of runs) {
    // The parser decodes references such as `&#27;`, so its output is filtered again.
    for (const [part] of sanitizeText(text, { keepLines: true }).matchAll(/\n|[ \t]+|[^ \t\n]+/g)) {
      const last = words.at(-1)
      const isGap = part[0] === ' ' || part[0] === '\t'
      const piece = { text: part, style, cells: isGap ? 1 : pen.cells(part) }
      if (part === '\n') words.push('break')
      else if (isGap) words.push({ kind: 'gap', pieces: [piece] })
      else if (last !== undefined && last !== 'break' && last.kind === 'word') last.pieces.push(piece)
      else words.push({ kind: 'word', pieces: [piece] })
    }
  }
  return words
}

function splitPiece({ text, style }: WordPiece, pen: Pen): WordPiece[] {
  return [...splitClusters(text, pen.look.ambiguous)].map((cluster) => ({ ...cluster, style }))
}

/** Paints adjacent pieces of one style together, so that a line contains no redundant codes. */
function paintPieces(pieces: readonly WordPiece[], pen: Pen): RenderedLine {
  let text = ''
  let cells = 0
  for (let i = 0; i < pieces.length; ) {
    const { style } = pieces[i] as WordPiece
    const key = JSON.stringify(style)
    let run = ''
    for (; i < pieces.length && JSON.stringify(pieces[i]?.style) === key; i++) {
      run += pieces[i]?.text
      cells += pieces[i]?.cells ?? 0
    }
    text += pen.paint(style)(run)
  }
  return { text, cells }
}
