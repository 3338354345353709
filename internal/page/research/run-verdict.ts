// What became of a run, as far as colours tell it.

export type RunVerdict = 'kept' | 'same' | 'broken'

/** Of a status in the ledger. */
export function verdictOf(status: string): RunVerdict {
  if (status === 'keep' || status === 'baseline') return 'kept'
  return status === 'discard' ? 'same' : 'broken'
}
