// Links from citations such as `[1]` in a report to their quotes.
import { createContext, h } from 'preact'
import { useContext } from 'preact/hooks'

/** Shows the source with this number. */
type OpenSource = (number: number) => void

interface CitedSources {
  /** Numbers of the sources that can be shown. */
  numbers: ReadonlySet<number>
  open: OpenSource
}

/** The sources that text inside a component can cite. Default: no sources, so `[1]` is plain text. */
export const CitedSources = createContext<CitedSources>({ numbers: new Set(), open: () => undefined })

/** Renders text in which a citation `[N]` opens source N, if that source exists. */
export function CitedText({ text, draw }: { text: string; draw(part: string): unknown }) {
  const { numbers, open } = useContext(CitedSources)
  if (numbers.size === 0) return draw(text) as never
  return text.split(/(\[\d{1,4}\])/).map((part) => {
    const number = Number(/^\[(\d+)\]$/.exec(part)?.[1] ?? Number.NaN)
    if (!numbers.has(number)) return part === '' ? null : draw(part)
    const show = () => open(number)
    return h(
      'button',
      { type: 'button', class: 'cite', onClick: show, 'aria-label': `Source ${number}` },
      part,
    )
  }) as never
}

/**
 * Returns the ids of claims by the number of the source that they cite. They are read from the section
 * "Sources" of a Markdown report, a numbered list whose lines contain the ids.
 */
export function readCitedClaims(report: string): Map<number, string[]> {
  const [, section = ''] = /^## Sources\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(report) ?? []
  const claims = new Map<number, string[]>()
  let current: string[] = []
  for (const line of section.split('\n')) {
    const [, number] = /^(\d+)\. /.exec(line) ?? []
    if (number !== undefined) {
      current = []
      claims.set(Number(number), current)
    }
    current.push(...[...line.matchAll(/\) (C\d+(?:\.\d+)*), /g)].map(([, id = '']) => id))
  }
  return claims
}

/**
 * Splits a Markdown report after its sources. `about` contains the sections about the study itself: files
 * that were skipped, its figures, and commands. It is empty if the sources are missing or come last.
 */
export function splitReport(report: string): { result: string; about: string } {
  const sources = report.lastIndexOf('\n## Sources\n')
  const at = sources < 0 ? -1 : report.indexOf('\n## ', sources + 1)
  return at < 0 ? { result: report, about: '' } : { result: report.slice(0, at), about: report.slice(at + 1) }
}

/**
 * Returns the report without its title, sections that only say `None.`, and citations that repeat
 * the previous one.
 */
export function tidyReport(report: string): string {
  return report
    .replace(/^# .*\n+/, '')
    .replace(/^## [^\n]+\n+None\.\n+/gm, '')
    .replace(/(\[\d+\])(?:[ ,]*\1)+/g, '$1')
}
