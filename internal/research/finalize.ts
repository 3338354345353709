// The kept results as commits on a branch of their own, for a person to review; rejected candidates are let go.
import { UserError } from '../base/errors.ts'
import { gitText } from '../process/git.ts'
import { type Desk, type Seat, sitHere } from './desk.ts'
import type { Segment } from './fold.ts'
import type { RunLine } from './line.ts'
import { merge } from './merge.ts'
import { needsGit, refs } from './refs.ts'
import type { Finalized } from './session.ts'
import { ask, compare, graft, resolveCommit, type Shelf } from './tree.ts'

/**
 * Replays the kept commits of the active segment in their order on the commit that it began at. Throws UserError when
 * the branch exists, nothing is kept, or a commit does not fit; nothing has been written then.
 */
export function finalize(desk: Desk, { branch }: { branch?: string } = {}): Promise<Finalized> {
  return sitHere(desk, async (seat, segment) => {
    const { shelf } = seat
    const base = segment.config.head
    if (!shelf || base === undefined) throw needsGit('a branch for review')
    const name = branch ?? `anode/${seat.dir.split('/').at(-1)}-review`
    const ref = await refOf(shelf, name)
    const commits = await replay(seat, shelf, segment, base)
    await ask(shelf, ['update-ref', ref, commits.at(-1)?.commit ?? base, ''])
    return { branch: name, base, commits, released: await release(seat, shelf, segment) }
  })
}

async function refOf(shelf: Shelf, name: string): Promise<string> {
  const ref = `refs/heads/${name}`
  const valid = await ask(shelf, ['check-ref-format', ref]).then(
    () => true,
    () => false,
  )
  if (!valid)
    throw new UserError(`${name} cannot be the name of a branch`, { hint: 'Give another with --branch.' })
  if ((await resolveCommit(shelf, ref)) === undefined) return ref
  throw new UserError(`there is a branch ${name} already`, { hint: 'Give another with --branch.', exit: 1 })
}

async function replay(
  seat: Seat,
  shelf: Shelf,
  { runs }: Segment,
  base: string,
): Promise<Finalized['commits']> {
  const kept = runs.filter(({ status, commit }) => status === 'keep' && commit)
  if (kept.length === 0) throw new UserError('nothing is kept that a branch could hold', { exit: 1 })
  const commits: Finalized['commits'] = []
  let tip = base
  for (const line of kept) {
    tip = await again(seat, shelf, line, tip)
    const subject = (await ask(shelf, ['show', '-s', '--format=%s', tip])).trim()
    commits.push({ run: line.run, commit: tip, subject })
  }
  return commits
}

/** The same change with the same words by the same author, without what belongs to the ledger. */
async function again(seat: Seat, shelf: Shelf, { run, commit }: RunLine, tip: string): Promise<string> {
  const auto = `${seat.desk.where.repository?.prefix ?? ''}.auto/`
  const before = `${commit}^`
  const changes = (await compare(shelf, before, commit as string)).filter(
    ({ path }) => !path.startsWith(auto),
  )
  const theirs = await graft(shelf, before, changes)
  const tree = await merge(shelf, { base: before, ours: tip, theirs })
  if (tree === undefined) {
    throw new UserError(`run ${run} builds on changes that are not committed`, {
      hint: 'Commit what was changed before the session began, or take the session branch as it is.',
      exit: 1,
    })
  }
  const [name, email, date, ...message] = (
    await ask(shelf, ['show', '-s', '--format=%an%n%ae%n%aI%n%B', commit as string])
  ).split('\n')
  const author = { GIT_AUTHOR_NAME: name ?? '', GIT_AUTHOR_EMAIL: email ?? '', GIT_AUTHOR_DATE: date ?? '' }
  const made = await gitText(shelf.run, shelf.top, ['commit-tree', tree, '-p', tip], {
    input: `${message.join('\n').trimEnd()}\n`,
    extraEnv: author,
  })
  return made.trim()
}

/** Git may collect from now on what rejected runs left; the patches stay in the data directory. */
async function release(seat: Seat, shelf: Shelf, { runs }: Segment): Promise<number> {
  const prefix = `${refs(seat.dir)}/`
  const held = (await ask(shelf, ['for-each-ref', '--format=%(refname)', prefix])).split('\n')
  const rejected = runs.filter(({ status }) => status !== 'keep' && status !== 'baseline')
  const gone = rejected.map(({ run }) => `${prefix}${run}`).filter((name) => held.includes(name))
  const input = gone.map((name) => `delete ${name}\n`).join('')
  if (gone.length > 0) await ask(shelf, ['update-ref', '--stdin'], { input })
  return gone.length
}
