// Which claims of a study contradict each other, by rule: about the same thing, and saying something else.
import { findContradictoryPairs, pairsOf } from '../../text-analysis/contradictions.ts'
import type { StudyClaim } from '../log/entries.ts'

/**
 * Returns pairs of claims, in the order of their ids, of which one denies the other, gives other numbers or
 * takes the other stance.
 */
export function findContradictions(claims: readonly StudyClaim[]): [StudyClaim, StudyClaim][] {
  const at = (i: number) => claims[i] as StudyClaim
  const texts = claims.map(({ text }) => text)
  const opposed = pairsOf(texts, (i, j) => isOpposed(at(i), at(j)))
  const found = new Map([...findContradictoryPairs(texts), ...opposed].map((pair) => [pair.join(' '), pair]))
  return [...found.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([i, j]) => [at(i), at(j)])
}

function isOpposed(a: StudyClaim, b: StudyClaim): boolean {
  const stances = [a.stance, b.stance]
  return stances.includes('supports') && stances.includes('refutes')
}
