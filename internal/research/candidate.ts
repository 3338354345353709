// The candidate as a tree: what a checkout holds, less what runs have produced, against what best is by now.
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { escapeGlob } from '../policy/glob.ts'
import { now } from './book.ts'
import { record, type Seat } from './desk.ts'
import type { Segment } from './fold.ts'
import { type Footprint, isSame, settled } from './footprint.ts'
import { branchOf } from './git-state.ts'
import { outside } from './scope.ts'
import { readLock } from './seal.ts'
import {
  ask,
  compare,
  type Difference,
  graft,
  resolveCommit,
  resolveTree,
  type Shelf,
  snapshot,
} from './tree.ts'
import { type Checkout, readOr } from './where.ts'

export interface Looked {
  /** The checkout as it is. */
  snapshot: string
  /** The same without what runs produced. */
  tree: string
  head: string
  /** From best to the candidate, relative to the top. */
  changes: Difference[]
}

/** The tree of a checkout, `.auto` left out. */
export async function lookAt(seat: Seat, checkout: Checkout): Promise<string> {
  const prefix = seat.desk.where.repository?.prefix ?? ''
  const take = () => snapshot(seat.shelf as Shelf, checkout, [`${prefix}.auto`])
  // a person's checkout may hold much that git never looks at
  if (checkout.where === 'workspace') return take()
  const { seen } = seat.desk
  const now = new Map([...(await settled(checkout.top)), ...(await indexOf(checkout))])
  const before = seen.get(checkout.top)
  if (before && isSame(before.footprint, now)) return before.tree
  const tree = await take()
  seen.set(checkout.top, { footprint: now, tree })
  return tree
}

/** The index decides which files are tracked; its name here is none that a file can have. */
async function indexOf({ gitDir }: Checkout): Promise<Footprint> {
  const stat = await lstat(join(gitDir, 'index'), { bigint: true }).catch(() => undefined)
  return new Map([['/index', stat ? `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}` : '']])
}

/** The commit a checkout stands on; a worktree of ours says it in a file. */
async function headOf(shelf: Shelf, { top, gitDir, where }: Checkout): Promise<string> {
  const text = where === 'worktree' ? ((await readOr(join(gitDir, 'HEAD'))) ?? '').trim() : ''
  return /^[0-9a-f]{40,64}$/.test(text) ? text : ((await resolveCommit(shelf, 'HEAD', top)) ?? '')
}

/** What the checkout holds as a candidate; `best` is the tree it is compared with. */
export async function candidateIn(
  seat: Seat,
  segment: Segment,
  checkout: Checkout,
  best: string,
): Promise<Looked> {
  const shelf = seat.shelf as Shelf
  const head = await headOf(shelf, checkout)
  const seen = await lookAt(seat, checkout)
  const tree = checkout.where === 'workspace' ? await withoutProduced(seat, segment, seen, best) : seen
  return { snapshot: seen, tree, head, changes: await compare(shelf, best, tree) }
}

/** Files that a run has made or changed count as they are in best, for as long as they are as the run left them. */
async function withoutProduced(seat: Seat, segment: Segment, seen: string, best: string): Promise<string> {
  const shelf = seat.shelf as Shelf
  const made = new Map<string, string>()
  for (const { produced = [], after } of segment.runs)
    for (const path of produced) if (after) made.set(path, after)
  if (made.size === 0) return seen
  const back: Difference[] = []
  const differs = await compare(shelf, seen, best)
  for (const after of new Set(made.values())) {
    if ((await resolveTree(shelf, after)) === undefined) continue
    const changed = new Set((await compare(shelf, after, seen)).map(({ path }) => path))
    back.push(...differs.filter(({ path }) => made.get(path) === after && !changed.has(path)))
  }
  return graft(shelf, seen, back)
}

/**
 * Takes commits that somebody made in the workspace since the last run into best: they are no part of a candidate,
 * and nothing of them is ever put back. Paths that best has otherwise stay as they are in best.
 */
export async function adopt(seat: Seat, segment: Segment): Promise<void> {
  const { shelf, desk } = seat
  const { repository } = desk.where
  if (!shelf || !repository || segment.head === undefined || segment.best?.tree === undefined) return
  const head = await resolveCommit(shelf, 'HEAD')
  if (head === undefined || head === segment.head) return
  if ((await resolveCommit(shelf, segment.head)) === undefined) return
  const best = segment.best.tree
  const auto = `${repository.prefix}.auto/`
  const made = (await compare(shelf, segment.head, head)).filter(({ path }) => !path.startsWith(auto))
  const differing = new Map((await compare(shelf, segment.head, best)).map((change) => [change.path, change]))
  const taken = made.filter(({ path }) => !differing.has(path))
  const tree = await graft(shelf, best, taken)
  const paths = taken.map(({ path }) => path)
  const { segment: number } = segment.config
  await record(seat, {
    type: 'adopt',
    segment: number,
    from: segment.head,
    head,
    tree,
    paths,
    timestamp: now(),
  })
}

/** Changed paths that are outside of the scope or locked, and whether the gate forbids or only reports them. */
export async function outOfBounds(
  seat: Seat,
  segment: Segment,
  changes: readonly Difference[],
): Promise<string[]> {
  const shelf = seat.shelf as Shelf
  const prefix = seat.desk.where.repository?.prefix ?? ''
  const lock = await readLock(seat.dir, segment.lock)
  const { scope, locked } = segment.config
  const bounds = { scope, locked: [...locked, ...Object.keys(lock?.files ?? {}).map(escapeGlob)], prefix }
  return outside(changes, bounds, async ({ to }) =>
    (await ask(shelf, ['cat-file', 'blob', to?.id ?? ''])).trim(),
  )
}

/** The checkout of the person who called. */
export function workspaceOf(seat: Seat): Checkout | undefined {
  const { repository } = seat.desk.where
  return repository && { top: repository.top, gitDir: repository.gitDir, where: 'workspace' }
}

/** The ref that a kept result moves: the branch that is checked out, or HEAD itself when it is detached. */
export async function refOf(seat: Seat, checkout: Checkout): Promise<string> {
  return (await branchOf(seat.shelf as Shelf, checkout.top)) ?? 'HEAD'
}
