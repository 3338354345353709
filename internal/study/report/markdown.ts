// A report as Markdown that shows the same wherever it is rendered: foreign text cannot become images, links
// or HTML.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { replaceCitations } from '../verify/citations.ts'
import type { ReportDocument } from './report-document.ts'
import {
  type CitedSource,
  findSourceNumbers,
  joinPlaces,
  layOutReport,
  type ReportExtent,
  type ReportPiece,
} from './report-layout.ts'

export function renderMarkdown(document: ReportDocument, extent?: ReportExtent): string {
  const cite = (ids: string[]) => {
    const shown = findSourceNumbers(document, ids).map(({ n, verified }) =>
      verified ? `${n}` : `${n}, not verified`,
    )
    return shown.length > 0 ? `[${shown.join('; ')}]` : '[no source]'
  }
  const pieces = layOutReport(document, extent).map((piece) =>
    draw(piece, (text) => replaceCitations(harmless(text), cite)),
  )
  return `${sanitizeText(pieces.join('\n\n'), { keepLines: true })}\n`
}

function draw(piece: ReportPiece, rich: (text: string) => string): string {
  switch (piece.kind) {
    case 'title':
      return `# ${flat(piece.text)}`
    case 'section':
      return `## ${piece.text}`
    case 'heading':
      return `### ${rich(piece.text)}`
    case 'text':
      return rich(piece.text)
    case 'quote':
      return piece.text
        .split('\n')
        .map((line) => `> ${rich(line)}`)
        .join('\n>\n')
    case 'warning':
      return `> **${flat(piece.text)}**`
    case 'list':
      return piece.items.map((item, i) => `${piece.ordered ? `${i + 1}.` : '-'} ${rich(item)}`).join('\n')
    case 'facts':
      return piece.pairs.map(([label, value]) => `- ${label}: ${flat(value)}`).join('\n')
    case 'code':
      return fenced(piece.text)
    case 'table': {
      const row = (cells: readonly string[]) =>
        `| ${cells.map((cell) => flat(cell).replaceAll('|', '\\|')).join(' | ')} |`
      return [row(piece.head), row(piece.head.map(() => '---')), ...piece.rows.map(row)].join('\n')
    }
    case 'sources':
      return piece.sources.map(piece.brief ? briefSource : source).join('\n')
  }
}

function source({ n, place, link, about, quotes }: CitedSource): string {
  const lines = quotes.map(
    (quote) =>
      `   - ${linked(code(quote.place), quote.link)} ${quote.claim}, ${quote.note}: "${flat(quote.text)}"`,
  )
  const facts = about === '' ? '' : `, ${flat(about)}`
  return [`${n}. ${linked(code(place), link)}${facts}`, ...lines].join('\n')
}

const briefSource = (source: CitedSource): string =>
  `${source.n}. ${linked(code(joinPlaces(source)), source.quotes[0]?.link ?? source.link)}`

/** The address in pointed brackets, where only these and line ends have a meaning. */
const linked = (text: string, link: string | undefined): string =>
  link === undefined ? text : `[${text}](<${link}>)`

/** One line of foreign text. */
const flat = (text: string): string => harmless(text.replace(/\s+/g, ' ').trim())

/** Keeps words as they are and takes the meaning from what would load, link or be HTML. */
function harmless(text: string): string {
  return text
    .replace(/!\[/g, '!\\[')
    .replace(/\]\(/g, ']\\(')
    .replace(/<(?=[a-z/!?])/gi, '\\<')
}

/** A code span around text that may hold backticks. */
function code(text: string): string {
  const one = text.replace(/\s+/g, ' ')
  const ticks = '`'.repeat(longest(one) + 1)
  return ticks.length === 1 ? `\`${one}\`` : `${ticks} ${one} ${ticks}`
}

function fenced(text: string): string {
  const ticks = '`'.repeat(Math.max(3, longest(text) + 1))
  return `${ticks}\n${text}\n${ticks}`
}

const longest = (text: string) => Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
