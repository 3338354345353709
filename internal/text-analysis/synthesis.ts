// Report that rules write from claims: sections with claims, each with its id.
import { findContradictingSentences } from './contradictions.ts'
import { splitQuestion } from './facets.ts'
import { extractTerms, findTerms } from './terms.ts'

/** A claim with the data that a report needs. */
export interface SynthesisFinding {
  id: string
  task: string
  text: string
  /** Exact text of the source. */
  quote: string
  verified?: boolean
}

/** Input from which a report is written. A request with the purpose `synthesise` has it as `meta.input`. */
export interface SynthesiseInput {
  question: string
  tasks: readonly { id: string; objective: string; gaps?: readonly string[] }[]
  claims: readonly SynthesisFinding[]
}

/**
 * Returns a claim with its quote and id. The claim is in quote marks only if it has the words of its quote;
 * comment marks, emphasis and white space may differ.
 */
export function quotedClaim({ id, text, quote }: Pick<SynthesisFinding, 'id' | 'text' | 'quote'>): string {
  const statement = oneLine(text)
  const quoted = oneLine(quote)
  if (quoted === '') return `${statement} [${id}]`
  return isQuotation(text, quote) ? `"${statement}" [${id}]` : `${statement} "${quoted}" [${id}]`
}

/** Returns true if a claim consists only of words of its quote. Comment marks and emphasis are ignored. */
export function isQuotation(text: string, quote: string): boolean {
  const letters = (part: string) => part.replace(/[^\p{L}\p{N}]+/gu, '')
  const quoted = letters(quote)
  return text.split('\n').every((line) => quoted.includes(letters(line)))
}

/**
 * Returns the claim as a quote of only that sentence of its quote that matters. A claim in other words than
 * its quote is returned whole.
 */
function quoteSentence(claim: SynthesisFinding, sentence: string): string {
  const isPart = claim.quote !== '' && isQuotation(claim.text, claim.quote)
  return isPart ? `"${oneLine(sentence)}" [${claim.id}]` : quotedClaim(claim)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const formatClaim = (claim: SynthesisFinding) => `- ${quotedClaim(claim)}`

interface ClaimGroup {
  title: string
  claims: SynthesisFinding[]
}

/** Groups the claims by task. The claims of a single task are grouped by the parts of the question. */
function groupClaims({ question, tasks, claims }: SynthesiseInput): ClaimGroup[] {
  const parts = splitQuestion(question)
  const [only] = tasks
  if (only && tasks.length === 1 && parts.length > 1 && claims.every(({ task }) => task === only.id)) {
    const terms = parts.map(extractTerms)
    const partOf = ({ text, quote }: SynthesisFinding) => {
      const shares = terms.map(
        (partTerms) => findTerms(`${text} ${quote}`, partTerms).length / Math.max(1, partTerms.length),
      )
      return shares.indexOf(Math.max(...shares))
    }
    return parts.map((title, part) => ({ title, claims: claims.filter((claim) => partOf(claim) === part) }))
  }
  const objectives = new Map(tasks.map(({ id, objective }) => [id, objective]))
  for (const { task } of claims) if (!objectives.has(task)) objectives.set(task, task)
  return [...objectives].map(([id, objective]) => ({
    title: objective || id,
    claims: claims.filter(({ task }) => task === id),
  }))
}

/**
 * Returns Markdown with the sections Answer, Findings, Contradictions and Gaps. Only the words between the
 * claims are generated. The answer contains the first claim of each group, the findings contain all others.
 */
export function composeReport(input: SynthesiseInput): string {
  const { tasks, claims } = input
  const groups = groupClaims(input)
  const best = groups.flatMap((group) => group.claims.slice(0, 1))
  const findings = groups.flatMap((group) => {
    const lines = group.claims.slice(1).map(formatClaim)
    return lines.length > 0 ? ['', `### ${group.title}`, '', ...lines] : []
  })
  const statements = claims.map((claim) => claim.quote || claim.text)
  const pairs = findContradictingSentences(statements).map(({ pair, sentences }) => {
    const [left, right] = pair.map((at, i) =>
      quoteSentence(claims[at] as SynthesisFinding, sentences[i] as string),
    )
    return `- ${left} against ${right}`
  })
  const gaps = tasks.flatMap((task) => (task.gaps ?? []).map((gap) => `- ${gap}`))
  const section = (title: string, lines: readonly string[]) => [
    `## ${title}`,
    '',
    ...(lines.length > 0 ? lines : ['None.']),
    '',
  ]
  return [
    ...section('Answer', best.map(formatClaim)),
    ...section('Findings', findings.slice(1)),
    ...section('Contradictions', pairs),
    ...section('Gaps', gaps),
  ]
    .join('\n')
    .trimEnd()
}
