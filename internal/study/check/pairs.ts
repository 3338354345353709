// Which claims of a study contradict each other, by rule: about the same thing, and saying something else.
import { differ, pairsOf } from '../../model/extract/contradict.ts'
import type { Claim } from '../study.ts'

/** Pairs of claims in the order of their ids: one denies, gives other numbers, or takes the other stance. */
export function pairs(claims: readonly Claim[]): [Claim, Claim][] {
  const at = (i: number) => claims[i] as Claim
  const texts = claims.map(({ text }) => text)
  const found = pairsOf(texts, (i, j) => differ(at(i).text, at(j).text) || isOpposed(at(i), at(j)))
  return found.map(([i, j]) => [at(i), at(j)])
}

function isOpposed(a: Claim, b: Claim): boolean {
  const stances = [a.stance, b.stance]
  return stances.includes('supports') && stances.includes('refutes')
}
