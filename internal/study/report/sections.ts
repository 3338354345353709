// Sections of a report: those that the aggregator writes, the claims that it left out, and unchecked answers.
import { quotedClaim } from '../../text-analysis/synthesis.ts'
import type { StudyClaim } from '../log/entries.ts'
import type { StudyState } from '../log/state.ts'
import { findCitedClaims } from '../verify/citations.ts'

/** Sections that the aggregator writes. All other sections are made from the log. */
const sectionNames = ['Answer', 'Findings', 'Contradictions', 'Gaps'] as const
type SectionName = (typeof sectionNames)[number]

const heading = /^#{1,2}\s+(.*?)\s*#*\s*$/

/**
 * Returns the text of a report by section. It is split at headings of the first two levels; text before the
 * first heading is the answer. An unknown heading stays in the section before it, as a heading of the third
 * level. Sections with the same name are joined.
 */
export function sectionsOf(markdown: string): Record<SectionName, string> {
  const parts: Record<SectionName, string[]> = { Answer: [], Findings: [], Contradictions: [], Gaps: [] }
  let current: SectionName = 'Answer'
  let fenced = false
  for (const line of markdown.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    const title = fenced ? undefined : heading.exec(line)?.[1]
    const known = title === undefined ? undefined : named(title)
    if (known) current = known
    else parts[current].push(title === undefined ? line : `### ${title}`)
  }
  return Object.fromEntries(sectionNames.map((name) => [name, parts[name].join('\n').trim()])) as Record<
    SectionName,
    string
  >
}

/** Returns the sections as Markdown, in their fixed order. */
export function joinSections(sections: Readonly<Record<SectionName, string>>): string {
  return sectionNames.map((name) => `## ${name}\n\n${sections[name] || 'None.'}`).join('\n\n')
}

function named(title: string): SectionName | undefined {
  const folded = title
    .replace(/[*_:]/g, '')
    .replace(/^\d+[.)]\s*/, '')
    .trim()
    .toLowerCase()
  return sectionNames.find((name) => name.toLowerCase() === folded)
}

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
