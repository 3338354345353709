// The report as one HTML page that needs neither scripts nor a network. It fits phones, paper and dark mode.
import { readCodeLines } from '../../base/code/code-reader.ts'
import { countNoun } from '../../base/text/count-noun.ts'
import { foldedTitle, isFolded, summarizeQuotes } from './facts.ts'
import { escapeReport as escaped, writeHtmlRuns } from './html-runs.ts'
import type { CodePiece, QuotePiece } from './markdown-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { type CitedSource, layOutReport, type ReportPiece } from './report-layout.ts'
import { reportStyle } from './style.ts'
import { readQuote, readWords } from './text-runs.ts'

interface ReportSection {
  title: string
  pieces: ReportPiece[]
}

export function renderHtml(document: ReportDocument): string {
  const { lead, sections } = splitSections(layOutReport(document), document)
  const drawAll = (pieces: readonly ReportPiece[]) => pieces.map((piece) => drawPiece(piece, document))
  const drawSection = ({ title, pieces }: ReportSection) =>
    ['<section>', `<h2>${escaped(title)}</h2>`, ...drawAll(pieces), '</section>'].join('\n')
  const about = sections.filter(({ title }) => isFolded(title))
  const body = [
    ...['<header>', ...drawAll(lead), drawByline(document), '</header>'],
    ...sections.filter(({ title }) => !isFolded(title)).map(drawSection),
    `<details class="about">\n<summary>${foldedTitle}</summary>`,
    ...about.map(drawSection),
    '</details>',
  ]
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

/**
 * Returns the pieces of the report by section. Sections that are empty or only say `None.`, and headings that
 * repeat the question, are left out.
 */
function splitSections(
  pieces: readonly ReportPiece[],
  { question }: ReportDocument,
): { lead: ReportPiece[]; sections: ReportSection[] } {
  const lead: ReportPiece[] = []
  const sections: ReportSection[] = []
  for (const piece of pieces) {
    if (piece.kind === 'section') sections.push({ title: piece.text, pieces: [] })
    else if (piece.kind !== 'heading' || piece.text !== question)
      (sections.at(-1)?.pieces ?? lead).push(piece)
  }
  const isFilled = ({ pieces: [first, second] }: ReportSection) =>
    second !== undefined || (first !== undefined && !(first.kind === 'text' && first.text === 'None.'))
  return { lead, sections: sections.filter(isFilled) }
}

/** Returns the result, the model, the date and the number of sources on one line. */
function drawByline({ outcome, model, created, sources }: ReportDocument): string {
  const parts = [outcome, model.name, created.slice(0, 10), countNoun(sources.length, 'source')]
  return `<p class="byline">${parts.map((part) => `<span>${escaped(part)}</span>`).join(' · ')}</p>`
}

function drawQuote({ text, markup, keys }: QuotePiece, document: ReportDocument): string {
  const lines = text.split('\n').map((line) => writeHtmlRuns(readWords(document, line, { markup, keys })))
  return `<blockquote>${lines.map((line) => `<p>${line}</p>`).join('')}</blockquote>`
}

function drawPiece(piece: ReportPiece, document: ReportDocument): string {
  const rich = (text: string) => writeHtmlRuns(readWords(document, text))
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
      return drawQuote(piece, document)
    case 'warning':
      return `<p class="warning">${escaped(piece.text)}</p>`
    case 'code':
      return `<pre><code>${drawCode(piece)}</code></pre>`
    case 'list': {
      const tag = piece.ordered ? 'ol' : 'ul'
      return `<${tag}>\n${piece.items.map((item) => `<li>${rich(item)}</li>`).join('\n')}\n</${tag}>`
    }
    case 'facts': {
      const rows = piece.pairs.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`)
      return `<dl>\n${rows.join('\n')}\n</dl>`
    }
    case 'table':
      return drawTable(piece.head, piece.rows)
    case 'sources':
      return `<ol class="sources">\n${piece.sources.map(drawSource).join('\n')}\n</ol>`
  }
}

/** Returns the code as HTML, with an element around each word that has a color. */
const drawCode = ({ text, language }: CodePiece): string =>
  readCodeLines(text, language)
    ?.map((runs) =>
      runs
        .map((run) =>
          run.kind ? `<span class="${run.kind}">${escaped(run.text)}</span>` : escaped(run.text),
        )
        .join(''),
    )
    .join('\n') ?? escaped(text)

function drawTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const row = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`
  const body = rows.map((cells) => row(cells, 'td')).join('\n')
  const parts = `<thead>${row(head, 'th')}</thead>\n<tbody>\n${body}\n</tbody>`
  return `<div class="wide"><table>\n${parts}</table></div>`
}

const addLink = (html: string, link: string | undefined): string =>
  link === undefined ? html : `<a href="${escaped(link)}">${html}</a>`

function drawSource({ n, place, link, about, quotes }: CitedSource): string {
  const lines = quotes.map(
    (quote) =>
      `<li><q>${writeHtmlRuns(readQuote(quote))}</q> <small>${addLink(escaped(quote.place), quote.link)} · ` +
      `${quote.claim} · ${escaped(quote.note)}</small></li>`,
  )
  const facts = about === '' ? '' : ` <small>${escaped(about)}</small>`
  const name = addLink(`<code>${escaped(place)}</code>`, link)
  return (
    `<li id="source-${n}" value="${n}">${name}${facts}\n` +
    `<details><summary>${summarizeQuotes({ quotes })}</summary>\n` +
    `<ul>\n${lines.join('\n')}\n</ul></details></li>`
  )
}
