// A report for the terminal, drawn with the components of `anode render`; no line is wider than the terminal.

import { type RenderOptions, render } from '../../render/render.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { replaceCitations } from '../verify/citations.ts'
import type { ReportDocument } from './document.ts'
import { boldPattern } from './markdown-blocks.ts'
import { type CitedSource, findSourceNumbers, layOutReport, type ReportPiece } from './report-layout.ts'

interface Element {
  type: string
  props: Record<string, unknown>
}

export function renderText(document: ReportDocument, look: RenderOptions): string {
  const cite = (ids: string[]) => {
    const shown = findSourceNumbers(document, ids).map(({ n, verified }) =>
      verified ? `${n}` : `${n} not verified`,
    )
    return shown.length > 0 ? `[${shown.join(', ')}]` : '[no source]'
  }
  const rich = (words: string) => replaceCitations(tidy(words).replace(boldPattern, '$1'), cite)
  const drawn = layOutReport(document).map((piece) =>
    elements(piece, rich)
      .flatMap((element) => draw(element, look))
      .join('\n'),
  )
  return `${drawn.join('\n\n')}\n`
}

function elements(piece: ReportPiece, rich: (words: string) => string): Element[] {
  switch (piece.kind) {
    case 'title':
      return [{ type: 'Heading', props: { text: piece.text, level: 'h1' } }]
    case 'section':
      return [{ type: 'Heading', props: { text: piece.text } }]
    case 'heading':
      return [{ type: 'Heading', props: { text: rich(piece.text), level: 'h3' } }]
    case 'text':
      return [{ type: 'Text', props: { text: rich(piece.text) } }]
    case 'quote':
      return [{ type: 'Text', props: { text: rich(piece.text), italic: true } }]
    case 'code':
      return [{ type: 'Text', props: { text: piece.text } }]
    case 'warning':
      return [{ type: 'Callout', props: { content: piece.text, type: 'warning' } }]
    case 'list':
      return [{ type: 'List', props: { items: piece.items.map(rich), ordered: piece.ordered } }]
    case 'facts':
      return piece.pairs.map(([label, value]) => ({ type: 'KeyValue', props: { label, value } }))
    case 'table': {
      const columns = piece.head.map((header, i) => ({ header, key: String(i) }))
      const rows = piece.rows.map((row) => Object.fromEntries(row.map((cell, i) => [String(i), cell])))
      return [{ type: 'Table', props: { columns, rows } }]
    }
    case 'sources':
      return piece.sources.flatMap(source)
  }
}

/** Columns of a table or a form are no columns any more once their line is wrapped. */
const tidy = (words: string) => sanitizeText(words).replace(/ {2,}/g, ' ')

function source({ n, place, quotes }: CitedSource): Element[] {
  const items = quotes.map((quote) => {
    const note = quote.note === 'verified' ? '' : ` (${quote.note})`
    return `${quote.place}${note}: "${tidy(quote.text)}"`
  })
  return [
    { type: 'Text', props: { text: `[${n}] ${sanitizeText(place)}` } },
    { type: 'List', props: { items, bulletChar: '  ' } },
  ]
}

/** Each element by itself: the limits of a spec are then no limits of a report. */
function draw(element: Element, look: RenderOptions): string[] {
  return render({ root: 'piece', elements: { piece: { ...element, children: [] } } }, look).lines
}
