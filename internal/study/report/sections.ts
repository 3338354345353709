// Sections of a report in Markdown: those that the aggregator writes, and how its text is divided into them.

/** Sections that the aggregator writes. All other sections are made from the log. */
const sectionNames = ['Answer', 'Findings', 'Contradictions', 'Gaps'] as const
export type SectionName = (typeof sectionNames)[number]

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
