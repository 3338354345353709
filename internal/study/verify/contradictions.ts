// Detection by rules of claims of a study that contradict each other: they have the same subject and
// state different things.
import { findContradictoryPairs, pairsOf } from '../../text-analysis/contradictions.ts'
import type { StudyClaim } from '../log/entries.ts'

/**
 * Returns pairs of claims in the order of `claims`. In a pair, one claim denies the other, states other
 * numbers or has the opposite stance.
 */
export function findContradictions(claims: readonly StudyClaim[]): [StudyClaim, StudyClaim][] {
  const at = (i: number) => claims[i] as StudyClaim
  const texts = claims.map(({ text }) => text)
  const opposed = pairsOf(texts, (i, j) => isOpposed(at(i), at(j)))
  const pairsByKey = new Map(
    [...findContradictoryPairs(texts), ...opposed].map((pair) => [pair.join(' '), pair]),
  )
  return [...pairsByKey.values()].sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([i, j]) => [at(i), at(j)])
}

function isOpposed(a: StudyClaim, b: StudyClaim): boolean {
  const stances = [a.stance, b.stance]
  return stances.includes('supports') && stances.includes('refutes')
}
