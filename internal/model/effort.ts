// Reasoning effort of a model: names, numbers for profiles, and the choice of a value that a model accepts.
import type { Effort } from './model.ts'

/** Efforts from least to most. Profiles set an effort by its index in this list. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/**
 * Returns the accepted value nearest to `wantedEffort`; of two equally near ones the first in `accepted`,
 * which is from least to most. Undefined if `accepted` is empty.
 */
export function nearestEffort(wantedEffort: Effort, accepted: readonly Effort[]): Effort | undefined {
  const at = efforts.indexOf(wantedEffort)
  const distance = (effort: Effort) => Math.abs(efforts.indexOf(effort) - at)
  let best: Effort | undefined
  for (const effort of accepted) {
    if (best === undefined || distance(effort) < distance(best)) best = effort
  }
  return best
}
