// Parts of a report that HTML and Markdown collapse at first: facts about the study, and quotes of a source.
import { countNoun } from '../../base/text/count-noun.ts'
import type { CitedSource } from './report-layout.ts'

/** Title of the collapsed sections. */
export const foldedTitle = 'About this study'

/** Returns true for the title of a section about the study itself. A report ends with these sections. */
export const isFolded = (title: string): boolean =>
  ['Skipped', 'Study', 'Failed and not run', 'Budget', 'Reproduce'].includes(title)

/** Returns `2 quotes, found` or `3 quotes, 1 not verified`. */
export function summarizeQuotes({ quotes }: Pick<CitedSource, 'quotes'>): string {
  const doubts = quotes.filter(({ note }) => /^not verified/.test(note)).length
  return countNoun(quotes.length, 'quote') + (doubts > 0 ? `, ${doubts} not verified` : ', found')
}
