// A report as Markdown that looks the same in every renderer. Text of other authors cannot become images,
// links or HTML in it.
import { fenceText } from '../../base/text/quoting/code-fence.ts'
import { escapeText, writeCode, writeInline, writeInlineLines } from '../../render/markdown/write-inline.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { StudyState } from '../log/state.ts'
import { documentOf } from './document.ts'
import { foldedTitle, isFolded, summarizeQuotes } from './facts.ts'
import type { ReportDocument } from './report-document.ts'
import {
  type CitedSource,
  joinPlaces,
  layOutReport,
  markOf,
  type ReportExtent,
  type ReportPiece,
} from './report-layout.ts'
import { type ReportRun, readQuote, readWords } from './text-runs.ts'

/** Returns the whole report of a study in this state as Markdown without HTML. */
export const renderStudy = (state: StudyState): string => renderMarkdown(documentOf(state), 'whole', false)

/**
 * Returns the report as Markdown. With `isCollapsed`, quotes of sources and facts about the study are in HTML
 * elements that GitHub shows collapsed. Without it, the report has no HTML, for readers that show HTML as
 * text, such as models and the web page of a session.
 */
export function renderMarkdown(
  document: ReportDocument,
  extent: ReportExtent = 'whole',
  isCollapsed = true,
): string {
  const pieces = layOutReport(document, extent)
  const drawn = pieces.map((piece) => drawPiece(piece, document, isCollapsed))
  if (!isCollapsed) return joinBlocks(drawn)
  const about = pieces.findIndex((piece) => piece.kind === 'section' && isFolded(piece.text))
  const blocks =
    about < 0 ? drawn : [...drawn.slice(0, about), ...foldBlocks(foldedTitle, drawn.slice(about))]
  return joinBlocks(blocks)
}

const joinBlocks = (blocks: readonly string[]): string =>
  `${sanitizeText(blocks.join('\n\n'), { keepLines: true })}\n`

/**
 * Returns Markdown that a page shows collapsed. GitHub reads Markdown inside of HTML only
 * between blank lines.
 */
const foldBlocks = (title: string, blocks: readonly string[]): string[] => [
  `<details>\n<summary>${title}</summary>`,
  ...blocks,
  '</details>',
]

const writeRuns = (runs: readonly ReportRun[]): string => writeInline(runs.map(nameCitation))

function nameCitation(run: ReportRun): ReportRun {
  if (!run.cited || run.cited.length === 0) return run
  const citationMarks = run.cited.map(
    ({ n, state }) => `${n}${state === 'not_found' ? ', not verified' : markOf(state)}`,
  )
  return { ...run, text: `[${citationMarks.join('; ')}]` }
}

function drawPiece(piece: ReportPiece, document: ReportDocument, isCollapsed: boolean): string {
  const rich = (text: string, indent = '') =>
    writeInlineLines(readWords(document, text).map(nameCitation)).join(`\\\n${indent}`)
  switch (piece.kind) {
    case 'title':
      return `# ${flattenText(piece.text)}`
    case 'section':
      return `## ${piece.text}`
    case 'heading':
      return `### ${rich(piece.text)}`
    case 'text':
      return rich(piece.text)
    case 'quote':
      return piece.text
        .split('\n')
        .map((line) => `> ${writeRuns(readWords(document, line, piece))}`)
        .join('\n>\n')
    case 'warning':
      return `> **${flattenText(piece.text)}**`
    case 'list': {
      const item = (text: string, i: number) => {
        const mark = piece.ordered ? `${i + 1}. ` : '- '
        return mark + rich(text, ' '.repeat(mark.length))
      }
      return piece.items.map(item).join('\n')
    }
    case 'facts':
      return piece.pairs.map(([label, value]) => `- ${label}: ${flattenText(value)}`).join('\n')
    case 'code':
      return fenceText(piece.text, piece.language)
    case 'table': {
      const row = (cells: readonly string[]) =>
        `| ${cells.map((cell) => flattenText(cell).replaceAll('|', '\\|')).join(' | ')} |`
      return [row(piece.head), row(piece.head.map(() => '---')), ...piece.rows.map(row)].join('\n')
    }
    case 'sources':
      if (piece.brief) return piece.sources.map(briefSource).join('\n')
      return isCollapsed
        ? piece.sources.map(collapsedSource).join('\n\n')
        : piece.sources.map((source) => openSource(source).join('\n')).join('\n')
  }
}

/** Returns a source as a list item, and its quotes as items of a list in it. */
function openSource({ n, place, link, about, quotes }: CitedSource): [head: string, ...quotes: string[]] {
  const lines = quotes.map(
    (quote) =>
      `   - ${linkText(writeCode(quote.place), quote.link)} ${quote.claim}, ${quote.note}: ` +
      `"${writeRuns(readQuote(quote))}"`,
  )
  const facts = about === '' ? '' : `, ${flattenText(about)}`
  return [`${n}. ${linkText(writeCode(place), link)}${facts}`, ...lines]
}

function collapsedSource(source: CitedSource): string {
  const [head, ...lines] = openSource(source)
  if (lines.length === 0) return head
  // The blocks of a list item are indented to its text, which begins further right from item 10 on.
  const indent = ' '.repeat(`${source.n}. `.length)
  const quotes = lines.map((line) => line.trimStart()).join('\n')
  const folded = foldBlocks(summarizeQuotes(source), [quotes]).join('\n\n')
  return `${head}\n\n${folded.replace(/^(?=.)/gm, indent)}`
}

const briefSource = (source: CitedSource): string =>
  `${source.n}. ${linkText(writeCode(joinPlaces(source)), source.quotes[0]?.link ?? source.link)}`

/**
 * Returns a link in Markdown. Its URL is in angle brackets, inside which only brackets and line ends
 * have a meaning.
 */
const linkText = (text: string, link: string | undefined): string =>
  link === undefined ? text : `[${text}](<${link}>)`

/** Returns text of other authors on one line, with its markup escaped. */
const flattenText = (text: string): string => escapeText(text.replace(/\s+/g, ' ').trim())
