// Commands for a build after its end: show a task, merge the branch, or remove the build.
import { existsSync } from 'node:fs'
import { UserError } from '../../base/errors.ts'
import { makeBuildEntry, type ReportedCall } from '../../build/entries.ts'
import type { BuildProofs } from '../../build/report/build-report.ts'
import { type BuildTaskSummary, shortBranch, summarizeBuild } from '../../build/summary.ts'
import type { ProofReceipt } from '../../proof/prove.ts'
import { branchOf } from '../../research/git/git-state.ts'
import { type GitRepository, resolveCommit, runGit } from '../../research/git/git-tree.ts'
import { gitRepositoryOf, tryGit, withWorktreeTools } from '../runs/worktree/worktree-git.ts'
import { type BuildRun, demandNoLeader } from './build-leader.ts'
import { openBuildWorktrees } from './build-worktrees.ts'
import { withBuild } from './known-builds.ts'

type BuildAccess = Pick<BuildRun, 'cwd' | 'env' | 'signal'>

interface BuildTaskDetails extends BuildTaskSummary {
  /** The patch of the latest attempt; empty without one. */
  patch: string
  proof: ProofReceipt | null
  output: string
  /** Calls of the latest attempt as the agent of another program has reported them. */
  reported: readonly ReportedCall[]
}

/** Returns one task with its patch and proof. Throws UserError for an unknown build or task. */
export function readBuildTask(name: string, task: string, place: BuildAccess): Promise<BuildTaskDetails> {
  return withBuild(name, place, async ({ journal, id, state, isLed }) => {
    const current = await state()
    const taskState = current.tasks.get(task)
    const summary = summarizeBuild(current, await isLed()).tasks.find((one) => one.id === task)
    if (!taskState || !summary)
      throw new UserError(`build ${id} has no task "${task}"`, { hint: [...current.tasks.keys()].join(', ') })
    const parts = await Promise.all(taskState.patch.map((hash) => journal.open(id, hash)))
    const patch = Buffer.concat(parts.map((part) => part ?? new Uint8Array())).toString('utf8')
    const { output = '', reported = [] } = taskState.step ?? {}
    return { ...summary, patch, proof: taskState.proof?.receipt ?? null, output, reported }
  })
}

/** Returns the checks of a finished build and of its merged tasks. Throws UserError for an unknown build. */
export const readProofs = (name: string, place: BuildAccess): Promise<BuildProofs> =>
  withBuild(name, place, async ({ state }) => {
    const { closing, tasks } = await state()
    return {
      closing: closing?.checks ?? [],
      tasks: new Map([...tasks].map(([id, { proof }]) => [id, proof?.receipt.checks ?? []])),
    }
  })

/**
 * Returns the number of commits on the user's branch since the start of the build. Returns 0 if the
 * build started without a branch, or if the branch or the repository no longer exists. Throws UserError
 * for an unknown build.
 */
export async function countDistance(name: string, place: BuildAccess): Promise<number> {
  const { head } = await withBuild(name, place, ({ state }) => state())
  return withWorktreeTools(place.env, place.signal, async (tools) => {
    if (head.from === null || !existsSync(head.top)) return 0
    const repo = gitRepositoryOf(tools, head.top, head.project)
    if ((await resolveCommit(repo, head.from)) === undefined) return 0
    return Number(await runGit(repo, ['rev-list', '--count', `${head.base}..${head.from}`]))
  })
}

/**
 * Moves the checked-out branch forward to the branch of the build, without a merge commit. Throws UserError
 * (exit 1) while a process leads the build, and if the build has no commit, no branch is checked out, or git
 * cannot move it. Also throws it for uncommitted changes of tracked files, and unless the checked-out branch
 * is an ancestor of the build's branch.
 */
export function mergeBuild(
  name: string,
  place: BuildAccess,
): Promise<{ id: string; into: string; commit: string; commits: number }> {
  return withBuild(name, place, ({ journal, id, state }) =>
    withWorktreeTools(place.env, place.signal, async (tools) => {
      await demandNoLeader(journal, id)
      const { head, commits } = await state()
      const repo = gitRepositoryOf(tools, head.top, head.project)
      const tip = await resolveCommit(repo, head.ref)
      if (tip === undefined || commits.length === 0)
        throw new UserError(`build ${id} has nothing to merge`, { exit: 1 })
      const into = await branchOf(repo)
      if (into === undefined) throw new UserError('no branch is checked out', { exit: 1 })
      await requireClean(repo)
      await requireAncestor(repo, tip, { into, ref: head.ref })
      const count = Number(await runGit(repo, ['rev-list', '--count', `HEAD..${tip}`]))
      const args = ['merge', '--quiet', '--ff-only', '--no-autostash', tip]
      const moved = await tryGit(repo, head.top, args)
      if (moved.exit !== 0)
        throw new UserError(`git could not move ${shortBranch(into)}`, {
          hint: moved.stderr.text.trim(),
          exit: 1,
        })
      return { id, into: shortBranch(into), commit: tip, commits: count }
    }),
  )
}

async function requireClean(repo: GitRepository): Promise<void> {
  const changed = await runGit(repo, ['status', '--porcelain', '--untracked-files=no'])
  if (changed.trim() === '') return
  throw new UserError('the checkout has changes that are not committed', {
    hint: 'commit or stash them, then merge',
    exit: 1,
  })
}

async function requireAncestor(
  repo: GitRepository,
  tip: string,
  { into, ref }: { into: string; ref: string },
): Promise<void> {
  const isAncestor = await tryGit(repo, repo.top, ['merge-base', '--is-ancestor', 'HEAD', tip])
  if (isAncestor.exit === 0) return
  throw new UserError(`${shortBranch(into)} has moved since the build started`, {
    hint: `git rebase ${shortBranch(into)} ${shortBranch(ref)}, check it, then git merge --ff-only`,
    exit: 1,
  })
}

/**
 * Removes the worktrees and the branch of a build, if its repository exists, and its list entry. Throws
 * UserError (exit 1) while a process leads it, and without `force` if its branch has commits that no
 * other branch has.
 */
export function dropBuild(name: string, force: boolean, place: BuildAccess): Promise<{ id: string }> {
  return withBuild(name, place, ({ journal, id, state }) =>
    withWorktreeTools(place.env, place.signal, async (tools) => {
      await demandNoLeader(journal, id)
      const { head } = await state()
      if (existsSync(head.top)) {
        const worktrees = openBuildWorktrees(tools, head)
        if (!force) await requireMergedBranch(worktrees.repo, head.ref)
        await worktrees.removeAll()
        await tryGit(worktrees.repo, head.top, ['update-ref', '-d', head.ref])
      }
      await journal.append(id, [makeBuildEntry('dropped', {}, 'dropped')])
      return { id }
    }),
  )
}

async function requireMergedBranch(repo: GitRepository, ref: string): Promise<void> {
  if ((await resolveCommit(repo, ref)) === undefined) return
  const args = [
    'rev-list',
    '--count',
    ref,
    '--not',
    `--exclude=${shortBranch(ref)}`,
    '--branches',
    '--remotes',
  ]
  const count = Number(await runGit(repo, args))
  if (count === 0) return
  throw new UserError(`${shortBranch(ref)} has ${count} commits that no other branch has`, {
    hint: '`anode build merge` takes them over; --force drops them',
    exit: 1,
  })
}
