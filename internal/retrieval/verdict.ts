// Verdict on a search: there are quotes for every part, for some parts, or for none. Each gap gets a line.
import type { PassageCoverage } from './coverage.ts'
import { readAskedKind } from './quotation/asked-kind.ts'
import type { PartJudgement } from './quotation/part-judgement.ts'
import { minTogether, tellingWeight } from './rank/parts.ts'
import type { ParsedQuestion } from './words.ts'

/** Share of a part's words below which its best quote counts as saying nothing about the part. */
const leastShare = 0.2

/** Returns true if no file contains the term, neither in its text nor in its path. */
type IsAbsent = (term: number) => boolean

/**
 * Returns the coverage with the verdict, the missing words, the open parts and the gaps, all of which follow
 * from the judgement of each part. For a part that wants a yes or a no, a plain statement is needed too,
 * which `coverage` has checked.
 */
export function decideVerdict(
  coverage: PassageCoverage,
  judged: readonly PartJudgement[],
  question: ParsedQuestion,
  isAbsent: IsAbsent,
): PassageCoverage {
  const missing = coverage.missing.filter((word) => isTelling(word, question))
  const own = { ...coverage, missing }
  const answered = judged.filter(({ isAnswered }) => isAnswered)
  const absent = listAbsentNames(question, isAbsent)
  const lost = new Set(absent.map(({ part }) => part))
  const first = judged[0]?.part ?? 0
  // A part whose name is in no file leaves the answers to the other parts as they are.
  const isLost = judged.every(
    ({ part, isAnswered, share }) => lost.has(part) || (!isAnswered && share < minTogether),
  )
  if ((lost.size > 0 && isLost) || answered.length === 0) {
    const subject = findSubject(question, first)
    const lacksSubject = absent.length > 0 || (subject !== undefined && isAbsent(subject))
    const isApart = coverage.verdict === 'nothing' && judged.every(({ share }) => share < leastShare)
    if (lacksSubject || isApart)
      return {
        ...own,
        missing: inOrder([...absent.map(({ word }) => word), ...missing], question),
        verdict: 'nothing',
      }
  }
  const isUnproven = question.yesNo.size > 0 && coverage.verdict !== 'found'
  if (isUnproven && coverage.verdict === 'nothing') return own
  const nouns = judged.flatMap(({ part }) => findAskedNoun(question, part) ?? [])
  const unknown = nouns.filter(isAbsent).map((term) => question.terms[term]?.word ?? '')
  const gaps = judged.flatMap(({ gap }) => gap ?? [])
  if (gaps.length === 0 && !isUnproven && unknown.length > 0)
    return { ...own, missing: inOrder([...unknown, ...missing], question), verdict: 'partial' }
  if (gaps.length === 0 && !isUnproven) return { ...own, missing: [], verdict: 'found' }
  const open = judged.filter(({ isAnswered }) => !isAnswered).map(({ part }) => question.parts[part] ?? '')
  const words = inOrder([...absent.map(({ word }) => word), ...missing], question)
  return { ...own, missing: words, verdict: 'partial', gaps, open: open.length > 0 ? open : undefined }
}

/** Returns the parts of the question with a name that no file contains. */
export const listLostParts = (question: ParsedQuestion, isAbsent: IsAbsent): ReadonlySet<number> =>
  new Set(listAbsentNames(question, isAbsent).map(({ part }) => part))

/** Returns each word once, in the order of the question. */
const inOrder = (words: readonly string[], { terms }: ParsedQuestion): string[] => [
  ...new Set(terms.map(({ word }) => word).filter((word) => words.includes(word))),
]

/** Returns true if a word says something about the subject. Only such a word can be a gap. */
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

/** Matches a part up to the noun whose number it asks for. */
const countedNoun = /^.*?\bhow many (?=\p{L})/iu

const auxiliary =
  /^.*?\b(?:does|do|did|is|are|was|were|can|could|will|would|should|must|may|might|has|have|had)\b/i

/** Matches a part up to the object of its verb, such as `the order` in "What decides the order …?". */
const leadingVerb =
  /^.*?\b(?:what|who) \p{Ll}+s (?=(?:the|an?|its?|each|every|all|any|how|whether|when|where|which|if)\b)/iu

/**
 * Matches a part up to the noun that names the kind of the answer, such as `file` in "Which file decides …?".
 */
const kindNoun = /^.*?\b(?:which|what) [\p{L}\p{N}_-]+/iu

/**
 * Returns the index of the term that is the subject of a part: its first telling word after "how many", after
 * the auxiliary verb, or after a verb that follows "what" or "who". In a part without any of them, the noun
 * for the kind of the answer is not the subject.
 * Only for English, because a question in another language may search English files.
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
 * Returns the index of the noun after "which" or "what", for which the part asks; undefined without one. A
 * kind of value does not count.
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
 * Returns the index of the first term of full weight in a part that begins at or after the position `from`;
 * undefined without one.
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
