// When two statements about the same thing say something else.
import { extractTerms, foldText, maxSimilarity, setSimilarity } from './terms.ts'

const negation = /\b(?:not|no|never|without|cannot)\b|n['’]t\b/u
const number = /(?<![\p{L}\p{N}_.])\d+(?:[.,]\d+)*/gu

/** The numbers of a text, without separators of thousands. */
function numbers(text: string): string[] {
  return (text.match(number) ?? []).map((n) => n.replace(/,(?=\d{3}\b)/g, '')).sort()
}

/** Whether one of two texts denies, or both give numbers and not the same ones. */
export function textsDiffer(a: string, b: string): boolean {
  if (negation.test(foldText(a)) !== negation.test(foldText(b))) return true
  const [left, right] = [numbers(a), numbers(b)]
  return left.length > 0 && right.length > 0 && left.join(' ') !== right.join(' ')
}

/** The words a statement is about: its terms without numbers, which are what it says about them. */
export const subjectTerms = (text: string): string[] => extractTerms(text).filter((term) => !/^\d/.test(term))

/** Share of words from which two statements are about the same thing. */
const enough = 0.6

/** Pairs of indices of statements that share at least 60 % of their terms and of which `contrary` holds. */
export function pairsOf(
  statements: readonly string[],
  contrary: (a: number, b: number) => boolean,
): [number, number][] {
  const subjects = statements.map((text) => new Set(subjectTerms(text)))
  const out: [number, number][] = []
  for (const [i, a] of subjects.entries()) {
    for (let j = i + 1; j < subjects.length; j++) {
      const b = subjects[j] as Set<string>
      if (maxSimilarity(a, b) >= enough && setSimilarity(a, b) >= enough && contrary(i, j)) out.push([i, j])
    }
  }
  return out
}

/** Pairs of indices of statements about the same thing that differ. */
export function findContradictoryPairs(statements: readonly string[]): [number, number][] {
  return pairsOf(statements, (i, j) => textsDiffer(statements[i] as string, statements[j] as string))
}
