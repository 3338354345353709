// Sections of a report: the text of the aggregator, the claims that it left out, and unchecked answers.
import { quotedClaim } from '../../text-analysis/synthesis.ts'
import type { StudyClaim } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import { findCitedClaims } from '../verify/citations.ts'
import { type SectionName, sectionsOf } from './sections.ts'

export type ReportSections = Record<Lowercase<SectionName>, string>

/** Composes the sections from the aggregator's text, every claim that it left out, and unchecked answers. */
export function composeSections(
  markdown: string,
  claims: readonly StudyClaim[],
  { prose }: Pick<StudyState, 'prose'>,
): ReportSections {
  const { Answer, Findings, Contradictions, Gaps } = sectionsOf(markdown)
  const named = new Set(findCitedClaims(`${Answer}\n${Findings}\n${Contradictions}`))
  const left = claims.filter(({ id }) => !named.has(id)).map((claim) => `- ${quotedClaim(claim)}`)
  const more = left.length > 0 ? ['### Further claims', left.join('\n')] : []
  const known = Findings === '' || Findings === 'None.' ? [] : [Findings]
  return {
    answer: [...(claims.length > 0 || prose.size === 0 ? [Answer] : []), ...quoteProse(prose)].join('\n\n'),
    findings: [...known, ...more].join('\n\n'),
    contradictions: Contradictions === 'None.' ? '' : Contradictions,
    gaps: Gaps === 'None.' ? '' : Gaps,
  }
}

/** Returns prose of the model as quotes, with a notice why it is not checked. */
const quoteProse = (prose: StudyState['prose']): string[] =>
  [...prose.values()].map(({ task, text, tries }) => {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    return (
      `Unverified: the model answered ${task} in prose instead of JSON (${tries} tries), ` +
      `without any source.\n\n${lines.map((line) => `> ${line}`).join('\n')}`
    )
  })
