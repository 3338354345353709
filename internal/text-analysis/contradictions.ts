// When two statements about the same thing say something else.
import { once } from '../base/once.ts'
import { extractTerms, foldText, maxSimilarity, setSimilarity } from './terms.ts'

const negation = /\b(?:not|no|never|without|cannot)\b|n['’]t\b/u

/** The words a statement is about: its terms without numbers, which are what it says about them. */
const subjectTerms = (text: string): string[] => extractTerms(text).filter((term) => !/^\d/.test(term))

/** Share of words from which two statements are about the same thing. */
const enough = 0.6
/** The same for two sentences that give a number of one unit about one rare thing. */
const enoughWithNumber = 0.3
/** The same for two sentences of which one denies: long ones deny many things. */
const enoughWithDenial = 0.75

/** Pairs of indices of statements that share at least 60 % of their terms and of which `contrary` holds. */
export function pairsOf(
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

/** Two statements by their indices, and the sentence of each that the other does not bear. */
interface Contradiction {
  pair: [number, number]
  sentences: [string, string]
}

/**
 * Statements of which a sentence each is about the same thing and differs: both give a number of the same
 * unit or key about a rare thing and not the same one, or one denies what the other says.
 */
export function findContradictingSentences(statements: readonly string[]): Contradiction[] {
  const read = statements.map((text) => sentencesOf(text).map(readSentence))
  const rare = rareTerms(read)
  return eachPair(statements.length).flatMap(([i, j]): Contradiction[] => {
    for (const a of read[i] as Sentence[]) {
      const b = (read[j] as Sentence[]).find((other) => contradicts(a, other, rare))
      if (b) return [{ pair: [i, j], sentences: [a.text, b.text] }]
    }
    return []
  })
}

/** The same as pairs of indices alone. */
export const findContradictoryPairs = (statements: readonly string[]): [number, number][] =>
  findContradictingSentences(statements).map(({ pair }) => pair)

interface Sentence {
  text: string
  subjects: ReadonlySet<string>
  /** Numbers by their unit, or by the name that they are given to. */
  measures: ReadonlyMap<string, ReadonlySet<string>>
  denies: boolean
}

function readSentence(text: string): Sentence {
  return {
    text: text.trim(),
    subjects: new Set(subjectTerms(text)),
    measures: measuresOf(text),
    denies: negation.test(foldText(text)),
  }
}

/** Terms that few of the statements hold: what all of them speak of tells none apart. */
function rareTerms(read: readonly (readonly Sentence[])[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  for (const sentences of read) {
    for (const term of new Set(sentences.flatMap(({ subjects }) => [...subjects])))
      counts.set(term, (counts.get(term) ?? 0) + 1)
  }
  const few = Math.max(2, Math.ceil(read.length / 3))
  return new Set([...counts].filter(([, count]) => count <= few).map(([term]) => term))
}

function contradicts(a: Sentence, b: Sentence, rare: ReadonlySet<string>): boolean {
  const subjectsA = a.subjects
  const subjectsB = b.subjects
  if (subjectsA.size < 2 || subjectsB.size < 2) return sameKeyDiffers(a, b)
  if (maxSimilarity(subjectsA, subjectsB) < enoughWithNumber) return false
  const alike = setSimilarity(subjectsA, subjectsB)
  if (alike < enoughWithNumber) return false
  const sharesRare = [...subjectsA].some((term) => rare.has(term) && subjectsB.has(term))
  if (sharesRare && numbersDiffer(a, b)) return true
  return alike >= enoughWithDenial && a.denies !== b.denies
}

/** Two settings of one name, without any other word. */
const sameKeyDiffers = (a: Sentence, b: Sentence) =>
  [...a.subjects].some((term) => b.subjects.has(term)) && numbersDiffer(a, b)

/** Of a unit that both have, no value is the same. */
function numbersDiffer(a: Sentence, b: Sentence): boolean {
  return [...a.measures].some(([unit, values]) => {
    const others = b.measures.get(unit)
    return others !== undefined && ![...values].some((value) => others.has(value))
  })
}

const number = /(?<![\p{L}\p{N}_.])(\d+(?:[.,_]\d+)*)\s*(%|\p{L}+)?/gu
const keyBefore = /([\p{L}_][\p{L}\p{N}_.-]*)["'`]?\s*(?:=|:|\bis\b)?\s*$/u

const units = once(
  (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [
        's sec second',
        'ms millisecond',
        'min minute',
        'h hour',
        'd day',
        'kb kib',
        'mb mib',
        'gb gib',
        'byte b',
      ].flatMap((line) => line.split(' ').map((word, _, all) => [word, all[0] as string])),
    ),
)

function measuresOf(text: string): Map<string, Set<string>> {
  const out = new Map<string, Set<string>>()
  for (const match of text.matchAll(number)) {
    const [, digits = '', word] = match
    const lower = word?.toLowerCase().replace(/s$/, '') ?? ''
    const key = keyBefore.exec(text.slice(0, match.index))?.[1]
    // a small word behind a number is no unit of it: then it is the name before that counts
    const isUnit = lower.length > 2 && extractTerms(lower).length > 0
    const unit = units()[lower] ?? (isUnit ? lower : foldText(key ?? ''))
    if (unit === '') continue
    const values = out.get(unit) ?? new Set()
    out.set(unit, values.add(digits.replace(/[,_](?=\d{3}\b)/g, '')))
  }
  return out
}

/** Sentences, list items, rows and settings; a line that goes on in the next one is one with it. */
function sentencesOf(text: string): string[] {
  return text
    .replace(/(?<![.!?]["'”’)\]*_`]*)\n(?=\s*[\p{Ll}(])(?!\s*[\w.-]+\s*[:=])/gu, ' ')
    .split(/\n|(?<=[.!?।؟۔]["'”’)\]*_`]*)\s+(?=[^\s\p{Ll}])|(?<=[。！？])/u)
    .filter((one) => one.trim() !== '')
}
