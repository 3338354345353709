// The paths that a candidate may change. Locked files are excluded, and so are files that control git unless
// the scope names them.
import { posix } from 'node:path'
import { leadsOutside } from '../../base/dirs.ts'
import { pathFits } from '../../policy/rules/rule-match.ts'
import type { TreeDifference } from '../git/git-tree.ts'

interface ChangeBounds {
  /** Files, directories or globs, relative to the workspace, that may change; empty: all. */
  scope: readonly string[]
  /** Files, directories or globs that must not change. */
  locked: readonly string[]
  /** Path from the top of the checkout to the workspace: `''`, or a path that ends in a slash. */
  prefix: string
}

/** Files that change how git treats the content of other files or fetches it. */
const steering = new Set(['.gitattributes', '.gitmodules'])

/** Returns whether the file changes how git treats other files. */
export const isSteering = (path: string) => steering.has(posix.basename(path))

/** Returns true if one of the entries is the path, is a directory above it, or matches it as a glob. */
export async function matchesEntry(entries: readonly string[], path: string): Promise<boolean> {
  return entries.some(
    (entry) => path === entry || path.startsWith(`${entry}/`) || pathFits(entry, path, false),
  )
}

/**
 * Returns the changed paths, relative to the top, that the candidate may not change. `target` reads the
 * target of a symbolic link of the candidate, because changing a link counts as changing its target.
 */
export async function findOutOfScope(
  changes: readonly TreeDifference[],
  bounds: ChangeBounds,
  target: (change: TreeDifference) => Promise<string>,
): Promise<string[]> {
  const forbiddenPaths: string[] = []
  for (const change of changes)
    if (!(await isAllowed(change, bounds, target))) forbiddenPaths.push(change.path)
  return forbiddenPaths
}

async function isAllowed(
  change: TreeDifference,
  bounds: ChangeBounds,
  target: (change: TreeDifference) => Promise<string>,
): Promise<boolean> {
  const path = inWorkspace(change.path, bounds.prefix)
  if (path === undefined) return false
  // A submodule's files are not part of the tree, so a change of a submodule is never allowed.
  if (change.from?.mode === '160000' || change.to?.mode === '160000') return false
  if (isSteering(path) && !bounds.scope.includes(path)) return false
  if (!(await isOpen(path, bounds))) return false
  if (change.to?.mode !== '120000') return true
  const led = posix.normalize(posix.join(posix.dirname(change.path), await target(change)))
  if (posix.isAbsolute(await target(change)) || leadsOutside(led)) return false
  const real = inWorkspace(led, bounds.prefix)
  return real !== undefined && (await isOpen(real, bounds))
}

async function isOpen(path: string, { scope, locked }: ChangeBounds): Promise<boolean> {
  if (path === '.auto' || path.startsWith('.auto/') || (await matchesEntry(locked, path))) return false
  return scope.length === 0 || matchesEntry(scope, path)
}

function inWorkspace(path: string, prefix: string): string | undefined {
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined
}
