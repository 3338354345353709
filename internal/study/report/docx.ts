// Report as a Word document, with headings, lists, tables and links that editors recognize.
import {
  BorderStyle,
  Document,
  ExternalHyperlink,
  HeadingLevel,
  LevelFormat,
  Packer,
  Paragraph,
  type ParagraphChild,
  ShadingType,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import { readCodeLines } from '../../base/code/code-reader.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { codeInks, plainLines } from './code-ink.ts'
import type { CodePiece } from './markdown-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { type CitedSource, layOutReport, type ReportPiece } from './report-layout.ts'
import { foldSpaces, type ReportRun, readQuote, readWords } from './text-runs.ts'

/** Indents in twips, the unit of Word: a twentieth of a point. */
const indent = { left: 360, hanging: 360 }
const quoteIndent = { left: 720 }
const monospace = 'Consolas'

/** Returns the bytes of a `.docx` file. Equal reports always give the same text. */
export async function renderDocx(document: ReportDocument): Promise<Uint8Array> {
  let lists = 0
  const children = layOutReport(document).flatMap((piece) => {
    if (piece.kind === 'list' && piece.ordered) lists++
    return drawPiece(piece, document, lists)
  })
  const file = new Document({
    title: foldSpaces(document.question),
    creator: 'Anode',
    description: `Study ${document.id}`,
    styles: { default: defaultStyles },
    numbering: { config: [{ reference: 'numbers', levels: [numberLevel] }] },
    sections: [{ children }],
  })
  return Packer.toBuffer(file)
}

/** Default styles of the document. Sizes are in half points and spacings in twips. */
const defaultStyles = {
  document: { run: { font: 'Calibri', size: 22 } },
  title: { run: { size: 40, bold: true }, paragraph: { spacing: { after: 200 } } },
  heading1: {
    run: { size: 28, bold: true, color: '1F2937' },
    paragraph: { spacing: { before: 320, after: 100 } },
  },
  heading2: {
    run: { size: 24, bold: true, color: '1F2937' },
    paragraph: { spacing: { before: 200, after: 80 } },
  },
}

const numberLevel = {
  level: 0,
  format: LevelFormat.DECIMAL,
  text: '%1.',
  style: { paragraph: { indent } },
}

/**
 * Renders a piece of the report. `list` is the number of the ordered list, because each list counts from 1.
 */
function drawPiece(piece: ReportPiece, it: ReportDocument, list: number): (Paragraph | Table)[] {
  const runs = (words: string) => runsOf(readWords(it, words))
  switch (piece.kind) {
    case 'title':
      return [new Paragraph({ heading: HeadingLevel.TITLE, children: toPlainRuns(piece.text) })]
    case 'section':
      return [new Paragraph({ heading: HeadingLevel.HEADING_1, children: toPlainRuns(piece.text) })]
    case 'heading':
      return [new Paragraph({ heading: HeadingLevel.HEADING_2, children: runs(piece.text) })]
    case 'text':
      return [new Paragraph({ children: runs(piece.text), spacing: { after: 120 } })]
    case 'quote':
      return piece.text.split('\n').map((line) => drawQuoteLine(runsOf(readWords(it, line, piece))))
    case 'warning':
      return [drawWarning(piece.text)]
    case 'code':
      return drawCode(piece)
    case 'list':
      return piece.items.map((item) => {
        const mark = piece.ordered
          ? { numbering: { reference: 'numbers', level: 0, instance: list } }
          : { bullet: { level: 0 } }
        return new Paragraph({ children: runs(item), ...mark })
      })
    case 'facts':
      return piece.pairs.map(
        ([label, value]) =>
          new Paragraph({
            children: [new TextRun({ text: `${label}: `, bold: true }), ...toPlainRuns(value)],
          }),
      )
    case 'table':
      return [drawTable(piece.head, piece.rows)]
    case 'sources':
      return piece.sources.flatMap(drawSource)
  }
}

const codeShade = { type: ShadingType.CLEAR, color: 'auto', fill: 'F4F5F8' }
const codeIndent = { left: 120 }

function drawCode({ text, language }: CodePiece): Paragraph[] {
  const clean = sanitizeText(text, { keepLines: true })
  const lines = readCodeLines(clean, language) ?? plainLines(clean)
  return lines.map((runs, i) => {
    const children = runs.map(({ text: part, kind }) => {
      const color = kind && codeInks[kind].slice(1)
      return new TextRun({ text: part, font: monospace, size: 18, color })
    })
    const spacing = { before: i === 0 ? 80 : 0, after: i === lines.length - 1 ? 160 : 0 }
    return new Paragraph({ children, spacing, shading: codeShade, indent: codeIndent })
  })
}

const toPlainRuns = (words: string): TextRun[] => [new TextRun(foldSpaces(words))]

/** Returns the paragraph of a quote, which has a bar at its left. */
const drawQuoteLine = (children: ParagraphChild[]): Paragraph =>
  new Paragraph({
    children,
    indent: quoteIndent,
    border: { left: { style: BorderStyle.SINGLE, size: 12, color: 'B7B7C3', space: 10 } },
    spacing: { after: 120 },
  })

/**
 * Converts runs, which are pieces of text in one style, to runs of Word. Consecutive runs with the same link
 * become one hyperlink.
 */
function runsOf(runs: readonly ReportRun[], size?: number): ParagraphChild[] {
  const children: ParagraphChild[] = []
  for (let i = 0; i < runs.length; ) {
    const { link } = runs[i] as ReportRun
    let end = i + 1
    while (link && runs[end]?.link === link) end++
    const texts = runs.slice(i, end).flatMap((run) => textRuns(run, size))
    children.push(...(link ? [new ExternalHyperlink({ link: link.href, children: texts })] : texts))
    i = end
  }
  return children
}

/** Returns a run for each line of the text. */
const textRuns = ({ text, isBold, isItalic, isStruck, isCode, link }: ReportRun, size?: number): TextRun[] =>
  text.split('\n').map(
    (line, i) =>
      new TextRun({
        text: line,
        break: i > 0 ? 1 : undefined,
        bold: isBold,
        italics: isItalic,
        strike: isStruck,
        font: isCode ? monospace : undefined,
        style: link ? 'Hyperlink' : undefined,
        size,
      }),
  )

const drawWarning = (text: string): Paragraph =>
  new Paragraph({
    children: [new TextRun({ text: foldSpaces(text), bold: true })],
    border: { left: { style: BorderStyle.SINGLE, size: 18, color: 'C58B00', space: 8 } },
    spacing: { before: 120, after: 120 },
  })

function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): Table {
  const row = (cells: readonly string[], bold: boolean) =>
    new TableRow({
      tableHeader: bold,
      children: cells.map(
        (cell) =>
          new TableCell({
            children: [
              new Paragraph({ children: [new TextRun({ text: foldSpaces(cell), bold, size: 18 })] }),
            ],
          }),
      ),
    })
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [row(head, true), ...rows.map((cells) => row(cells, false))],
  })
}

/**
 * Renders a source. Its number is part of the text and not a list number of the editor, because citations
 * refer to it.
 */
function drawSource({ n, place, link, quotes }: CitedSource): Paragraph[] {
  const lines = quotes.map(
    (quote) =>
      new Paragraph({
        children: [
          new TextRun('“'),
          ...runsOf(readQuote(quote)),
          new TextRun('” '),
          ...linkPlace(quote.place, quote.link, 16),
          new TextRun({ text: ` · ${quote.claim} · ${foldSpaces(quote.note)}`, size: 16, color: '5F5F6B' }),
        ],
        indent: quoteIndent,
        spacing: { after: 80 },
      }),
  )
  return [new Paragraph({ children: [new TextRun(`[${n}] `), ...linkPlace(place, link)] }), ...lines]
}

function linkPlace(place: string, link: string | undefined, size?: number): ParagraphChild[] {
  const run = (style?: string) => new TextRun({ text: foldSpaces(place), font: monospace, size, style })
  return link === undefined ? [run()] : [new ExternalHyperlink({ link, children: [run('Hyperlink')] })]
}
