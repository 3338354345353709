// Division of a question into facets, which are parts on which workers can work separately.
import { once } from '../base/once.ts'
import { extractTerms, termSimilarity } from './terms.ts'

interface QuestionFacet {
  objective: string
  terms: string[]
}

interface TermCorpus {
  /** Number of files that contain each term. A term that is missing here is unknown and comes last. */
  frequency: Readonly<Record<string, number>>
}

const cuts = once(
  () =>
    new RegExp(
      [
        /[?？؟]+|[;；]/,
        /(?:^|\s)\(?\d{1,2}[.)](?=\s)/,
        /,\s+and\s/,
        /\s+and\s+(?=(?:what|how|why|when|which|who)\s)/,
        // After a comma, "which", "when" and "who" usually begin a relative clause and not another question.
        /,\s+(?=(?:what|how|why|where)\s)/,
        /\s+(?:vs\.?|versus)\s/,
      ]
        .map(({ source }) => source)
        .join('|'),
      'giu',
    ),
)

/** Returns the parts of a question that contain a term, word for word. Quoted text is never divided. */
export function splitQuestion(question: string): string[] {
  const masked = question.replace(/"[^"]*"|“[^”]*”|`[^`]*`/g, (quote) => '\uE000'.repeat(quote.length))
  const out: string[] = []
  let from = 0
  const push = (to: number) =>
    out.push(question.slice(from, to).replace(/^[\s,:.，、。-]+|[\s,:.，、。]+$/g, ''))
  for (const separator of masked.matchAll(cuts())) {
    push(separator.index)
    from = separator.index + separator[0].length
  }
  push(question.length)
  return out.filter((part) => extractTerms(part).length > 0)
}

/**
 * Returns the facets of a question for at most `workers` workers. If the question has more parts than
 * workers, all parts stay, and the planner reports those that are not run. For several workers, a question of
 * one part with four or more terms is divided by its rarest terms. Similar facets are merged.
 */
export function cutFacets(question: string, workers: number, corpus?: TermCorpus): QuestionFacet[] {
  const pieces = splitQuestion(question)
  const only = pieces.length === 1 ? extractTerms(pieces[0] as string) : []
  const dealt =
    only.length >= 4 && workers > 1
      ? groupTerms(only, workers, corpus)
      : pieces.map((objective) => ({ objective, terms: extractTerms(objective) }))
  return mergeAlike(dealt)
}

/**
 * Groups terms into facets. Each of the rarest terms begins a facet, and every other term joins the one whose
 * first term is nearest in the question.
 */
function groupTerms(
  all: readonly string[],
  workers: number,
  corpus: TermCorpus | undefined,
): QuestionFacet[] {
  const frequencies = corpus?.frequency ?? {}
  // A term that no file contains would begin a facet without results, so it counts as the most frequent one.
  const rarity = (term: string) => frequencies[term] || Number.POSITIVE_INFINITY
  const heads = all
    .map((term, at) => ({ term, at }))
    .sort((a, b) => compareNumbers(rarity(a.term), rarity(b.term)) || a.at - b.at)
    .slice(0, workers)
    .sort((a, b) => a.at - b.at)
  const groups = heads.map(({ term }) => [term])
  for (const [at, term] of all.entries()) {
    if (heads.some((head) => head.at === at)) continue
    let best = 0
    for (const [i, head] of heads.entries()) {
      if (Math.abs(head.at - at) < Math.abs((heads[best]?.at ?? 0) - at)) best = i
    }
    groups[best]?.push(term)
  }
  return groups.map((group) => ({ objective: group.join(' '), terms: group }))
}

const compareNumbers = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)

/** Merges facets whose terms overlap by more than 0.6 (Jaccard index). */
function mergeAlike(list: readonly QuestionFacet[]): QuestionFacet[] {
  const out: QuestionFacet[] = []
  for (const facet of list) {
    const like = out.find((other) => termSimilarity(other.terms, facet.terms) > 0.6)
    if (!like) {
      out.push({ ...facet })
      continue
    }
    like.objective =
      like.objective === facet.objective ? like.objective : `${like.objective}; ${facet.objective}`
    like.terms = [...new Set([...like.terms, ...facet.terms])]
  }
  return out
}
