// Paths that permission rules forbid to read and that a sandbox therefore hides from its commands.
import { listedPlace } from './paths/sensitive-contents.ts'
import type { Policy } from './policy.ts'
import { containsClosed } from './ruled-places.ts'
import { closedToReading, fileRuleFits } from './rules/file-rules.ts'

interface ClosedPaths {
  covers(path: string): boolean
  /** Returns false for a directory that cannot contain a path that rules forbid to read. */
  mayContain(dir: string): boolean
}

/**
 * Returns the paths that the sandbox hides from a command; undefined if no rule denies or asks about reading
 * certain files. A path in `approved` is not hidden if its rule only asks.
 */
export function closedPaths(
  policy: Policy,
  approved: ReadonlySet<string> = new Set(),
): ClosedPaths | undefined {
  const { roots } = policy
  const rules = closedToReading(policy)
  if (rules.length === 0) return undefined
  const contains = rules.map((rule) => containsClosed(rule, roots))
  return {
    covers(path) {
      const file = listedPlace(path, roots)
      return rules.some(
        (rule) => !(rule.action === 'ask' && approved.has(path)) && fileRuleFits(rule, file, roots),
      )
    },
    mayContain: (dir) => contains.some((one) => one(dir)),
  }
}
