// A report composed by rule: claims arranged in sections, each with its id.
import { findContradictoryPairs } from './contradictions.ts'

/** A finding as the aggregator gets it. */
export interface SynthesisFinding {
  id: string
  task: string
  text: string
  /** Words of the source that say it. */
  quote: string
  verified?: boolean
}

/** What a report is composed from; a request with purpose `synthesise` carries it as `meta.input`. */
export interface SynthesiseInput {
  question: string
  tasks: readonly { id: string; objective: string; gaps?: readonly string[] }[]
  claims: readonly SynthesisFinding[]
}

/** A claim with its id: only words of the source stand in quotation marks. */
export function quotedClaim({ id, text, quote }: Pick<SynthesisFinding, 'id' | 'text' | 'quote'>): string {
  const [statement, quoted] = [oneLine(text), oneLine(quote)]
  if (quoted === '') return `${statement} [${id}]`
  return statement === quoted ? `"${quoted}" [${id}]` : `${statement} "${quoted}" [${id}]`
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const line = (claim: SynthesisFinding) => `- ${quotedClaim(claim)}`

/**
 * Markdown with the sections Answer, Findings, Contradictions and Gaps. Only frame words are the model's own.
 */
export function composeReport({ tasks, claims }: SynthesiseInput): string {
  const groups = [...tasks]
  for (const claim of claims) {
    if (!groups.some((task) => task.id === claim.task)) groups.push({ id: claim.task, objective: claim.task })
  }
  const own = (id: string) => claims.filter((claim) => claim.task === id)
  const best = groups.flatMap((task) => own(task.id).slice(0, 1))
  const findings = groups.flatMap((task) => {
    const lines = own(task.id).map(line)
    return lines.length > 0 ? ['', `### ${task.objective || task.id}`, '', ...lines] : []
  })
  const pairs = findContradictoryPairs(claims.map((claim) => claim.text)).map(([a, b]) => {
    const [left, right] = [claims[a] as SynthesisFinding, claims[b] as SynthesisFinding]
    return `- ${quotedClaim(left)} against ${quotedClaim(right)}`
  })
  const gaps = tasks.flatMap((task) => (task.gaps ?? []).map((gap) => `- ${gap}`))
  const section = (title: string, lines: readonly string[]) => [
    `## ${title}`,
    '',
    ...(lines.length > 0 ? lines : ['None.']),
    '',
  ]
  return [
    ...section('Answer', best.map(line)),
    ...section('Findings', findings.slice(1)),
    ...section('Contradictions', pairs),
    ...section('Gaps', gaps),
  ]
    .join('\n')
    .trimEnd()
}
