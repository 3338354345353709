// Branch of the kept commits for review, and deletion of the refs of rejected candidates.
import { FailureError, UserError } from '../../base/errors.ts'
import { gitText } from '../../process/git/git.ts'
import { compareTrees, type GitRepository, graftTree, resolveCommit, runGit } from '../git/git-tree.ts'
import { needsGitError, sessionRefs } from '../git/session-refs.ts'
import { mergeTrees } from '../git/tree-merge.ts'
import type { RunLine } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { ReviewBranch } from '../session.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  withActiveSession,
} from '../workspace/experiment-workspace.ts'

/**
 * Creates a branch with the kept commits of the active segment, applied in their order to the commit at which
 * the segment began, then deletes the refs of rejected runs. Throws UserError if the branch exists, its name
 * is invalid or conflicts with that of another branch, nothing was kept, or a commit does not fit, and
 * FailureError `needs_git` without a repository. After one of these errors, no branch was created.
 */
export function createReviewBranch(
  experiment: ExperimentWorkspace,
  { branch }: { branch?: string } = {},
): Promise<ReviewBranch> {
  return withActiveSession(experiment, async (session, segment) => {
    const { repo } = session
    const base = segment.config.head
    if (!repo || base === undefined) throw needsGitError('a branch for review')
    const name = branch ?? `anode/${session.dir.split('/').at(-1)}-review`
    const ref = await refOf(repo, name)
    const commits = await replayRuns(session, repo, segment, base)
    await createRef(repo, ref, commits.at(-1)?.commit ?? base)
    return { branch: name, base, commits, released: await releaseRefs(session, repo, segment) }
  })
}

async function refOf(repo: GitRepository, name: string): Promise<string> {
  const ref = `refs/heads/${name}`
  // `--branch` also refuses names that git takes for something else: those with a dash in front, and HEAD
  const isValid = await runGit(repo, ['check-ref-format', '--branch', name]).then(
    (output) => output.trim() === name,
    () => false,
  )
  if (!isValid)
    throw new UserError(`${name} cannot be the name of a branch`, { hint: 'Give another with --branch.' })
  if ((await resolveCommit(repo, ref)) === undefined) return ref
  throw new UserError(`there is a branch ${name} already`, { hint: 'Give another with --branch.', exit: 1 })
}

/**
 * Creates a ref that does not exist yet. Throws UserError if git cannot create it because of another ref,
 * such as `a/b` if there is `a`.
 */
async function createRef(repo: GitRepository, ref: string, commit: string): Promise<void> {
  try {
    await runGit(repo, ['update-ref', ref, commit, ''])
  } catch (error) {
    if (!(error instanceof FailureError) || error.failure.code !== 'command_failed') throw error
    const name = ref.replace('refs/heads/', '')
    throw new UserError(`the branch ${name} cannot be created: ${error.failure.message}`, {
      hint: 'Give another with --branch.',
      exit: 1,
    })
  }
}

async function replayRuns(
  session: LockedSession,
  repo: GitRepository,
  { runs }: ExperimentSegment,
  base: string,
): Promise<ReviewBranch['commits']> {
  const keptRuns = runs.filter(({ status, commit }) => status === 'keep' && commit)
  if (keptRuns.length === 0) throw new UserError('nothing is kept that a branch could hold', { exit: 1 })
  const commits: ReviewBranch['commits'] = []
  let tip = base
  for (const line of keptRuns) {
    tip = await replayCommit(session, repo, line, tip)
    const subject = (await runGit(repo, ['show', '-s', '--format=%s', tip])).trim()
    commits.push({ run: line.run, commit: tip, subject })
  }
  return commits
}

/**
 * Creates a commit on `tip` with the changes, the message and the author of a kept commit, without files in
 * `.auto/`. Returns its id. Throws UserError if the changes do not fit `tip`.
 */
async function replayCommit(
  session: LockedSession,
  repo: GitRepository,
  { run, commit }: RunLine,
  tip: string,
): Promise<string> {
  const auto = `${session.experiment.where.repository?.prefix ?? ''}.auto/`
  const before = `${commit}^`
  const changes = (await compareTrees(repo, before, commit as string)).filter(
    ({ path }) => !path.startsWith(auto),
  )
  const theirs = await graftTree(repo, before, changes)
  const tree = await mergeTrees(repo, { base: before, ours: tip, theirs })
  if (tree === undefined) {
    throw new UserError(`run ${run} builds on changes that are not committed`, {
      hint: 'Commit what was changed before the session began, or take the session branch as it is.',
      exit: 1,
    })
  }
  const [name, email, date, ...message] = (
    await runGit(repo, ['show', '-s', '--format=%an%n%ae%n%aI%n%B', commit as string])
  ).split('\n')
  const author = { GIT_AUTHOR_NAME: name ?? '', GIT_AUTHOR_EMAIL: email ?? '', GIT_AUTHOR_DATE: date ?? '' }
  const newCommit = await gitText(repo.run, repo.top, ['commit-tree', tree, '-p', tip], {
    input: `${message.join('\n').trimEnd()}\n`,
    extraEnv: author,
  })
  return newCommit.trim()
}

/**
 * Deletes the refs of rejected runs, so that git can delete their objects. The patches stay in the data
 * directory. Returns the number of deleted refs.
 */
async function releaseRefs(
  session: LockedSession,
  repo: GitRepository,
  { runs }: ExperimentSegment,
): Promise<number> {
  const prefix = `${sessionRefs(session.dir)}/`
  const existingRefs = (await runGit(repo, ['for-each-ref', '--format=%(refname)', prefix])).split('\n')
  const rejected = runs.filter(({ status }) => status !== 'keep' && status !== 'baseline')
  const rejectedRefs = rejected
    .map(({ run }) => `${prefix}${run}`)
    .filter((name) => existingRefs.includes(name))
  const input = rejectedRefs.map((name) => `delete ${name}\n`).join('')
  if (rejectedRefs.length > 0) await runGit(repo, ['update-ref', '--stdin'], { input })
  return rejectedRefs.length
}
