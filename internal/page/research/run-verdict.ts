// Verdict of a run, reduced to the few kinds that have a separate color.

export type RunVerdict = 'kept' | 'same' | 'broken'

/**
 * Returns `kept` for a kept run or a baseline, `same` for a discarded run, and `broken` for any
 * other stored status.
 */
export function verdictOf(status: string): RunVerdict {
  if (status === 'keep' || status === 'baseline') return 'kept'
  return status === 'discard' ? 'same' : 'broken'
}
