// The end of a search: complete, or before all files were searched.
import type { CommandOutcome } from '../process/process-command.ts'

/** Undefined: the search is complete. `broken`: the program died, or its exit code was unexpected. */
export type SearchEnd = CommandOutcome['ended'] | 'broken'

/** Returns the end of a search. `complete` are the exit codes of the program after a complete search. */
export function searchEnd(
  { ended, exit, torn }: Pick<CommandOutcome, 'ended' | 'exit' | 'torn'>,
  complete: readonly number[],
): SearchEnd {
  if (ended) return ended
  return exit !== null && complete.includes(exit) && !torn ? undefined : 'broken'
}
