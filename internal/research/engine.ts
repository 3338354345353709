// Engine of an experiment session. It opens the session and joins its parts behind one interface.
import { basename } from 'node:path'
import { isAlive } from '../base/process-identity.ts'
import { runAaTest } from './aa-test.ts'
import { measureFinal } from './final-comparison.ts'
import { initSession } from './init.ts'
import { readLedgerFile } from './ledger/ledger-file.ts'
import { readLegacySegments } from './ledger/legacy-ledger.ts'
import { readPendingRuns } from './ledger/pending-runs.ts'
import { recoverRuns } from './outcome/crash-recovery.ts'
import { logRun } from './outcome/log-run.ts'
import { createReviewBranch } from './outcome/review-branch.ts'
import { measureRun } from './run/start-run.ts'
import type {
  PendingRunView,
  RecoveryResult,
  ResearchOptions,
  ResearchSession,
  ResearchState,
} from './session.ts'
import { verifySession } from './verify.ts'
import {
  createCandidate,
  dropCandidate,
  rebaseCandidate,
  sweepWorktrees,
} from './workspace/candidate-worktree.ts'
import {
  type ExperimentWorkspace,
  type LockedSession,
  openExperimentWorkspace,
  withActiveSession,
} from './workspace/experiment-workspace.ts'
import { findSession } from './workspace/session-location.ts'

/**
 * Opens the session of a workspace. Takes no lock and starts no process except git, which
 * finds the repository.
 */
export async function openResearch(options: ResearchOptions): Promise<ResearchSession> {
  const experiment = await openExperimentWorkspace(options, recoverRuns)
  return {
    init: (settings) => initSession(experiment, settings),
    run: (order) => measureRun(experiment, order),
    log: (order) => logRun(experiment, order),
    aa: (order) => runAaTest(experiment, order),
    final: (order) => measureFinal(experiment, order),
    resume: () => withActiveSession(experiment, resumeSession),
    verify: () => verifySession(experiment),
    state: () => stateOf(experiment),
    candidate: (label, spare) => createCandidate(experiment, label, spare),
    drop: (path) => dropCandidate(experiment, path),
    rebase: (path) => rebaseCandidate(experiment, path),
    finalize: (order) => createReviewBranch(experiment, order),
  }
}

/**
 * Removes abandoned worktrees and returns the result of `resume`: what was recovered, with notes about lost
 * candidates. Runs that a crash left open were already settled when the lock was taken.
 */
async function resumeSession(session: LockedSession): Promise<RecoveryResult> {
  const lost = await sweepWorktrees(session)
  const notes = lost.map((file) => `a candidate that was not measured is kept in ${file}`)
  return { ...session.recovered, notes: [...session.recovered.notes, ...notes] }
}

async function stateOf(experiment: ExperimentWorkspace): Promise<ResearchState> {
  const legacy = await readLegacySegments(experiment.where.workspace)
  const dir = await findSession(experiment.where, experiment.options.session)
  if (dir === undefined)
    return { session: undefined, segments: [], active: undefined, nextRun: 1, pending: [], lines: 0, legacy }
  const { ledger, folded } = await readLedgerFile(dir, experiment.where.workspace)
  const pending = (await readPendingRuns(dir)).map((open): PendingRunView => {
    const { run, pid, started, candidate } = open
    const state = open.state === 'committing' ? 'measured' : open.state
    const alive = isAlive(open.mark, Date.now() - Date.parse(started))
    const ran = open.state === 'running' ? undefined : open.ran
    return { run, state, pid, alive, started, candidate: candidate || undefined, ran }
  })
  return { ...folded, session: folded.active && basename(dir), pending, lines: ledger.entries.length, legacy }
}
