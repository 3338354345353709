// Report for the terminal, rendered with the components of `anode render`. No line is
// wider than the terminal.

import { fenceText } from '../../base/text/quoting/code-fence.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import { writeInline, writeInlineLines } from '../../render/markdown/write-inline.ts'
import { type RenderOptions, render } from '../../render/render.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ReportDocument } from './report-document.ts'
import {
  type CitedSource,
  joinPlaces,
  layOutReport,
  type ReportExtent,
  type ReportPiece,
} from './report-layout.ts'
import { plainWords, readQuote, readWords } from './text-runs.ts'

interface TextElement {
  type: string
  props: Record<string, unknown>
}

export function renderText(document: ReportDocument, look: RenderOptions, extent?: ReportExtent): string {
  const drawn = layOutReport(document, extent).map((piece) => drawPiece(piece, document, look).join('\n'))
  return `${drawn.join('\n\n')}\n`
}

function drawPiece(piece: ReportPiece, document: ReportDocument, look: RenderOptions): string[] {
  const rich = (words: string, indent = '') =>
    writeInlineLines(readWords(document, words)).join(`\\\n${indent}`)
  switch (piece.kind) {
    case 'text':
      return drawMarkdown(rich(piece.text), look)
    case 'quote': {
      // An empty line separates two lines of the source, because Markdown would join them.
      const lines = piece.text.split('\n').map((line) => `> ${writeInline(readWords(document, line, piece))}`)
      return drawMarkdown(lines.join('\n>\n'), look)
    }
    case 'code':
      return drawMarkdown(fenceText(piece.text, piece.language), look)
    case 'list': {
      const mark = (i: number) => (piece.ordered ? `${i + 1}. ` : '- ')
      const item = (text: string, i: number) => mark(i) + rich(text, ' '.repeat(mark(i).length))
      return drawMarkdown(piece.items.map(item).join('\n'), look)
    }
    default:
      return listElements(piece, (words) => plainWords(readWords(document, words))).flatMap((element) =>
        drawElement(element, look),
      )
  }
}

function listElements(
  piece: Exclude<ReportPiece, { kind: 'text' | 'list' | 'quote' | 'code' }>,
  rich: (words: string) => string,
): TextElement[] {
  switch (piece.kind) {
    case 'title':
      return [{ type: 'Heading', props: { text: piece.text, level: 'h1' } }]
    case 'section':
      return [{ type: 'Heading', props: { text: piece.text } }]
    case 'heading':
      return [{ type: 'Heading', props: { text: rich(piece.text), level: 'h3' } }]
    case 'warning':
      return [{ type: 'Callout', props: { content: piece.text, type: 'warning' } }]
    case 'facts':
      return piece.pairs.map(([label, value]) => ({ type: 'KeyValue', props: { label, value } }))
    case 'table': {
      const columns = piece.head.map((header, i) => ({ header, key: String(i) }))
      const rows = piece.rows.map((row) => Object.fromEntries(row.map((cell, i) => [String(i), cell])))
      return [{ type: 'Table', props: { columns, rows } }]
    }
    case 'sources':
      return piece.sources.flatMap(piece.brief ? briefSource : listSourceElements)
  }
}

function listSourceElements({ n, place, quotes }: CitedSource): TextElement[] {
  const items = quotes.map((quote) => {
    const note = quote.note === 'verified' ? '' : ` (${quote.note})`
    return `${quote.place}${note}: "${plainWords(readQuote(quote))}"`
  })
  return [
    { type: 'Text', props: { text: `[${n}] ${sanitizeText(place)}` } },
    { type: 'List', props: { items, bulletChar: '  ' } },
  ]
}

const briefSource = (source: CitedSource): TextElement[] => [
  { type: 'Text', props: { text: `[${source.n}] ${sanitizeText(joinPlaces(source))}` } },
]

/**
 * Renders one element as a separate document of `anode render`, because the size limits of such a document
 * must not apply to the whole report.
 */
function drawElement(element: TextElement, look: RenderOptions): string[] {
  return render({ root: 'piece', elements: { piece: { ...element, children: [] } } }, look).lines
}
