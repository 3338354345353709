// Verdict of a run, reduced to the few kinds that have a separate color.

export type RunVerdict = 'kept' | 'same' | 'broken'

/** Returns the verdict of a ledger status. */
export function verdictOf(status: string): RunVerdict {
  if (status === 'keep' || status === 'baseline') return 'kept'
  return status === 'discard' ? 'same' : 'broken'
}
