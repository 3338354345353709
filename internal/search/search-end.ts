// The end of a search: complete, or before all files were searched.
import type { CommandOutcome } from '../process/process-command.ts'

/**
 * How a search ended; undefined after a complete search. `broken`: the program crashed, its exit code was
 * unexpected, or its output is incomplete.
 */
export type SearchEnd = CommandOutcome['ended'] | 'broken'

/**
 * Returns why a search ended early; undefined for a complete search. `complete` are the exit codes that the
 * program has after a complete search.
 */
export function searchEnd(
  { ended, exit, torn }: Pick<CommandOutcome, 'ended' | 'exit' | 'torn'>,
  complete: readonly number[],
): SearchEnd {
  if (ended) return ended
  return exit !== null && complete.includes(exit) && !torn ? undefined : 'broken'
}
