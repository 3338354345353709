// Text of a report split into runs of one style: bold, code, or plain. All other marks stay as text.
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { replaceCitations } from '../verify/citations.ts'
import { boldPattern } from './markdown-blocks.ts'
import type { ReportDocument } from './report-document.ts'
import { findSourceNumbers } from './report-layout.ts'

interface ReportRun {
  style: 'plain' | 'bold' | 'code'
  text: string
}

const marks = new RegExp(`\`([^\`]+)\`|${boldPattern.source}`, 'g')

export function splitTextRuns(words: string): ReportRun[] {
  const runs: ReportRun[] = []
  let last = 0
  const plain = (end: number) => {
    if (end > last) runs.push({ style: 'plain', text: words.slice(last, end) })
  }
  for (const match of words.matchAll(marks)) {
    const [whole, code, bold] = match
    plain(match.index)
    runs.push(
      code === undefined
        ? { style: 'bold', text: (bold as string).replaceAll('`', '') }
        : { style: 'code', text: code },
    )
    last = match.index + whole.length
  }
  plain(words.length)
  return runs
}

/** Folds spaces, because the columns of a table or form are lost when the line wraps. */
export const foldSpaces = (words: string): string => sanitizeText(words).replace(/ {2,}/g, ' ')

/** Returns text for paper and screen: on one line, sanitized, with `[C1.1]` as the number of its source. */
export function citeInWords(document: ReportDocument, words: string): string {
  return replaceCitations(foldSpaces(words), (ids) => {
    const shown = findSourceNumbers(document, ids).map(({ n, verified }) =>
      verified ? `${n}` : `${n} not verified`,
    )
    return shown.length > 0 ? `[${shown.join(', ')}]` : '[no source]'
  })
}
