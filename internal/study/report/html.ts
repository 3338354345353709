// Report as one self-contained HTML page: no script, no network, for phones, paper and dark mode.
import { escapeHtml } from '../../base/text/html-escape.ts'
import { replaceCitations } from '../verify/citations.ts'
import { boldPattern } from './markdown-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { type CitedSource, findSourceNumbers, layOutReport, type ReportPiece } from './report-layout.ts'
import { reportStyle } from './style.ts'

export function renderHtml(document: ReportDocument): string {
  const cite = (ids: string[]) => {
    const links = findSourceNumbers(document, ids).map(({ n, verified }) => {
      const note = verified ? '' : '<em> not verified</em>'
      return `<a href="#source-${n}">${n}</a>${note}`
    })
    return `<span class="cite">[${links.join(', ') || 'no source'}]</span>`
  }
  const body = layOutReport(document).map((piece) =>
    draw(piece, (text) => replaceCitations(inline(text), cite)),
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(document.question)}</title>
<style>
${reportStyle.trim()}
</style>
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`
}

/** Escapes a text and removes direction controls and invalid characters. */
function escaped(text: string): string {
  return escapeHtml(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu, ''))
}

function inline(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(boldPattern, '<strong>$1</strong>')
    .replaceAll('[uncited]', '<mark>[uncited]</mark>')
}

function draw(piece: ReportPiece, rich: (text: string) => string): string {
  switch (piece.kind) {
    case 'title':
      return `<h1>${escaped(piece.text)}</h1>`
    case 'section':
      return `<h2>${escaped(piece.text)}</h2>`
    case 'heading':
      return `<h3>${rich(piece.text)}</h3>`
    case 'text':
      return `<p>${rich(piece.text)}</p>`
    case 'quote':
      return `<blockquote>${piece.text
        .split('\n')
        .map((line) => `<p>${rich(line)}</p>`)
        .join('')}</blockquote>`
    case 'warning':
      return `<p class="warning">${escaped(piece.text)}</p>`
    case 'code':
      return `<pre><code>${escaped(piece.text)}</code></pre>`
    case 'list': {
      const tag = piece.ordered ? 'ol' : 'ul'
      return `<${tag}>\n${piece.items.map((item) => `<li>${rich(item)}</li>`).join('\n')}\n</${tag}>`
    }
    case 'facts': {
      const rows = piece.pairs.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`)
      return `<dl>\n${rows.join('\n')}\n</dl>`
    }
    case 'table': {
      const row = (cells: readonly string[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
      const rows = piece.rows.map((cells) => row(cells, 'td')).join('\n')
      const table = `<thead>${row(piece.head, 'th')}</thead>\n<tbody>\n${rows}\n</tbody>`
      return `<div class="wide"><table>\n${table}</table></div>`
    }
    case 'sources':
      return `<ol class="sources">\n${piece.sources.map(source).join('\n')}\n</ol>`
  }
}

const linked = (html: string, link: string | undefined): string =>
  link === undefined ? html : `<a href="${escaped(link)}">${html}</a>`

function source({ n, place, link, about, quotes }: CitedSource): string {
  const lines = quotes.map(
    (quote) =>
      `<li><q>${escaped(quote.text)}</q> <small>${linked(escaped(quote.place), quote.link)} · ` +
      `${quote.claim} · ${escaped(quote.note)}</small></li>`,
  )
  const facts = about === '' ? '' : ` <small>${escaped(about)}</small>`
  const name = linked(`<code>${escaped(place)}</code>`, link)
  return `<li id="source-${n}" value="${n}">${name}${facts}\n<ul>\n${lines.join('\n')}\n</ul></li>`
}
