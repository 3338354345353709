// Detection of statements that contradict each other about one subject.
import { areEqualValues, isUnitName, leastSimilarity, readSentenceValues } from './sentence-values.ts'
import { extractTerms, foldText, maxSimilarity, setSimilarity } from './terms.ts'

const negation = /\b(?:not|no|never|without|cannot)\b|n['’]t\b/u

/** Returns the terms that say what a statement is about. Numbers are left out, because they are values. */
const subjectTerms = (text: string): string[] => extractTerms(text).filter((term) => !/^\d/.test(term))

/** Share of common words from which on two statements have the same subject. */
const enough = 0.6
/**
 * Share for two sentences of which one is a denial. It is larger, because long sentences deny many things.
 */
const enoughWithDenial = 0.75

/**
 * Returns the pairs of statements, as indices, that share at least 60 % of their terms and for which
 * `contrary` returns true.
 */
function pairsOf(
  statements: readonly string[],
  contrary: (a: number, b: number) => boolean,
): [number, number][] {
  const subjects = statements.map((text) => new Set(subjectTerms(text)))
  return eachPair(statements.length).filter(([i, j]) => {
    const a = subjects[i] as Set<string>
    const b = subjects[j] as Set<string>
    return maxSimilarity(a, b) >= enough && setSimilarity(a, b) >= enough && contrary(i, j)
  })
}

const eachPair = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - i - 1 }, (_, k): [number, number] => [i, i + 1 + k]),
  ).flat()

/** Indices of two statements, and the sentence of each that contradicts the other. */
interface ContradictingPair {
  pair: [number, number]
  sentences: [string, string]
}

/**
 * Returns pairs of statements that contradict each other, each with the first two contradicting sentences.
 * Two sentences about one subject contradict each other if they share a rare term and have different numbers
 * for one unit or key, or if one denies the other.
 */
export function findContradictingSentences(statements: readonly string[]): ContradictingPair[] {
  const read = statements.map(readSentences)
  const rare = rareTerms(read)
  return eachPair(statements.length).flatMap(([i, j]): ContradictingPair[] => {
    for (const a of read[i] as SentenceFacts[]) {
      const b = (read[j] as SentenceFacts[]).find((other) => isContradiction(a, other, rare))
      if (b) return [{ pair: [i, j], sentences: [a.text, b.text] }]
    }
    return []
  })
}

/** Returns the pairs of statements that contradict each other, only as indices. */
export const findContradictoryPairs = (statements: readonly string[]): [number, number][] =>
  findContradictingSentences(statements).map(({ pair }) => pair)

/** A claim of a study, as far as it can contradict another one. */
interface StatedClaim {
  text: string
  /** `supports` or `refutes`, if the claim takes a side. */
  stance: string
}

/**
 * Returns pairs of claims in the order of `claims`. In a pair, one claim denies the other, states other
 * numbers or has the opposite stance.
 */
export function findContradictions<Claim extends StatedClaim>(claims: readonly Claim[]): [Claim, Claim][] {
  const at = (i: number) => claims[i] as Claim
  const texts = claims.map(({ text }) => text)
  const opposed = pairsOf(texts, (i, j) => isOpposed(at(i), at(j)))
  const pairsByKey = new Map(
    [...findContradictoryPairs(texts), ...opposed].map((pair) => [pair.join(' '), pair]),
  )
  return [...pairsByKey.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([i, j]) => [at(i), at(j)])
}

function isOpposed(a: StatedClaim, b: StatedClaim): boolean {
  const stances = [a.stance, b.stance]
  return stances.includes('supports') && stances.includes('refutes')
}

interface SentenceFacts {
  text: string
  /** Terms of the lines that the sentence is indented below, such as the function around a setting. */
  owner: string
  subjects: ReadonlySet<string>
  /** Values in the sentence, by kind, unit or the name of a setting. */
  measures: ReadonlyMap<string, ReadonlySet<string>>
  labels: ReadonlySet<string>
  denies: boolean
  /** Names in the sentence and in the lines that it is indented below, such as a function. */
  names: ReadonlySet<string>
}

/**
 * Matches identifiers, names before a colon or equals sign, words in backticks, and words with a capital
 * inside a sentence.
 */
const name = new RegExp(
  String.raw`\x60[^\x60\n]+\x60|\b[a-z]+(?:[A-Z][a-z0-9]*)+\b|\b\w+_\w+\b|\b[\w\-]+(?=["'\x60]?\s*[:=])|` +
    String.raw`(?<=[\p{L},] )\p{Lu}[\p{L}\p{N}]+`,
  'gu',
)

/**
 * Returns true if both sentences contain names, or labels such as `version 2`, and have none in common. Names
 * with an underscore are also compared alone. Such sentences are about different things.
 */
const namesDiffer = (a: SentenceFacts, b: SentenceFacts): boolean =>
  areApart(a.labels, b.labels) ||
  areApart(a.names, b.names) ||
  areApart(compoundsOf(a.names), compoundsOf(b.names))

const areApart = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size > 0 && b.size > 0 && ![...a].some((one) => b.has(one))

/**
 * Returns the names with an underscore inside. Other names, such as `max`, may be only the key of an argument
 * or a setting.
 */
const compoundsOf = (names: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...names].filter((one) => /\w_\w/.test(one)))

/** Returns the sentences of a statement, each with the lines that it is indented below. */
function readSentences(statement: string): SentenceFacts[] {
  const outer: { indent: number; terms: string; names: readonly string[] }[] = []
  return sentencesOf(statement).map((text) => {
    const indent = text.search(/\S/)
    while ((outer.at(-1)?.indent ?? -1) >= indent) outer.pop()
    const sentence = readSentence(text, outer.map(({ terms }) => terms).join(' > '))
    const names = new Set([...sentence.names, ...outer.flatMap((one) => one.names)])
    outer.push({ indent, terms: [...sentence.subjects].join(' '), names: [...sentence.names] })
    return { ...sentence, names }
  })
}

function readSentence(text: string, owner: string): SentenceFacts {
  const { measures, labels, rest } = readSentenceValues(text)
  return {
    text: text.trim(),
    owner,
    subjects: new Set(subjectTerms(rest)),
    measures,
    labels,
    denies: negation.test(foldText(text)),
    names: new Set((rest.match(name) ?? []).map((one) => foldText(one.replaceAll('`', '')))),
  }
}

/** Returns the terms that occur in few statements, because terms in all of them distinguish nothing. */
function rareTerms(read: readonly (readonly SentenceFacts[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const sentences of read) {
    for (const term of new Set(sentences.flatMap(({ subjects }) => [...subjects])))
      counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const few = Math.max(2, Math.ceil(read.length / 3))
  return new Set([...counts].filter(([, count]) => count <= few).map(([term]) => term))
}

function isContradiction(a: SentenceFacts, b: SentenceFacts, rare: ReadonlySet<string>): boolean {
  if (namesDiffer(a, b)) return false
  const subjectsA = a.subjects
  const subjectsB = b.subjects
  if (subjectsA.size < 2 || subjectsB.size < 2) return sameKeyDiffers(a, b)
  if (maxSimilarity(subjectsA, subjectsB) < leastSimilarity('')) return false
  const sharesRare = [...subjectsA].some((term) => rare.has(term) && subjectsB.has(term))
  const alike = setSimilarity(subjectsA, subjectsB)
  if (sharesRare && valuesDiffer(a, b, Math.max(alike, setSimilarity(withoutUnits(a), withoutUnits(b)))))
    return true
  return alike >= enoughWithDenial && a.denies !== b.denies
}

const withoutUnits = ({ subjects }: SentenceFacts): ReadonlySet<string> =>
  new Set([...subjects].filter((term) => !isUnitName(term)))

/**
 * Returns true if both sentences have the same owner, a common term, and a kind of value of which they have
 * no equal one. This check is for settings and other sentences with fewer than two terms.
 */
const sameKeyDiffers = (a: SentenceFacts, b: SentenceFacts) =>
  a.owner === b.owner && [...a.subjects].some((term) => b.subjects.has(term)) && valuesDiffer(a, b, 1)

/**
 * Returns true if both sentences have values of one kind and none of them is equal, and the sentences are
 * similar enough for that kind.
 */
function valuesDiffer(a: SentenceFacts, b: SentenceFacts, alike: number): boolean {
  return [...a.measures].some(([kind, values]) => {
    const others = b.measures.get(kind)
    if (others === undefined || alike < leastSimilarity(kind)) return false
    return ![...values].some((value) => [...others].some((other) => areEqualValues(kind, value, other)))
  })
}

/** Matches a line of a program, which neither continues a sentence nor is continued by the next line. */
const programLine = new RegExp(
  String.raw`[{};([\]]\s*$|\)\s*:\s*$|^\s*[@}\])]|=>|^\s*[\w.$]+\(.*\)?[;,]?\s*$|` +
    String.raw`^\s*(?:async\s+)?(?:def|class|function|fn|func)\s+\w+|` +
    String.raw`^\s*(?:return|raise|throw)\s+[\w.]+\(?.*\)?;?$`,
)

/**
 * Splits a text into sentences, list items, rows, settings and lines of programs. A wrapped line belongs to
 * the line before it.
 */
function sentencesOf(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    const before = lines.at(-1)
    if (before !== undefined && isContinuation(before, line)) lines[lines.length - 1] = `${before} ${line}`
    else lines.push(line)
  }
  return lines
    .flatMap((line) =>
      programLine.test(line)
        ? [line]
        : line.split(/(?<=[.!?।؟۔]["'”’)\]*_`]*)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/u),
    )
    .filter((one) => one.trim() !== '')
}

/** Returns true if a line of prose continues the sentence of the line before it. */
const isContinuation = (before: string, line: string): boolean =>
  /^\s*[\p{Ll}(]/u.test(line) &&
  !/^\s*[\w.-]+\s*[:=]/.test(line) &&
  !/[.!?]["'”’)\]*_`]*$/.test(before) &&
  !programLine.test(before) &&
  !programLine.test(line)
