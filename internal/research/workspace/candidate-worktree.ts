// Worktrees for candidates, based on the session's own branch and separate from the user's checkout.
import { readdir, realpath, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { leadsOutside } from '../../base/dirs.ts'
import { FailureError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import {
  compareTrees,
  createPatch,
  type GitRepository,
  graftTree,
  resolveCommit,
  resolveTree,
  runGit,
  unpackTree,
} from '../git/git-tree.ts'
import { needsGitError } from '../git/session-refs.ts'
import { mergeTrees } from '../git/tree-merge.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import { restorePaths } from '../outcome/restore.ts'
import type { CandidateWorktree } from '../session.ts'
import { snapshotCheckout } from './candidate-snapshot.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  queueWrite,
  withActiveSession,
} from './experiment-workspace.ts'
import { overlaySealedFiles } from './integrity-lock.ts'
import { slugName } from './session-home.ts'
import { type CandidateCheckout, readIfPresent } from './session-location.ts'

/**
 * Returns the branch for results that are kept in worktrees. Each segment, which is the part of the ledger
 * under one configuration, has a separate branch.
 */
export function sessionBranch(session: LockedSession): string {
  const segment = session.ledgerFile.folded.active?.config.segment ?? 0
  return `refs/heads/anode/${session.dir.split('/').at(-1)}${segment === 0 ? '' : `-${segment}`}`
}

const worktreesOf = (session: LockedSession) => join(session.dir, 'wt')

/**
 * Creates a worktree that contains the best tree, or reuses the worktree `spare` for it. Throws FailureError
 * such as `no_session`, `needs_git`, or `run_pending` if the run in `spare` is not logged.
 */
export function createCandidate(
  experiment: ExperimentWorkspace,
  label = 'candidate',
  spare?: string,
): Promise<CandidateWorktree> {
  return withActiveSession(experiment, (session, segment) =>
    queueWrite(session, () =>
      spare === undefined ? makeWorktree(session, segment, label) : renewWorktree(session, segment, spare),
    ),
  )
}

async function makeWorktree(
  session: LockedSession,
  segment: ExperimentSegment,
  label: string,
): Promise<CandidateWorktree> {
  const { repo } = session
  if (!repo || segment.best?.tree === undefined) throw needsGitError('a candidate in a worktree')
  const tip = await tipOf(session, repo, segment)
  makeDirectory(worktreesOf(session), 0o700)
  const usedNames = new Set(await readdir(worktreesOf(session)))
  // Names that begin with `arm` and a digit are reserved for the checkouts of measurements.
  const base = slugName(label).replace(/^arm(?=\d)/, 'arm-')
  let name = base
  for (let n = 2; usedNames.has(name); n++) name = `${base}-${n}`
  const path = join(worktreesOf(session), name)
  // The option --force is necessary, because git still lists a worktree whose directory was deleted.
  await runGit(repo, ['worktree', 'add', '--force', '--detach', '--no-checkout', '--quiet', path, tip])
  await runGit(repo, ['read-tree', tip], { cwd: path })
  await fillWorktree(session, segment, path)
  const real = await realpath(path)
  session.experiment.checkouts.delete(real)
  const { gitDir } = await worktreeAt(session, real)
  await writeFile(madeOn(gitDir), toOriginText(segment.best.tree))
  return { path: real, tree: segment.best.tree, label: name }
}

/**
 * Returns the latest commit of the session's branch. A missing branch is created at the latest known commit
 * of the best tree, or else at HEAD.
 */
async function tipOf(
  session: LockedSession,
  repo: GitRepository,
  segment: ExperimentSegment,
): Promise<string> {
  const branch = sessionBranch(session)
  const there = await resolveCommit(repo, branch)
  if (there !== undefined) return there
  const tip = segment.head ?? ((await resolveCommit(repo, 'HEAD')) as string)
  await runGit(repo, ['update-ref', branch, tip, ''])
  return tip
}

/**
 * Writes the files of the best tree into a worktree, and over them the locked files in their original state.
 */
async function fillWorktree(session: LockedSession, segment: ExperimentSegment, top: string): Promise<void> {
  await unpackTree(session.repo as GitRepository, segment.best?.tree as string, top)
  await overlaySealedFiles(
    session.dir,
    segment.lock,
    join(top, session.experiment.where.repository?.prefix ?? ''),
  )
}

/**
 * Empties a worktree for a new candidate: all its files are replaced with those of the best tree. Throws
 * FailureError `run_pending` if the run of its last candidate is not logged.
 */
async function renewWorktree(
  session: LockedSession,
  segment: ExperimentSegment,
  path: string,
): Promise<CandidateWorktree> {
  const { repo } = session
  if (!repo || segment.best?.tree === undefined) throw needsGitError('a candidate in a worktree')
  const { top, gitDir } = await worktreeAt(session, path)
  refuseOpen(session, path, top)
  const note = madeOn(gitDir)
  // The text file next to the index names no tree until the files are complete. After a crash, such a
  // worktree does not count as a candidate.
  await writeFile(note, toOriginText(''))
  const tip = await tipOf(session, repo, segment)
  if ((await readIfPresent(join(gitDir, 'HEAD')))?.trim() !== tip) {
    await runGit(repo, ['update-ref', '--no-deref', 'HEAD', tip], { cwd: top })
    await runGit(repo, ['read-tree', tip], { cwd: top })
  }
  for (const name of await readdir(top))
    if (name !== '.git') await rm(join(top, name), { recursive: true, force: true })
  await fillWorktree(session, segment, top)
  await writeFile(note, toOriginText(segment.best.tree))
  return { path: top, tree: segment.best.tree, label: basename(top) }
}

function refuseOpen(session: LockedSession, path: string, real: string): void {
  const open = session.pending.find((pending) => pending.candidate === path || pending.candidate === real)
  if (open)
    throw new FailureError({ code: 'run_pending', message: `run ${open.run} in ${path} is not logged` })
}

/**
 * Returns the path of a text file next to the git index. It contains the tree from which a candidate was
 * created, and the process that created the candidate.
 */
const madeOn = (gitDir: string) => join(gitDir, 'anode-base')

/** Returns the content of the file at `madeOn`: the tree, and the process that owns the candidate. */
const toOriginText = (tree: string) => `${tree}\n${processIdentity()}\n`

/** Records a kept candidate's tree as the one from which further changes in this checkout begin. */
export async function recordBest({ gitDir }: CandidateCheckout, tree: string | undefined): Promise<void> {
  if (tree !== undefined) await writeFile(madeOn(gitDir), toOriginText(tree))
}

/**
 * Returns the checkout at a path, which is that of a candidate or of any other worktree of the
 * repository. Throws FailureError `not_found` for another path, such as a directory inside a worktree, and
 * for the user's checkout, and `needs_git` without a repository.
 */
export async function worktreeAt(session: LockedSession, path: string): Promise<CandidateCheckout> {
  const { repo } = session
  const { repository } = session.experiment.where
  if (!repo || !repository) throw needsGitError('a candidate in a worktree')
  const real = await realpath(path).catch(() => undefined)
  if (real === undefined) throw noWorktree(path)
  const cachedCheckout = session.experiment.checkouts.get(real)
  if (cachedCheckout) return cachedCheckout
  const args = [
    'rev-parse',
    '--show-toplevel',
    '--absolute-git-dir',
    '--path-format=absolute',
    '--git-common-dir',
  ]
  const answer = await runGit(repo, args, { cwd: real }).catch(() => '')
  const [top = '', gitDir = '', common = ''] = answer.split('\n')
  if (common === '' || (await realpath(common)) !== repository.commonDir) throw noWorktree(path)
  const realTop = await realpath(top)
  if (realTop === repository.top) throw noWorktree(path)
  if (realTop !== real) {
    const message = `not the top of a worktree: ${path}`
    throw new FailureError({ code: 'not_found', message, hint: `Name the whole worktree: ${realTop}` })
  }
  const checkout: CandidateCheckout = {
    top: real,
    gitDir,
    where: 'worktree',
    path: join(real, repository.prefix),
  }
  session.experiment.checkouts.set(real, checkout)
  return checkout
}

/**
 * Removes a worktree and its entry in git's list. Other missing worktrees stay in the list, because they may
 * be on a disk that is not mounted.
 */
async function removeWorktree(repo: GitRepository, path: string): Promise<void> {
  await runGit(repo, ['worktree', 'remove', '--force', path])
}

const noWorktree = (path: string) =>
  new FailureError({ code: 'not_found', message: `not another worktree of this repository: ${path}` })

/**
 * Removes a candidate's worktree. Does nothing if the path does not exist. Throws FailureError `run_pending`
 * while its result is not in the ledger, `not_found` for a path that is not a worktree of this session.
 */
export function dropCandidate(experiment: ExperimentWorkspace, path: string): Promise<void> {
  return withActiveSession(experiment, async (session) => {
    const real = await realpath(path).catch(() => undefined)
    if (real === undefined) return
    refuseOpen(session, path, real)
    const below = relative(await realpath(worktreesOf(session)), real)
    if (leadsOutside(below) || below === '' || below.includes('/')) throw noWorktree(path)
    await queueWrite(session, async () => {
      session.experiment.checkouts.delete(real)
      session.experiment.seen.delete(real)
      await removeWorktree(session.repo as GitRepository, real)
    })
  })
}

/**
 * Moves a candidate that was made from an older best tree to the current best tree. Its changes are merged
 * with those that were kept since, path by path and then line by line. Returns `current` if it was made
 * from the current best tree, and `conflict`, with its files unchanged, if they do not merge or its first
 * tree is unknown.
 */
export function rebaseCandidate(
  experiment: ExperimentWorkspace,
  path: string,
): Promise<'current' | 'rebased' | 'conflict'> {
  return withActiveSession(experiment, async (session, segment) => {
    const checkout = await worktreeAt(session, path)
    const repo = session.repo as GitRepository
    const best = segment.best?.tree as string
    const note = madeOn(checkout.gitDir)
    const base = ((await readIfPresent(note)) ?? '').split('\n')[0] ?? ''
    if (base === best) return 'current'
    if (base === '' || (await resolveTree(repo, base)) === undefined) return 'conflict'
    const tree = await snapshotCheckout(session, checkout)
    const merged = await mergeTrees(repo, { base, ours: best, theirs: tree })
    if (merged === undefined) return 'conflict'
    const tip = (await resolveCommit(repo, sessionBranch(session))) as string
    await restorePaths(session, checkout, merged, await compareTrees(repo, merged, tree))
    await runGit(repo, ['update-ref', '--no-deref', 'HEAD', tip], { cwd: checkout.top })
    await runGit(repo, ['read-tree', await graftTree(repo, tip, [])], { cwd: checkout.top })
    await writeFile(note, toOriginText(best))
    return 'rebased'
  })
}

/**
 * Removes the worktrees of candidates whose process has ended and that have no open run. Their changes since
 * they were created are first stored as patches in `lost/`. Returns the paths of these patches.
 */
export async function sweepWorktrees(session: LockedSession): Promise<string[]> {
  const { repo } = session
  if (!repo) return []
  const lost: string[] = []
  const names = await readdir(worktreesOf(session)).catch(() => [])
  for (const name of names.filter((one) => !/^arm\d/.test(one))) {
    const path = join(worktreesOf(session), name)
    const checkout = await worktreeAt(session, path).catch(() => undefined)
    if (!checkout || session.pending.some(({ candidate: open }) => open === path || open === checkout.top))
      continue
    const [base = '', mark = ''] = ((await readIfPresent(madeOn(checkout.gitDir))) ?? '').split('\n')
    if (mark !== '' && isAlive(mark, 0)) continue
    const text = base === '' ? '' : await createPatch(repo, base, await snapshotCheckout(session, checkout))
    if (text !== '') {
      makeDirectory(join(session.dir, 'lost'), 0o700)
      const file = join(session.dir, 'lost', `${name}-${Date.now()}.diff`)
      await writeAtomic(file, Buffer.from(text), { mode: 0o600 })
      lost.push(file)
    }
    session.experiment.checkouts.delete(checkout.top)
    await removeWorktree(repo, path)
  }
  return lost
}
