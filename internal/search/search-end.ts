// How a search ended: at its end, or before it had looked at everything.
import type { CommandOutcome } from '../process/process-command.ts'

/** Undefined: everything was looked at. `broken`: the program died, or ended in a way that tells nothing. */
export type SearchEnd = CommandOutcome['ended'] | 'broken'

/** `complete` are the exit codes with which the program says that it got to its end. */
export function searchEnd(
  { ended, exit, torn }: Pick<CommandOutcome, 'ended' | 'exit' | 'torn'>,
  complete: readonly number[],
): SearchEnd {
  if (ended) return ended
  return exit !== null && complete.includes(exit) && !torn ? undefined : 'broken'
}
