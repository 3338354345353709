// Merges two trees that come from a third, without a checkout.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { git } from '../process/git.ts'
import { ask, compare, type Difference, type Entry, graft, type Shelf } from './tree.ts'

/** The merged tree, or undefined when both changed the same lines, the same binary file, or a file and its folder. */
export async function merge(
  shelf: Shelf,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
): Promise<string | undefined> {
  const mine = new Map((await compare(shelf, base, ours)).map((change) => [change.path, change]))
  const taken: Difference[] = []
  for (const change of await compare(shelf, base, theirs)) {
    const other = mine.get(change.path)
    if (!other) {
      if (inside(change.path, mine)) return undefined
      taken.push(change)
    } else if (!equal(other.to, change.to)) {
      const to = await lines(shelf, change, other)
      if (to === undefined) return undefined
      taken.push({ ...change, to })
    }
  }
  return graft(shelf, ours, taken)
}

const equal = (a: Entry | undefined, b: Entry | undefined) => a?.id === b?.id && a?.mode === b?.mode

/** Whether one tree has a file where the other has a folder. */
function inside(path: string, changes: ReadonlyMap<string, Difference>): boolean {
  for (const [other, { to }] of changes)
    if (to && (other.startsWith(`${path}/`) || path.startsWith(`${other}/`))) return true
  return false
}

/** Both sides' changes of one file, by `git merge-file`. */
async function lines(shelf: Shelf, theirs: Difference, ours: Difference): Promise<Entry | undefined> {
  const parts = [ours.to, theirs.from, theirs.to]
  if (parts.some((part) => part === undefined || !part.mode.startsWith('100'))) return undefined
  const dir = join(shelf.scratch, `merge-${process.pid}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  try {
    const names = ['ours', 'base', 'theirs']
    for (const [i, part] of parts.entries()) {
      const bytes = await ask(shelf, ['cat-file', 'blob', (part as Entry).id])
      if (bytes.includes('\0') || bytes.includes('\uFFFD')) return undefined
      await writeFile(join(dir, names[i] as string), bytes)
    }
    const merged = await git(shelf.run, dir, ['merge-file', '-p', '-q', ...names], { keepBytes: 256 << 20 })
    if (merged.exit !== 0) return undefined
    const id = await ask(shelf, ['hash-object', '-w', '--stdin', '--no-filters'], {
      input: merged.stdout.text,
    })
    return { mode: (theirs.to as Entry).mode, id: id.trim() }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
