// How hard a model should think: names, the numeric scale of profiles, and what a given model accepts.
import type { Effort } from './model.ts'

/** From least to most; the index is the number profiles use. */
export const efforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

/**
 * The accepted value nearest to `wanted`; of two equally near ones the lower. Undefined when none is
 * accepted.
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
