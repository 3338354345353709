// Crash recovery: closes open runs, puts files back, and goes on from the step that was reached.
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
 * What taking the session's lock does first. Throws FailureError `busy` when an open run's process is at
 * work.
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
    const { kept } = pending.restore ? await restore(session, pending) : nothing
    await closePendingRun(session, pending.run)
    return { recovered: 'restored', notes: kept.map(left), clean: kept.length === 0 }
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
    const kept = await logInterrupted(session, pending)
    return { recovered: 'interrupted', notes: kept.map(left), clean: kept.length === 0 }
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

const left = (path: string) => `${path} was changed meanwhile and left as it is`

const isLogged = (session: LockedSession, run: number) =>
  session.ledgerFile.ledger.entries.some((entry) => entry.type === 'run' && entry.run === run)

/** What would be logged of a run as it stands. */
export const proposedLine = (session: LockedSession, pending: ExperimentRun): RunLine =>
  draftRunLine(pending, session.ledgerFile.folded.active?.best?.carry ?? {}, currentTimestamp())

/**
 * Logs a run that was cut off as a crash and puts its candidate back; returns the paths that stay as they
 * are.
 */
export async function logInterrupted(session: LockedSession, pending: ExperimentRun): Promise<string[]> {
  const line: RunLine = { ...proposedLine(session, pending), status: 'crash', reason: 'interrupted' }
  return (await finishRun(session, pending, line, true)).kept
}

/** A new segment begins: what is open is logged and stays where it is. */
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
 * Stores the patch, appends the line, and only then puts the candidate's paths back to best. Returns what was
 * put back and what was not.
 */
export async function finishRun(
  session: LockedSession,
  pending: ExperimentRun,
  line: RunLine,
  restoring: boolean,
): Promise<PutBack> {
  await storePatch(session, pending)
  // on record before the line: once that is there, nothing but this says whether files are to be put back
  await updatePendingRun(session, { ...pending, restore: restoring })
  await recordEntry(session, { ...line, timestamp: currentTimestamp() })
  await updatePendingRun(session, { ...pending, state: 'logged', restore: restoring })
  const done = restoring ? await restore(session, pending) : nothing
  await closePendingRun(session, pending.run)
  return done
}

/** The candidate's patch among the run's data, and its tree behind a ref of ours. */
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

/** Where a pending run's candidate lives; undefined when that worktree is gone. */
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

/** What became of the paths in which a candidate differs from best. */
interface PutBack {
  restored: string[]
  /** Changed by somebody else since they were measured. */
  kept: string[]
  /** Never the candidate's: outside of the scope, or as a commit of the person has them. */
  leftAlone: string[]
}

const nothing: PutBack = { restored: [], kept: [], leftAlone: [] }

async function restore(session: LockedSession, pending: ExperimentRun): Promise<PutBack> {
  const { parent, tree } = pending
  const checkout = await pendingCheckout(session, pending)
  if (!checkout || parent === undefined || tree === undefined) return nothing
  const all = await compareTrees(session.repo as GitRepository, parent, tree)
  const changes = await changesInScope(session, all)
  const own = new Set(
    await changedHere(
      session,
      pending,
      checkout,
      changes.map(({ path }) => path),
    ),
  )
  const due = changes.filter(({ path }) => own.has(path))
  const leftAlone = all.filter((change) => !due.includes(change)).map(({ path }) => path)
  return { ...(await restorePaths(session, checkout, parent, due)), leftAlone }
}

/**
 * Paths that were changed in the checkout itself: one that is as the person's own commit has it only differs
 * from a best that was kept elsewhere, and putting it back would change it for the first time.
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
 * Changes inside of the scope, if there is one: what lies outside was never the candidate's to make or ours
 * to take.
 */
export async function changesInScope(
  session: LockedSession,
  changes: readonly TreeDifference[],
): Promise<TreeDifference[]> {
  const scope = session.ledgerFile.folded.active?.config.scope ?? []
  if (scope.length === 0) return [...changes]
  const prefix = session.experiment.where.repository?.prefix ?? ''
  const chosen: TreeDifference[] = []
  for (const change of changes)
    if (change.path.startsWith(prefix) && (await matchesEntry(scope, change.path.slice(prefix.length))))
      chosen.push(change)
  return chosen
}
