// Recovery after a crash: it closes open runs, restores files, and continues from the last completed step.
import { join } from 'node:path'
import { FailureError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { isAlive, processIdentity } from '../../base/process-identity.ts'
import {
  compareTrees,
  createPatch,
  type GitRepository,
  runGit,
  type TreeDifference,
} from '../git/git-tree.ts'
import { retainTree, sessionRefs } from '../git/session-refs.ts'
import type { ExperimentRun, RunLine } from '../ledger/experiment-run.ts'
import { currentTimestamp } from '../ledger/ledger-file.ts'
import { draftRunLine } from '../ledger/run-line.ts'
import type { RecoveryResult } from '../session.ts'
import { workspaceCheckout } from '../workspace/candidate-snapshot.ts'
import { worktreeAt } from '../workspace/candidate-worktree.ts'
import { matchesEntry } from '../workspace/change-scope.ts'
import {
  closePendingRun,
  type LockedSession,
  recordEntry,
  updatePendingRun,
} from '../workspace/experiment-workspace.ts'
import type { CandidateCheckout } from '../workspace/session-location.ts'
import { recoverCommit } from './kept-commit.ts'
import { restorePaths } from './restore.ts'

/**
 * Recovers open runs, as the first step after taking the session's lock. Returns what was done about the last
 * recovered run, and the notices about all recovered runs. Throws FailureError `busy` if a living process
 * works on an open run.
 */
export async function recoverRuns(session: LockedSession): Promise<RecoveryResult> {
  const resumed: RecoveryResult = { recovered: 'nothing', worktree_clean: true, notes: [] }
  for (const pending of [...session.pending]) {
    const done = await recoverRun(session, pending)
    if (done.recovered === 'nothing') continue
    resumed.recovered = done.recovered
    resumed.run = pending.run
    resumed.notes.push(...done.notes)
    resumed.worktree_clean &&= done.clean
    session.experiment.tell({
      kind: 'warning',
      code: 'recovered',
      text: `run ${pending.run}: ${done.recovered}`,
    })
  }
  return resumed
}

interface RecoveredRun {
  recovered: RecoveryResult['recovered']
  notes: string[]
  clean: boolean
}

const quiet: RecoveredRun = { recovered: 'nothing', notes: [], clean: true }

async function recoverRun(session: LockedSession, pending: ExperimentRun): Promise<RecoveredRun> {
  const logged = isLogged(session, pending.run)
  if (logged || pending.state === 'logged') {
    const { kept: keptPaths } = pending.restore ? await restoreCandidate(session, pending) : nothing
    await closePendingRun(session, pending.run)
    return { recovered: 'restored', notes: keptPaths.map(describeKeptPath), clean: keptPaths.length === 0 }
  }
  if (pending.state === 'running') {
    const alive =
      pending.mark !== processIdentity() && isAlive(pending.mark, Date.now() - Date.parse(pending.started))
    if (alive)
      throw new FailureError({
        code: 'busy',
        message: `busy, pid ${pending.pid}`,
        detail: { pid: pending.pid },
      })
    const keptPaths = await logInterrupted(session, pending)
    return { recovered: 'interrupted', notes: keptPaths.map(describeKeptPath), clean: keptPaths.length === 0 }
  }
  if (pending.state === 'committing') {
    const checkout = await pendingCheckout(session, pending)
    const outcome = checkout ? await recoverCommit(session, checkout, pending.keep) : 'undone'
    if (outcome === 'committed') {
      await recordEntry(session, pending.keep.line)
      await closePendingRun(session, pending.run)
      return { recovered: 'committed', notes: [], clean: true }
    }
    const { keep: _, ...measured } = pending
    await updatePendingRun(session, { ...measured, state: 'measured' })
    return { recovered: 'measured', notes: [`run ${pending.run} is to be logged again`], clean: true }
  }
  return quiet
}

const describeKeptPath = (path: string) => `${path} was changed meanwhile and left as it is`

const isLogged = (session: LockedSession, run: number) =>
  session.ledgerFile.ledger.entries.some((entry) => entry.type === 'run' && entry.run === run)

/** Returns the line that would be logged for an open run in its current state. */
export const proposedLine = (session: LockedSession, pending: ExperimentRun): RunLine =>
  draftRunLine(pending, session.ledgerFile.folded.active?.best?.carry ?? {}, currentTimestamp())

/**
 * Logs an interrupted run as a crash and reverts its candidate. Returns the paths that it did not revert
 * because they have changed since, are reached through a link, or are submodules.
 */
export async function logInterrupted(session: LockedSession, pending: ExperimentRun): Promise<string[]> {
  const line: RunLine = { ...proposedLine(session, pending), status: 'crash', reason: 'interrupted' }
  return (await finishRun(session, pending, line, true)).kept
}

/**
 * Logs the open runs as crashes (`abandoned`) before a new segment begins. Their files are left unchanged.
 */
export async function abandonRuns(session: LockedSession): Promise<void> {
  for (const pending of [...session.pending])
    await finishRun(
      session,
      pending,
      { ...proposedLine(session, pending), status: 'crash', reason: 'abandoned' },
      false,
    )
}

/**
 * Stores the patch and appends the line. If `restoring` is true, it then reverts the candidate's paths to the
 * best tree. Returns the paths that were restored and those that were not.
 */
export async function finishRun(
  session: LockedSession,
  pending: ExperimentRun,
  line: RunLine,
  restoring: boolean,
): Promise<PutBack> {
  await storePatch(session, pending)
  // The decision is stored before the line, because after that only this record says whether files have
  // to be restored.
  await updatePendingRun(session, { ...pending, restore: restoring })
  await recordEntry(session, { ...line, timestamp: currentTimestamp() })
  await updatePendingRun(session, { ...pending, state: 'logged', restore: restoring })
  const done = restoring ? await restoreCandidate(session, pending) : nothing
  await closePendingRun(session, pending.run)
  return done
}

/**
 * Stores the candidate's patch with the run's data and, if it differs from the best tree, its tree in one of
 * Anode's refs. Does nothing without a repository or a tree.
 */
export async function storePatch(
  session: LockedSession,
  { run, tree, parent, head }: ExperimentRun,
): Promise<void> {
  const { repo } = session
  if (!repo || tree === undefined || parent === undefined) return
  const folder = join(session.dir, 'runs', String(run))
  makeDirectory(folder, 0o700)
  const keepPatch = async () => {
    const text = tree === parent ? '' : await createPatch(repo, parent, tree)
    await writeAtomic(join(folder, 'patch.diff'), Buffer.from(text), { mode: 0o600 })
  }
  if (tree === parent) return keepPatch()
  const [commit] = await Promise.all([retainTree(repo, tree, head, `experiment ${run}`), keepPatch()])
  await runGit(repo, ['update-ref', `${sessionRefs(session.dir)}/${run}`, commit])
}

/**
 * Returns the checkout of a pending run's candidate, or undefined if its worktree has been removed or the
 * workspace is not in a repository.
 */
export async function pendingCheckout(
  session: LockedSession,
  pending: ExperimentRun,
): Promise<CandidateCheckout | undefined> {
  if (pending.candidate === undefined) return workspaceCheckout(session)
  return worktreeAt(session, pending.candidate).catch((error: unknown) => {
    if (error instanceof FailureError && error.failure.code === 'not_found') return undefined
    throw error
  })
}

/**
 * Result for the paths in which a candidate differs from the best tree: which were restored and
 * which were not.
 */
interface PutBack {
  restored: string[]
  /**
   * Paths that were not restored, because the user or another process has changed them since the measurement,
   * because they are reached through a link, or because they are submodules.
   */
  kept: string[]
  /**
   * Paths that never belonged to the candidate: they are outside of the scope, or equal a commit of the user.
   */
  leftAlone: string[]
}

const nothing: PutBack = { restored: [], kept: [], leftAlone: [] }

async function restoreCandidate(session: LockedSession, pending: ExperimentRun): Promise<PutBack> {
  const { parent, tree } = pending
  const checkout = await pendingCheckout(session, pending)
  if (!checkout || parent === undefined || tree === undefined) return nothing
  const all = await compareTrees(session.repo as GitRepository, parent, tree)
  const changes = await changesInScope(session, all)
  const candidatePaths = new Set(
    await changedHere(
      session,
      pending,
      checkout,
      changes.map(({ path }) => path),
    ),
  )
  const due = changes.filter(({ path }) => candidatePaths.has(path))
  const leftAlone = all.filter((change) => !due.includes(change)).map(({ path }) => path)
  return { ...(await restorePaths(session, checkout, parent, due)), leftAlone }
}

/**
 * Returns those of `paths` that the candidate has changed compared with the commit of its checkout. For a
 * worktree, or without a known commit, returns all of them. A path that equals the user's own commit differs
 * from the best tree only because that tree came from another checkout. Restoring such a path would overwrite
 * the user's version.
 */
async function changedHere(
  session: LockedSession,
  { head, tree }: ExperimentRun,
  checkout: CandidateCheckout,
  paths: readonly string[],
): Promise<string[]> {
  if (checkout.where === 'worktree' || !head || tree === undefined || paths.length === 0) return [...paths]
  const changed = new Set(
    (await compareTrees(session.repo as GitRepository, head, tree)).map(({ path }) => path),
  )
  return paths.filter((path) => changed.has(path))
}

/**
 * Returns the changes inside the scope, or all changes without a scope. A candidate may not change other
 * paths, so they are not reverted.
 */
export async function changesInScope(
  session: LockedSession,
  changes: readonly TreeDifference[],
): Promise<TreeDifference[]> {
  const scope = session.ledgerFile.folded.active?.config.scope ?? []
  if (scope.length === 0) return [...changes]
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const scopedChanges: TreeDifference[] = []
  for (const change of changes)
    if (change.path.startsWith(prefix) && (await matchesEntry(scope, change.path.slice(prefix.length))))
      scopedChanges.push(change)
  return scopedChanges
}
