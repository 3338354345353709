// A table as an HTML page and as Markdown, with the quote below each value.
import { countNoun } from '../../../base/text/count-noun.ts'
import { describeMissingRow } from '../../../session/board/study-words.ts'
import { escapeReport as escaped } from '../html-runs.ts'
import { reportStyle } from '../style.ts'
import { isFilled, type StudyTable, type StudyTableRow } from './study-table.ts'

/** Returns the counts of a table as one sentence. */
export function describeTable({ counts }: StudyTable): string {
  const { documents, unread, cells, filled, quoted, not_found: notFound } = counts
  const parts = [`${filled} of ${countNoun(cells, 'cell')} filled`]
  if (quoted > 0) parts.push(`${quoted} of them in other words than the quote`)
  if (notFound > 0) parts.push(`${notFound} empty because the quote does not hold`)
  if (unread > 0) parts.push(`${countNoun(unread, 'document')} not read`)
  return `${countNoun(documents, 'document')}: ${parts.join(', ')}.`
}

const pageStyle = `
main { max-width: 90rem; }
td small { display: block; }
td q { font-style: normal; }
`

/** Returns the table as one page without scripts. */
export function renderTableHtml(table: StudyTable): string {
  const { id, question, columns, rows, summary, model, created } = table
  const heads = ['document', ...columns.map(({ name }) => name)]
  const body = rows.map((row) => `<tr>${writeHtmlRow(row, columns.length)}</tr>`).join('\n')
  const lines = summary === null ? [] : writeHtmlSummary(summary, model)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${escaped(question)}</title>
<style>
${reportStyle.trim()}
${pageStyle.trim()}
</style>
</head>
<body>
<main>
<header>
<h1>${escaped(question)}</h1>
<p class="byline">${escaped(describeTable(table))}</p>
</header>
${lines.join('\n')}
<div class="wide"><table>
<thead><tr>${heads.map((head) => `<th>${escaped(head)}</th>`).join('')}</tr></thead>
<tbody>
${body}
</tbody>
</table></div>
<details class="about">
<summary>About this study</summary>
<dl>
<dt>Study</dt><dd>${id}</dd>
<dt>Model</dt><dd>${escaped(model)}</dd>
<dt>Date</dt><dd>${created.slice(0, 10)}</dd>
</dl>
</details>
</main>
</body>
</html>
`
}

function writeHtmlSummary(summary: string, model: string): string[] {
  const items = summary.split('\n').map((line) => `<li>${escaped(line.replace(/^\s*[-*]\s+/, ''))}</li>`)
  return [`<h2>Summary by ${escaped(model)}</h2>`, '<ul>', ...items, '</ul>']
}

function writeHtmlRow({ document, cells, why }: StudyTableRow, columns: number): string {
  const first = `<th scope="row">${escaped(document)}</th>`
  if (why !== null) {
    const words = escaped(describeMissingRow(why))
    return `${first}<td colspan="${columns}"><small>${words}</small></td>`
  }
  const rest = cells.map((cell) => {
    if (cell === null || cell.state === 'not_found') return '<td></td>'
    const note = cell.state === 'quoted' ? ' · in other words' : ''
    const value = cell.value === cell.quote ? '' : escaped(cell.value)
    const quote = `<q>${escaped(cell.quote)}</q> ${escaped(cell.place)}${note}`
    return `<td>${value}<small>${quote}</small></td>`
  })
  return first + rest.join('')
}

/** Returns the table as Markdown. */
export function renderTableMarkdown(table: StudyTable): string {
  const { id, question, columns, rows, summary, model } = table
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const heads = ['document', ...columns.map(({ name }) => name)]
  const body = rows.map(({ document, cells, why }) =>
    line([
      writeMarkdownText(document),
      ...cells.map((cell, i) => {
        if (why !== null) return i === 0 ? `*${writeMarkdownText(describeMissingRow(why))}*` : ''
        if (cell === null || cell.state === 'not_found') return ''
        const isOwn = isFilled(cell) && cell.value !== cell.quote
        const value = isOwn ? `${writeMarkdownText(cell.value)}<br>` : ''
        return `${value}“${writeMarkdownText(cell.quote)}” ${writeMarkdownText(cell.place)}`
      }),
    ]),
  )
  return [
    `# ${writeMarkdownText(question)}`,
    ...(summary === null ? [] : [`## Summary by ${writeMarkdownText(model)}`, summary]),
    [line(heads.map(writeMarkdownText)), line(heads.map(() => '---')), ...body].join('\n'),
    describeTable(table),
    `- Study: ${id}\n`,
  ].join('\n\n')
}

/** Returns text of a document on one line, with its Markdown escaped. */
const writeMarkdownText = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>|#~&]/g, (sign) => (sign === '<' ? '&lt;' : sign === '&' ? '&amp;' : `\\${sign}`))
