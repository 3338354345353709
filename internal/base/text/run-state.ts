// The state of a run in the words of every list.

interface RunStateFacts {
  state: 'running' | 'waiting' | 'idle' | 'ended' | 'broken'
  /** End of the latest run; null before the first one ends. */
  end: string | null
  reason: string | null
  /** Open questions to the user. */
  waits: readonly string[]
}

/**
 * Returns the state of a run, the same on the page and in the terminal. An idle run has done its work, so it
 * is named after its end. Texts are not sanitized.
 */
export function describeRunState({ state, waits, end, reason }: RunStateFacts): string {
  if (state === 'waiting') return `waiting: ${waits.join(', ')}`
  if (state === 'running') return state
  if (state === 'broken') return 'process died'
  const word = end ?? state
  return reason === null ? word : `${word}: ${reason}`
}
