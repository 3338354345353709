// Check for files that permission rules forbid to read. Searches need it, because their calls do not name the
// files that they read.

import type { ResolvedPath } from '../policy/paths/path-jail.ts'
import { listedPlace } from '../policy/paths/sensitive-contents.ts'
import { closedToReading, fileRuleFits } from '../policy/rules/file-rules.ts'
import type { Ctx } from '../tool/ctx.ts'

interface ClosedFiles {
  /**
   * Returns true if a rule denies or asks about reading the file `name`, relative to the searched path.
   * Undefined if the policy has no such rule.
   */
  closes: ((name: string) => boolean) | undefined
  /** Returns a note with the first file that `closes` found; an empty list if it found none. */
  remarks: () => string[]
}

/**
 * Returns a check for the files below a path that permission rules deny or ask about, and a function that
 * returns a note if the check found such a file.
 */
export async function closedFilesBelow({ policy }: Ctx, place: ResolvedPath): Promise<ClosedFiles> {
  const rules = closedToReading(policy)
  if (rules.length === 0) return { closes: undefined, remarks: () => [] }
  let first: string | undefined
  const closes = (name: string) => {
    const file = listedPlace(`${place.real === '/' ? '' : place.real}/${name}`, policy.roots)
    const isClosed = rules.some((rule) => fileRuleFits(rule, file, policy.roots))
    if (isClosed) first ??= file.shown
    return isClosed
  }
  const remarks = () =>
    first === undefined ? [] : [`files that permission rules close were skipped, such as ${first}`]
  return { closes, remarks }
}
