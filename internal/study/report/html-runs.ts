// Conversion of styled text in a report to HTML.
import { escapeHtml } from '../../base/text/html-escape.ts'
import { markOf } from './report-layout.ts'
import type { ReportRun } from './text-runs.ts'

/** Returns the text escaped for HTML, without characters that change the text direction or are invalid. */
export function escapeReport(text: string): string {
  return escapeHtml(text.replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\p{Cs}]/gu, ''))
}

/** Returns the HTML of the runs; citations lead to the sources of the page. */
export function writeHtmlRuns(runs: readonly ReportRun[]): string {
  let html = ''
  for (const [i, run] of runs.entries()) {
    const { link } = run
    if (link && runs[i - 1]?.link !== link) html += `<a href="${escapeReport(link.href)}">`
    html += run.cited ? writeCitation(run.cited) : writeRun(run)
    if (link && runs[i + 1]?.link !== link) html += '</a>'
  }
  return html
}

function writeRun({ text, isBold, isItalic, isStruck, isCode, isDoubt }: ReportRun): string {
  const tags = [
    isDoubt ? 'mark' : '',
    isStruck ? 's' : '',
    isBold ? 'strong' : '',
    isItalic ? 'em' : '',
    isCode ? 'code' : '',
  ].filter((tag) => tag !== '')
  const words = escapeReport(text).replaceAll('\n', '<br>')
  return tags.reduceRight((inner, tag) => `<${tag}>${inner}</${tag}>`, words)
}

function writeCitation(cited: NonNullable<ReportRun['cited']>): string {
  const links = cited.map(({ n, state }) => {
    const mark = markOf(state)
    const note = mark === '' ? '' : `<em>${mark}</em>`
    return `<a href="#source-${n}">${n}</a>${note}`
  })
  return `<span class="cite">[${links.join(', ') || 'no source'}]</span>`
}
