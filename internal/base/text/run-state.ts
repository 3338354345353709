// The state of a run as text, which is the same in every list.
import { describeRunReason } from './reason-words.ts'

/**
 * Files with conflicts at the latest merge. `resolved`: no file contains the conflict marks of git any more.
 */
export interface WorktreeConflict {
  files: readonly string[]
  resolved: boolean
}

interface RunStateFacts {
  state: 'running' | 'waiting' | 'idle' | 'ended' | 'broken'
  /** End of the latest run; null before the first one ends. */
  end: string | null
  reason: string | null
  /** Approvals and questions that the run waits for, each as a short text. */
  waits: readonly string[]
  worktree?: { conflict: WorktreeConflict | null } | null
}

/**
 * Returns the state of a run, the same on the page and in the terminal. An idle run has done its work, so it
 * is named after its end. Work that has stopped at a conflict is not done. Texts are not sanitized.
 */
export function describeRunState({ worktree, ...run }: RunStateFacts): string {
  const words = describeProcess(run)
  const conflict = worktree?.conflict
  if (!conflict) return words
  if (words !== 'done') return `${words}, conflict`
  if (conflict.resolved) return 'conflict resolved, not merged'
  return conflict.files.length > 0 ? `conflict: ${conflict.files.join(', ')}` : 'conflict'
}

function describeProcess({ state, waits, end, reason }: Omit<RunStateFacts, 'worktree'>): string {
  if (state === 'waiting') return `waiting: ${waits.join(', ')}`
  if (state === 'running') return state
  if (state === 'broken') return 'process died'
  const word = end ?? state
  return reason === null ? word : `${word}: ${describeRunReason(reason)}`
}
