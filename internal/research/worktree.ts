// Worktrees that candidates are made in, on the session's own branch, away from the person's checkout.
import { mkdir, readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { isAlive, ownMark } from '../base/alive.ts'
import { writeAtomic } from '../base/atomic.ts'
import { FailureError } from '../base/errors.ts'
import { overlay } from './arena.ts'
import { lookAt } from './candidate.ts'
import { type Desk, inTurn, type Seat, sitHere } from './desk.ts'
import type { Segment } from './fold.ts'
import { slug } from './home.ts'
import { needsGit } from './refs.ts'
import type { Candidate } from './session.ts'
import { ask, compare, graft, patch, resolveCommit, resolveTree, type Shelf, unpack } from './tree.ts'
import { type Checkout, readOr } from './where.ts'

/** The branch that results kept in worktrees go to; each segment has its own. */
export function branchOfSession(seat: Seat): string {
  const segment = seat.book.folded.active?.config.segment ?? 0
  return `refs/heads/anode/${seat.dir.split('/').at(-1)}${segment === 0 ? '' : `-${segment}`}`
}

const parent = (seat: Seat) => join(seat.dir, 'wt')

/** Makes a worktree that holds best, or `spare` into one. Throws FailureError `needs_git`, `run_pending`. */
export function candidate(desk: Desk, label = 'candidate', spare?: string): Promise<Candidate> {
  return sitHere(desk, (seat, segment) =>
    inTurn(seat, () => (spare === undefined ? make(seat, segment, label) : renew(seat, segment, spare))),
  )
}

async function make(seat: Seat, segment: Segment, label: string): Promise<Candidate> {
  const { shelf } = seat
  if (!shelf || segment.best?.tree === undefined) throw needsGit('a candidate in a worktree')
  const tip = await tipOf(seat, shelf, segment)
  await mkdir(parent(seat), { recursive: true, mode: 0o700 })
  const taken = new Set(await readdir(parent(seat)))
  // the names of checkouts for measuring are taken
  const base = slug(label).replace(/^arm(?=\d)/, 'arm-')
  let name = base
  for (let n = 2; taken.has(name); n++) name = `${base}-${n}`
  const path = join(parent(seat), name)
  // by force: a name whose folder somebody has removed is still on git's list
  await ask(shelf, ['worktree', 'add', '--force', '--detach', '--no-checkout', '--quiet', path, tip])
  await ask(shelf, ['read-tree', tip], { cwd: path })
  await fill(seat, segment, path)
  const real = await realpath(path)
  seat.desk.checkouts.delete(real)
  const { gitDir } = await worktreeAt(seat, real)
  await writeFile(madeOn(gitDir), origin(segment.best.tree))
  return { path: real, tree: segment.best.tree, label: name }
}

/** The commit of the session's branch, which is made when there is none. */
async function tipOf(seat: Seat, shelf: Shelf, segment: Segment): Promise<string> {
  const branch = branchOfSession(seat)
  const there = await resolveCommit(shelf, branch)
  if (there !== undefined) return there
  const tip = segment.head ?? ((await resolveCommit(shelf, 'HEAD')) as string)
  await ask(shelf, ['update-ref', branch, tip, ''])
  return tip
}

/** The files of best, what judges laid over them. */
async function fill(seat: Seat, segment: Segment, top: string): Promise<void> {
  await unpack(seat.shelf as Shelf, segment.best?.tree as string, top)
  await overlay(seat.dir, segment.lock, join(top, seat.desk.where.repository?.prefix ?? ''))
}

/** A worktree whose run is logged becomes a new candidate: all that lies in it goes. */
async function renew(seat: Seat, segment: Segment, path: string): Promise<Candidate> {
  const { shelf } = seat
  if (!shelf || segment.best?.tree === undefined) throw needsGit('a candidate in a worktree')
  const { top, gitDir } = await worktreeAt(seat, path)
  refuseOpen(seat, path, top)
  const note = madeOn(gitDir)
  // without a tree: what a crash leaves half done from here on is nobody's work
  await writeFile(note, origin(''))
  const tip = await tipOf(seat, shelf, segment)
  if ((await readOr(join(gitDir, 'HEAD')))?.trim() !== tip) {
    await ask(shelf, ['update-ref', '--no-deref', 'HEAD', tip], { cwd: top })
    await ask(shelf, ['read-tree', tip], { cwd: top })
  }
  for (const name of await readdir(top))
    if (name !== '.git') await rm(join(top, name), { recursive: true, force: true })
  await fill(seat, segment, top)
  await writeFile(note, origin(segment.best.tree))
  return { path: top, tree: segment.best.tree, label: basename(top) }
}

function refuseOpen(seat: Seat, path: string, real: string): void {
  const open = seat.pending.find((pending) => pending.candidate === path || pending.candidate === real)
  if (open)
    throw new FailureError({ code: 'run_pending', message: `run ${open.run} in ${path} is not logged` })
}

/** File that names the tree a candidate was made from, beside its index. */
const madeOn = (gitDir: string) => join(gitDir, 'anode-base')

/** The tree, and the process that the candidate belongs to. */
const origin = (tree: string) => `${tree}\n${ownMark()}\n`

/** A kept candidate is the best that its checkout goes on from. */
export async function noteBest({ gitDir }: Checkout, tree: string | undefined): Promise<void> {
  if (tree !== undefined) await writeFile(madeOn(gitDir), origin(tree))
}

/** The checkout at a path that `candidate` has given out, or at any other worktree of the repository. */
export async function worktreeAt(seat: Seat, path: string): Promise<Checkout> {
  const { shelf } = seat
  const { repository } = seat.desk.where
  if (!shelf || !repository) throw needsGit('a candidate in a worktree')
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) throw noWorktree(path)
  const known = seat.desk.checkouts.get(real)
  if (known) return known
  const args = [
    'rev-parse',
    '--show-toplevel',
    '--absolute-git-dir',
    '--path-format=absolute',
    '--git-common-dir',
  ]
  const answer = await ask(shelf, args, { cwd: real }).catch(() => '')
  const [top = '', gitDir = '', common = ''] = answer.split('\n')
  if (
    common === '' ||
    (await realpath(common)) !== repository.commonDir ||
    (await realpath(top)) === repository.top
  )
    throw noWorktree(path)
  const checkout: Checkout = { top: real, gitDir, where: 'worktree', path: join(real, repository.prefix) }
  seat.desk.checkouts.set(real, checkout)
  return checkout
}

/** Takes this one from git's list. Others that are missing may lie on a disk that is not there just now. */
async function remove(shelf: Shelf, path: string): Promise<void> {
  await ask(shelf, ['worktree', 'remove', '--force', path])
}

const noWorktree = (path: string) =>
  new FailureError({ code: 'not_found', message: `${path} is no other worktree of this repository` })

/** Removes a candidate's worktree. Throws FailureError `run_pending` while its result is not in the ledger. */
export function drop(desk: Desk, path: string): Promise<void> {
  return sitHere(desk, async (seat) => {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) return
    refuseOpen(seat, path, real)
    const below = relative(await realpath(parent(seat)), real)
    if (below.startsWith('..') || below === '' || below.includes('/')) throw noWorktree(path)
    await inTurn(seat, async () => {
      seat.desk.checkouts.delete(real)
      seat.desk.seen.delete(real)
      await remove(seat.shelf as Shelf, real)
    })
  })
}

/**
 * Brings a candidate that was made on an older best onto the present one: what it changed is merged with what has
 * been kept since, path by path and then line by line. On a conflict its files stay as they are.
 */
export function rebase(desk: Desk, path: string): Promise<'current' | 'rebased' | 'conflict'> {
  return sitHere(desk, async (seat, segment) => {
    const checkout = await worktreeAt(seat, path)
    const shelf = seat.shelf as Shelf
    const best = segment.best?.tree as string
    const note = madeOn(checkout.gitDir)
    const base = ((await readOr(note)) ?? '').split('\n')[0] ?? ''
    if (base === best) return 'current'
    if (base === '' || (await resolveTree(shelf, base)) === undefined) return 'conflict'
    const tree = await lookAt(seat, checkout)
    const { merge } = await import('./merge.ts')
    const merged = await merge(shelf, { base, ours: best, theirs: tree })
    if (merged === undefined) return 'conflict'
    const tip = (await resolveCommit(shelf, branchOfSession(seat))) as string
    const { putBack } = await import('./restore.ts')
    await putBack(seat, checkout, merged, await compare(shelf, merged, tree))
    await ask(shelf, ['update-ref', '--no-deref', 'HEAD', tip], { cwd: checkout.top })
    await ask(shelf, ['read-tree', await graft(shelf, tip, [])], { cwd: checkout.top })
    await writeFile(note, origin(best))
    return 'rebased'
  })
}

/**
 * Removes the worktrees of candidates whose process is gone and of which no run is open. What had not been measured
 * yet is stored as a patch in `lost/` first; its names are answered.
 */
export async function sweepWorktrees(seat: Seat): Promise<string[]> {
  const { shelf } = seat
  if (!shelf) return []
  const lost: string[] = []
  const names = await readdir(parent(seat)).catch(() => [])
  for (const name of names.filter((one) => !/^arm\d/.test(one))) {
    const path = join(parent(seat), name)
    const checkout = await worktreeAt(seat, path).catch(() => undefined)
    if (!checkout || seat.pending.some(({ candidate: open }) => open === path || open === checkout.top))
      continue
    const [base = '', mark = ''] = ((await readOr(madeOn(checkout.gitDir))) ?? '').split('\n')
    if (mark !== '' && isAlive(mark, 0)) continue
    const text = base === '' ? '' : await patch(shelf, base, await lookAt(seat, checkout))
    if (text !== '') {
      await mkdir(join(seat.dir, 'lost'), { recursive: true, mode: 0o700 })
      const file = join(seat.dir, 'lost', `${name}-${Date.now()}.diff`)
      await writeAtomic(file, Buffer.from(text), { mode: 0o600 })
      lost.push(file)
    }
    seat.desk.checkouts.delete(checkout.top)
    await remove(shelf, path)
  }
  return lost
}
