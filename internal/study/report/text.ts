// A report for the terminal, drawn with the components of `anode render`; no line is wider than the terminal.
import { clean } from '../../render/clean.ts'
import { type Options, render } from '../../render/render.ts'
import { replaceCitations } from '../check/citing.ts'
import { bold } from './blocks.ts'
import type { Document } from './document.ts'
import { type Cited, numbers, type Piece, page } from './page.ts'

interface Element {
  type: string
  props: Record<string, unknown>
}

export function text(document: Document, look: Options): string {
  const cite = (ids: string[]) => {
    const shown = numbers(document, ids).map(({ n, verified }) => (verified ? `${n}` : `${n} not verified`))
    return shown.length > 0 ? `[${shown.join(', ')}]` : '[no source]'
  }
  const rich = (words: string) => replaceCitations(tidy(words).replace(bold, '$1'), cite)
  const drawn = page(document).map((piece) =>
    elements(piece, rich)
      .flatMap((element) => draw(element, look))
      .join('\n'),
  )
  return `${drawn.join('\n\n')}\n`
}

function elements(piece: Piece, rich: (words: string) => string): Element[] {
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
const tidy = (words: string) => clean(words).replace(/ {2,}/g, ' ')

function source({ n, place, quotes }: Cited): Element[] {
  const items = quotes.map((quote) => {
    const note = quote.note === 'verified' ? '' : ` (${quote.note})`
    return `${quote.place}${note}: "${tidy(quote.text)}"`
  })
  return [
    { type: 'Text', props: { text: `[${n}] ${clean(place)}` } },
    { type: 'List', props: { items, bulletChar: '  ' } },
  ]
}

/** Each element by itself: the limits of a spec are then no limits of a report. */
function draw(element: Element, look: Options): string[] {
  return render({ root: 'piece', elements: { piece: { ...element, children: [] } } }, look).lines
}
