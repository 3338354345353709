// Commits a kept candidate: its changed paths alone, on the branch it lives on, whole or not at all.
import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, FailureError } from '../base/errors.ts'
import { gitText } from '../process/git.ts'
import { refOf } from './candidate.ts'
import { type Seat, update } from './desk.ts'
import type { RunLine } from './line.ts'
import type { Keep, Pending } from './pending.ts'
import {
  ask,
  compare,
  copyIndex,
  type Difference,
  graft,
  indexInfo,
  resolveCommit,
  type Shelf,
  setTime,
} from './tree.ts'
import type { Checkout } from './where.ts'
import { branchOfSession } from './worktree.ts'

/** The text of the commit: subject, then what was measured as one line that a program can read. */
export function messageOf(line: RunLine, subject: string | undefined): string {
  const { run, metric, metrics, effect, evidence, reason, segment } = line
  const result = { run, segment, metric, metrics, evidence, reason, ...(effect && { effect }) }
  const first = (subject ?? line.description ?? '').trim().split('\n')[0]
  return `${first || `Keep experiment ${run}`}\n\nResult: ${JSON.stringify(result)}\n`
}

/**
 * Makes the commit and moves branch and index. Answers null when nothing is left to commit. Throws FailureError with
 * git's own words when git refuses (no identity, index locked, branch moved); nothing has changed then.
 */
export async function commitKept(
  seat: Seat,
  pending: Pending,
  checkout: Checkout,
  changes: readonly Difference[],
  line: RunLine,
  subject: string | undefined,
): Promise<string | null> {
  const shelf = seat.shelf as Shelf
  const head = await resolveCommit(shelf, 'HEAD', checkout.top)
  if (head === undefined || changes.length === 0) return null
  const tree = await graft(shelf, head, changes)
  const committed = await compare(shelf, head, tree)
  if (committed.length === 0) return null
  const commit = (
    await gitText(shelf.run, checkout.top, ['commit-tree', tree, '-p', head], {
      input: messageOf(line, subject),
    })
  )
    // `-F -` is what commit-tree does with standard input
    .trim()
  const ref = checkout.where === 'worktree' ? branchOfSession(seat) : await refOf(seat, checkout)
  const keep: Keep = { commit, from: head, ref, gitDir: checkout.gitDir, line: { ...line, commit } }
  if (checkout.where === 'workspace') {
    await nextIndex(seat, checkout, committed)
    await refuseLocked(checkout)
  }
  await update(seat, { ...pending, state: 'committing', keep })
  try {
    await publish(seat, checkout, keep)
  } catch (error) {
    await update(seat, pending)
    throw error
  }
  return commit
}

const prepared = (dir: string) => join(dir, 'index.next')
const lockOf = (checkout: { gitDir: string }) => join(checkout.gitDir, 'index.lock')

/**
 * The checkout's index with the committed paths as they are committed. A path whose staged content is neither what
 * was committed before nor what is now stays as somebody staged it.
 */
async function nextIndex(seat: Seat, checkout: Checkout, committed: readonly Difference[]): Promise<void> {
  const shelf = seat.shelf as Shelf
  const index = prepared(seat.dir)
  const at = { index, cwd: checkout.top }
  await copyIndex(checkout, index)
  const staged = new Map<string, string>()
  for (const row of (await ask(shelf, ['ls-files', '-s', '-z'], at)).split('\0')) {
    const match = /^(\d+) (\w+) 0\t(.*)$/s.exec(row)
    if (match) staged.set(match[3] as string, `${match[1]} ${match[2]}`)
  }
  const due = committed.filter(({ path, from }) => staged.get(path) === (from && `${from.mode} ${from.id}`))
  const input = indexInfo(due)
  if (input !== '') await ask(shelf, ['update-index', '-z', '--replace', '--index-info'], { ...at, input })
}

async function refuseLocked(checkout: Checkout): Promise<void> {
  const lock = lockOf(checkout)
  const there = await readFile(lock).catch(() => undefined)
  if (there === undefined) return
  throw new FailureError({
    code: 'command_failed',
    message: `git: Unable to create '${lock}': File exists.`,
    hint: 'Another git process works in this repository. When it has ended, log the run again.',
  })
}

/** Index lock, branch, index: as git's own commit does it, and repeatable after a crash at each step. */
async function publish(seat: Seat, checkout: Checkout, keep: Keep): Promise<void> {
  const shelf = seat.shelf as Shelf
  if (checkout.where === 'worktree') return advance(shelf, checkout, keep)
  const next = await readFile(prepared(seat.dir))
  const { mtimeMs } = await stat(prepared(seat.dir))
  const lock = lockOf(checkout)
  const handle = await open(lock, 'wx').catch((error: unknown) => {
    throw codeOf(error) === 'EEXIST'
      ? new FailureError({ code: 'command_failed', message: `git: Unable to create '${lock}': File exists.` })
      : error
  })
  try {
    try {
      await handle.writeFile(next)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await setTime(lock, mtimeMs)
    await moveRef(shelf, checkout, keep)
  } catch (error) {
    await rm(lock, { force: true })
    throw error
  }
  await rename(lock, join(checkout.gitDir, 'index'))
  await rm(prepared(seat.dir), { force: true })
}

async function moveRef(shelf: Shelf, checkout: Checkout, { ref, commit, from, line }: Keep): Promise<void> {
  const reason = `anode: keep run ${line.run}`
  const args = ['update-ref', '-m', reason, ...(ref === 'HEAD' ? ['--no-deref'] : []), ref, commit, from]
  await ask(shelf, args, { cwd: checkout.top })
}

/** A candidate's checkout follows the session's branch without being on it: several may stand on one. */
async function advance(shelf: Shelf, { top: cwd }: Checkout, { ref, commit, from }: Keep): Promise<void> {
  const input = `update ${ref} ${commit} ${from}\nupdate HEAD ${commit}\n`
  await ask(shelf, ['update-ref', '--no-deref', '--stdin'], { cwd, input })
  await ask(shelf, ['read-tree', commit], { cwd })
}

/** After a crash: the commit is on its branch, or nothing of it is seen. Answers which. */
export async function settleKeep(
  seat: Seat,
  checkout: Checkout,
  keep: Keep,
): Promise<'committed' | 'undone'> {
  const shelf = seat.shelf as Shelf
  const moved = await contains(shelf, keep.ref, keep.commit, checkout)
  if (checkout.where === 'worktree') {
    if (moved) await ask(shelf, ['read-tree', 'HEAD'], { cwd: checkout.top })
    return moved ? 'committed' : 'undone'
  }
  const lock = lockOf(checkout)
  const next = await readFile(prepared(seat.dir)).catch(() => undefined)
  const locked = await readFile(lock).catch(() => undefined)
  // a lock that begins as ours would is ours: nobody else writes these bytes
  const ours = next !== undefined && locked !== undefined && next.subarray(0, locked.length).equals(locked)
  if (ours && moved && locked.length === next.length) await rename(lock, join(checkout.gitDir, 'index'))
  else if (ours) await rm(lock, { force: true })
  await rm(prepared(seat.dir), { force: true })
  return moved ? 'committed' : 'undone'
}

/** Whether the ref has the commit, also below what others have committed since. */
async function contains(shelf: Shelf, ref: string, commit: string, checkout: Checkout): Promise<boolean> {
  const tip = await resolveCommit(shelf, ref, checkout.top)
  if (tip === undefined) return false
  if (tip === commit) return true
  const between = await ask(shelf, ['rev-list', '--max-count=1', `${tip}..${commit}`], { cwd: checkout.top })
  return between.trim() === ''
}
