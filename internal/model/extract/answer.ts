// Answers of builtin/extract: quotations with their places inside fixed sentences, or a study's closing JSON.

import { findContradictoryPairs } from '../../text-analysis/contradictions.ts'
import type { FacetClaims, QuotedPassage } from './claims.ts'
import type { ExtractProgress } from './search-steps.ts'

/** What the model is, in one phrase, wherever it speaks. */
export const extractNote = 'deterministic extraction, not a language model'

const place = (quote: QuotedPassage) =>
  `${quote.path}:${quote.from === quote.to ? quote.from : `${quote.from}-${quote.to}`}`

/** A part of the question with what was found for it. */
interface Part {
  objective: string
  terms: readonly string[]
  claims: FacetClaims
}

/** The answer of an ordinary run, part by part. */
export function plainAnswer(parts: readonly Part[], progress: ExtractProgress): string {
  const searched = [...new Set(parts.flatMap((part) => part.terms))]
  if (searched.length === 0) {
    return (
      `builtin/extract (${extractNote}) searches for the words of a question, ` +
      'and this message has none it can search for.'
    )
  }
  const lines = [`builtin/extract (${extractNote}) searched for: ${searched.join(', ')}.`]
  const taken: QuotedPassage[] = []
  for (const { objective, claims } of parts) {
    const fresh = claims.taken.filter((quote) => !taken.some((other) => other.text === quote.text))
    if (parts.length > 1 && fresh.length > 0) lines.push('', `${objective}:`)
    for (const quote of fresh) lines.push('', `> ${quote.text}`, place(quote))
    taken.push(...fresh)
  }
  if (taken.length === 0) lines.push('', 'Nothing that could be quoted was found.')
  for (const [a, b] of findContradictoryPairs(taken.map((quote) => quote.text))) {
    lines.push(
      '',
      `Possible contradiction: ${place(taken[a] as QuotedPassage)} and ${place(taken[b] as QuotedPassage)}.`,
    )
  }
  const open = parts.filter(({ claims }) => !claims.answered).map(({ objective }) => objective)
  if (open.length > 0) lines.push('', `No quotation holds half of the words of: ${open.join('; ')}.`)
  const { nowhere, unsearched } = missing(progress, searched)
  if (nowhere.length > 0) lines.push('', `Found nowhere: ${nowhere.join(', ')}.`)
  if (unsearched.length > 0) lines.push('', `Not searched to the end: ${unsearched.join(', ')}.`)
  return lines.join('\n')
}

/** The closing reply of a study's task (study.md 5.3). */
export function closingReply(
  objective: string,
  terms: readonly string[],
  claims: FacetClaims,
  progress: ExtractProgress,
): Record<string, unknown> {
  return {
    claims: claims.taken.map((quote) => {
      const evidence = evidenceOf(quote, progress)
      return {
        text: quote.text,
        ...(evidence === undefined ? {} : { evidence }),
        quote: quote.text,
        stance: 'supports',
        confidence: Math.round((quote.terms.length / terms.length) * 100) / 100,
      }
    }),
    gaps: gaps(terms, claims, progress, objective),
  }
}

/** What stays open: the facet when no quotation holds half of its terms, and terms that are nowhere. */
function gaps(
  terms: readonly string[],
  claims: FacetClaims,
  progress: ExtractProgress,
  objective: string,
): string[] {
  const { nowhere, unsearched } = missing(progress, terms)
  return [
    ...(claims.answered ? [] : [objective]),
    ...(nowhere.length > 0 ? [`found nowhere: ${nowhere.join(', ')}`] : []),
    ...(unsearched.length > 0 ? [`not searched to the end: ${unsearched.join(', ')}`] : []),
  ]
}

/** Terms without a hit: only a search that got to its end says that one is nowhere. */
function missing({ seen, weight }: ExtractProgress, terms: readonly string[]) {
  const none = weight.missing.filter((term) => terms.includes(term))
  return {
    nowhere: none.filter((term) => !seen.unsearched.has(term)),
    unsearched: terms.filter((term) => seen.unsearched.has(term)),
  }
}

/** The id under which a study filed the passage that holds the quotation. */
function evidenceOf(quote: QuotedPassage, { seen }: ExtractProgress): string | undefined {
  const passage = seen.passages.find(
    ({ path, line, lines }) => path === quote.path && line <= quote.from && quote.to < line + lines.length,
  )
  const filed = passage?.evidence ?? []
  return (filed.find(({ path }) => path === quote.path) ?? filed.find(({ path }) => path === undefined))?.id
}
