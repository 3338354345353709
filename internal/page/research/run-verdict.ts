// Verdict of a run, reduced to the few kinds that have a separate color.

export type RunVerdict = 'kept' | 'same' | 'broken'

/** Returns the verdict for the stored status of a run. */
export function verdictOf(status: string): RunVerdict {
  if (status === 'keep' || status === 'baseline') return 'kept'
  return status === 'discard' ? 'same' : 'broken'
}
