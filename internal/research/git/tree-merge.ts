// Merge of two git trees that descend from a third one, without a checkout.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runHardenedGit } from '../../process/git/git.ts'
import {
  compareTrees,
  type GitRepository,
  graftTree,
  runGit,
  type TreeDifference,
  type TreeEntry,
} from './git-tree.ts'

/**
 * Merges the changes from `base` to `ours` and from `base` to `theirs`. Returns the merged tree, or undefined
 * on a conflict. It is a conflict if both sides change the same lines, the same binary file or link, or add
 * the same path, in different ways. So is a file on one side and a directory in its place on the other, or a
 * removal and a change of one file.
 */
export async function mergeTrees(
  repo: GitRepository,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<string | undefined> {
  const mine = new Map((await compareTrees(repo, base, ours)).map((change) => [change.path, change]))
  const mergedChanges: TreeDifference[] = []
  for (const change of await compareTrees(repo, base, theirs)) {
    const other = mine.get(change.path)
    if (!other) {
      if (hasPathConflict(change.path, mine)) return undefined
      mergedChanges.push(change)
    } else if (!isSameEntry(other.to, change.to)) {
      const to = await mergeLines(repo, change, other)
      if (to === undefined) return undefined
      mergedChanges.push({ ...change, to })
    }
  }
  return graftTree(repo, ours, mergedChanges)
}

const isSameEntry = (a: TreeEntry | undefined, b: TreeEntry | undefined) =>
  a?.id === b?.id && a?.mode === b?.mode

/**
 * Returns true if `path` is inside a directory that is a file in `changes`, or if a path in `changes` is
 * inside the file `path`.
 */
function hasPathConflict(path: string, changes: ReadonlyMap<string, TreeDifference>): boolean {
  for (const [other, { to }] of changes)
    if (to && (other.startsWith(`${path}/`) || path.startsWith(`${other}/`))) return true
  return false
}

/**
 * Merges both sides' changes of one file with `git merge-file`. Returns undefined on a conflict, and if one
 * of the three versions is missing or is not a text file. The result has the file mode of `theirs` if
 * `theirs` has changed the mode, otherwise that of `ours`.
 */
async function mergeLines(
  repo: GitRepository,
  theirs: TreeDifference,
  ours: TreeDifference,
): Promise<TreeEntry | undefined> {
  const parts = [ours.to, theirs.from, theirs.to]
  if (parts.some((part) => part === undefined || !part.mode.startsWith('100'))) return undefined
  // one process can merge several files and several candidates at the same time
  const dir = await mkdtemp(join(repo.scratch, 'merge-'))
  try {
    const names = ['ours', 'base', 'theirs']
    for (const [i, part] of parts.entries()) {
      const bytes = await runGit(repo, ['cat-file', 'blob', (part as TreeEntry).id])
      if (bytes.includes('\0') || bytes.includes('\uFFFD')) return undefined
      await writeFile(join(dir, names[i] as string), bytes)
    }
    const merged = await runHardenedGit(repo.run, dir, ['merge-file', '-p', '-q', ...names], {
      keepBytes: 256 << 20,
    })
    if (merged.exit !== 0) return undefined
    const id = await runGit(repo, ['hash-object', '-w', '--stdin', '--no-filters'], {
      input: merged.stdout.text,
    })
    // a side that kept the mode of the base takes the mode of the other
    const changed = theirs.to?.mode === theirs.from?.mode ? ours : theirs
    return { mode: (changed.to as TreeEntry).mode, id: id.trim() }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
