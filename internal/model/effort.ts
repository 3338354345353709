// The names of efforts in order, whose index is the number in profiles, and the choice of the accepted effort
// nearest to a wanted one.
import type { Effort } from './model.ts'

/** Efforts from least to most. The index is the number in profiles. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/**
 * Returns the accepted value nearest to `wanted`; of two equally near ones the lower. Undefined if
 * none is accepted.
 */
export function nearestEffort(wanted: Effort, accepted: readonly Effort[]): Effort | undefined {
  const at = efforts.indexOf(wanted)
  const distance = (effort: Effort) => Math.abs(efforts.indexOf(effort) - at)
  let best: Effort | undefined
  for (const effort of accepted) {
    if (best === undefined || distance(effort) < distance(best)) best = effort
  }
  return best
}
