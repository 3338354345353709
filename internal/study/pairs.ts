// Which claims of a study contradict each other, by rule: about the same thing, and saying something else.
import { differ, subject } from '../model/extract/contradict.ts'
import { jaccard } from '../model/extract/terms.ts'
import type { Claim } from './study.ts'

/** Share of words from which two claims are about the same thing (study.md 4.1, rule 5). */
const alike = 0.6

/** Pairs of claims in the order of their ids: one denies, gives other numbers, or takes the other stance. */
export function pairs(claims: readonly Claim[]): [Claim, Claim][] {
  const subjects = claims.map((claim) => subject(claim.text))
  const out: [Claim, Claim][] = []
  for (const [i, a] of claims.entries()) {
    for (let j = i + 1; j < claims.length; j++) {
      const b = claims[j] as Claim
      if (jaccard(subjects[i] as string[], subjects[j] as string[]) < alike) continue
      if (differ(a.text, b.text) || isOpposed(a, b)) out.push([a, b])
    }
  }
  return out
}

function isOpposed(a: Claim, b: Claim): boolean {
  const stances = [a.stance, b.stance]
  return stances.includes('supports') && stances.includes('refutes')
}
