// The context of a run in progress: what the procedure that measures it (the gate) needs, and what is written
// to disk during the measurement.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import type { ExperimentRun, RunResult } from '../ledger/experiment-run.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { BenchmarkExecution } from '../measure/benchmark-execution.ts'
import type { RunOrder } from '../session.ts'
import type { CandidateSnapshot } from '../workspace/candidate-snapshot.ts'
import { type LockedSession, updatePendingRun } from '../workspace/experiment-workspace.ts'
import type { CandidateCheckout } from '../workspace/session-location.ts'

/** Data that the gate of a run works with. A gate is the procedure that measures the run. */
export interface RunContext {
  session: LockedSession
  segment: ExperimentSegment
  order: RunOrder
  command: string
  override: boolean
  /** Checkout of the candidate; undefined if the workspace is not in a git repository. */
  checkout: CandidateCheckout | undefined
  snapshot: CandidateSnapshot | undefined
  pending: ExperimentRun
}

export const activeSegment = (session: LockedSession): ExperimentSegment =>
  session.ledgerFile.folded.active as ExperimentSegment

const runFolder = (dir: string, run: number): string => join(dir, 'runs', String(run))

/**
 * Stores the output of the last execution, and `env` with the names of its environment variables, in
 * the run's directory.
 */
export async function storeOutput(
  session: LockedSession,
  run: number,
  executed: BenchmarkExecution | undefined,
  env: object,
): Promise<void> {
  const folder = runFolder(session.dir, run)
  makeDirectory(folder, 0o700)
  await writeFile(join(folder, 'stdout'), executed?.outcome.stdout.text ?? '', { mode: 0o600 })
  await writeFile(join(folder, 'stderr'), executed?.outcome.stderr.text ?? '', { mode: 0o600 })
  await writeFile(join(folder, 'env.json'), `${JSON.stringify(env)}\n`, { mode: 0o600 })
}

/** Records on disk that a run was measured and is not logged yet. */
export function markMeasured(
  session: LockedSession,
  pending: ExperimentRun,
  ran: RunResult,
  { after }: { after?: string | undefined },
): Promise<void> {
  return updatePendingRun(session, { ...pending, after: after ?? pending.after, state: 'measured', ran })
}
