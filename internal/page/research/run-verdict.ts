// Verdict of a run, as far as colors distinguish it.

export type RunVerdict = 'kept' | 'same' | 'broken'

/** Returns the verdict of a ledger status. */
export function verdictOf(status: string): RunVerdict {
  if (status === 'keep' || status === 'baseline') return 'kept'
  return status === 'discard' ? 'same' : 'broken'
}
