// When two statements about the same thing say something else (study.md 4.1, rule 5).
import { fold, jaccard, terms } from './terms.ts'

const negation = /\b(?:not|no|never|without|cannot)\b|n['’]t\b/u
const number = /(?<![\p{L}\p{N}_.])\d+(?:[.,]\d+)*/gu

/** The numbers of a text, without separators of thousands. */
function numbers(text: string): string[] {
  return (text.match(number) ?? []).map((n) => n.replace(/,(?=\d{3}\b)/g, '')).sort()
}

/** Whether one of two texts denies, or both give numbers and not the same ones. */
export function differ(a: string, b: string): boolean {
  if (negation.test(fold(a)) !== negation.test(fold(b))) return true
  const [left, right] = [numbers(a), numbers(b)]
  return left.length > 0 && right.length > 0 && left.join(' ') !== right.join(' ')
}

/** The words a statement is about: its terms without numbers, which are what it says about them. */
export const subject = (text: string): string[] => terms(text).filter((term) => !/^\d/.test(term))

/** Pairs of indices of statements that share at least 60 % of their terms and differ. */
export function contradictions(statements: readonly string[]): [number, number][] {
  const subjects = statements.map(subject)
  const out: [number, number][] = []
  for (const [i, a] of statements.entries()) {
    for (let j = i + 1; j < statements.length; j++) {
      const b = statements[j] as string
      if (jaccard(subjects[i] as string[], subjects[j] as string[]) >= 0.6 && differ(a, b)) out.push([i, j])
    }
  }
  return out
}
