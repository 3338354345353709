// Descriptions of how an experiment is judged and of how often it was reset.
import { countNoun } from './count-noun.ts'

/** Returns the description of a gate, which follows the words "judged by". */
export const describeGate = (gate: string): string =>
  gate === 'paired' ? 'repeated pairs of runs' : 'one sample of each run'

/**
 * Returns how often a session was reset before this segment, such as `2 resets`; an empty text if it was not.
 */
export const describeResets = (segment: number): string => (segment > 0 ? countNoun(segment, 'reset') : '')

/** Returns the description of the gate, with the resets and the end at the run limit if there are any. */
export const describeJudgment = (one: { gate: string; segment: number; stopped?: boolean }): string =>
  [describeGate(one.gate), describeResets(one.segment), one.stopped ? 'stopped at the run limit' : '']
    .filter(Boolean)
    .join(', ')
