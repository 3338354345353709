// Verdict on a search: whether the quotes answer all parts of the question, some parts, or no part. Each
// unanswered part gets a line that says what is missing.
import type { PassageCoverage } from './coverage.ts'
import { readAskedKind } from './quotation/asked-kind.ts'
import type { PartJudgement } from './quotation/part-judgement.ts'
import { minTogether, tellingWeight } from './rank/parts.ts'
import type { ParsedQuestion } from './words.ts'

/**
 * Smallest share of the words of a part of the question that its best quote has to contain. With less, the
 * quote is unrelated to the part.
 */
const leastShare = 0.2

/** Returns true if no file contains the term, neither in its text nor in its path. */
type IsAbsent = (term: number) => boolean

/**
 * Returns the coverage, which says how much of the question was found, with the verdict and the missing
 * words; `found` has none. Only `partial` can have the parts without an answer (`open`) and lines about what
 * is missing (`gaps`). The verdict in `coverage` says whether a text plainly answers the yes-or-no parts.
 */
export function decideVerdict(
  coverage: PassageCoverage,
  judged: readonly PartJudgement[],
  question: ParsedQuestion,
  isAbsent: IsAbsent,
): PassageCoverage {
  const missing = coverage.missing.filter((word) => isTelling(word, question))
  const tellingCoverage = { ...coverage, missing }
  const answered = judged.filter(({ isAnswered }) => isAnswered)
  const absent = listAbsentNames(question, isAbsent)
  const lost = new Set(absent.map(({ part }) => part))
  const first = judged[0]?.part ?? 0
  // If no file contains the name in one part of the question, the answers to the other parts still count.
  const isLost = judged.every(
    ({ part, isAnswered, share }) => lost.has(part) || (!isAnswered && share < minTogether),
  )
  if ((lost.size > 0 && isLost) || answered.length === 0) {
    const subject = findSubject(question, first)
    const lacksSubject = absent.length > 0 || (subject !== undefined && isAbsent(subject))
    const isApart = coverage.verdict === 'nothing' && judged.every(({ share }) => share < leastShare)
    if (lacksSubject || isApart)
      return {
        ...tellingCoverage,
        missing: inOrder([...absent.map(({ word }) => word), ...missing], question),
        verdict: 'nothing',
      }
  }
  const isUnproven = question.yesNo.size > 0 && coverage.verdict !== 'found'
  if (isUnproven && coverage.verdict === 'nothing') return tellingCoverage
  const nouns = judged.flatMap(({ part }) => findAskedNoun(question, part) ?? [])
  const unknown = nouns.filter(isAbsent).map((term) => question.terms[term]?.word ?? '')
  const gaps = judged.flatMap(({ gap }) => gap ?? [])
  if (gaps.length === 0 && !isUnproven && unknown.length > 0)
    return { ...tellingCoverage, missing: inOrder([...unknown, ...missing], question), verdict: 'partial' }
  if (gaps.length === 0 && !isUnproven) return { ...tellingCoverage, missing: [], verdict: 'found' }
  const open = judged.filter(({ isAnswered }) => !isAnswered).map(({ part }) => question.parts[part] ?? '')
  const words = inOrder([...absent.map(({ word }) => word), ...missing], question)
  return {
    ...tellingCoverage,
    missing: words,
    verdict: 'partial',
    gaps,
    open: open.length > 0 ? open : undefined,
  }
}

/** Returns the indices of the parts of the question with a name that no file contains. */
export const listLostParts = (question: ParsedQuestion, isAbsent: IsAbsent): ReadonlySet<number> =>
  new Set(listAbsentNames(question, isAbsent).map(({ part }) => part))

/** Returns each word once, in the order of the question. */
const inOrder = (words: readonly string[], { terms }: ParsedQuestion): string[] => [
  ...new Set(terms.map(({ word }) => word).filter((word) => words.includes(word))),
]

/**
 * Returns true if the word has enough weight to say something about the subject. Other words are never
 * reported as missing.
 */
const isTelling = (word: string, { terms }: ParsedQuestion): boolean =>
  terms.some((term) => term.word === word && term.weight >= tellingWeight)

/** Returns the names that no file contains. A name of several words exists if all of its words do. */
function listAbsentNames({ terms }: ParsedQuestion, isAbsent: IsAbsent): { word: string; part: number }[] {
  const hasAbsentPiece = (word: string) =>
    terms.some((term, i) => !term.isCompound && word.includes(term.word) && isAbsent(i))
  return terms.filter(
    (term, i) =>
      term.isName && term.weight >= 1 && isAbsent(i) && (!term.isCompound || hasAbsentPiece(term.word)),
  )
}

/** Matches the words before a counted noun: all text up to "how many". */
const countedNoun = /^.*?\bhow many (?=\p{L})/iu

const auxiliary =
  /^.*?\b(?:does|do|did|is|are|was|were|can|could|will|would|should|must|may|might|has|have|had)\b/i

/** Matches a part up to the object of its verb, such as `the order` in "What decides the order …?". */
const leadingVerb =
  /^.*?\b(?:what|who) \p{Ll}+s (?=(?:the|an?|its?|each|every|all|any|how|whether|when|where|which|if)\b)/iu

/**
 * Matches a part up to the end of the noun that names the kind of the answer, such as `file` in "Which
 * file decides …?".
 */
const kindNoun = /^.*?\b(?:which|what) [\p{L}\p{N}_-]+/iu

/**
 * Returns the index of the term that is the subject of a part of the question: the first word with enough
 * weight after "how many", an auxiliary verb, or a verb that follows "what" or "who". Otherwise it skips the
 * noun for the kind of the answer, such as `file` in "which file". Returns undefined without such a word, and
 * for a question that is not in English, because it may search English files.
 */
function findSubject(question: ParsedQuestion, part: number): number | undefined {
  if (question.language !== 'en') return undefined
  const text = question.parts[part] ?? ''
  const before =
    countedNoun.exec(text) ??
    auxiliary.exec(text) ??
    leadingVerb.exec(text) ??
    (readAskedKind(text) === undefined ? null : kindNoun.exec(text))
  return firstTermAfter(question, part, before?.[0].length ?? 0)
}

const askedNoun = /^.*?\b(?:which|what) (?=[\p{L}\p{N}_-]+)/iu

/**
 * Returns the index of the noun after "which" or "what"; undefined without one. Nouns for a kind of value,
 * such as "number", are ignored.
 */
function findAskedNoun(question: ParsedQuestion, part: number): number | undefined {
  const text = question.parts[part] ?? ''
  const from = askedNoun.exec(text)?.[0].length
  if (from === undefined || readAskedKind(text) !== undefined) return undefined
  const term = firstTermAfter(question, part, from)
  const word = question.terms[term ?? -1]?.word
  return word !== undefined && text.startsWith(word, from) ? term : undefined
}

/**
 * Returns the index of the first term with a weight of 1 that begins at or after the position `from` of the
 * part; undefined without one.
 */
function firstTermAfter({ terms, parts }: ParsedQuestion, part: number, from: number): number | undefined {
  const text = parts[part] ?? ''
  let first: number | undefined
  let nearest = Number.POSITIVE_INFINITY
  for (const [i, term] of terms.entries()) {
    if (term.part !== part || term.weight < 1) continue
    const at = text.indexOf(term.word, from)
    if (at < 0 || at >= nearest) continue
    first = i
    nearest = at
  }
  return first
}
