// Runs that are open: replaced as a whole and durably at every step, so that a crash finds out where it was.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { codeOf, UserError } from '../../base/errors.ts'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import type { MeasuredRun } from '../session.ts'
import type { RunLine } from './ledger-entry.ts'

/** `committing`: the commit exists and the branch is being moved. `logged`: what remains is to put files back. */
type PendingState = 'running' | 'measured' | 'committing' | 'logged'

/** A commit on its way: the branch moves from `from` to `commit`, then the index follows. */
export interface PendingCommit {
  commit: string
  from: string
  ref: string
  /** Checkout whose index follows. */
  gitDir: string
  line: RunLine
}

export interface PendingRun {
  run: number
  segment: number
  state: PendingState
  /** Process that works or worked on it, and its mark (see base/alive.ts). */
  pid: number
  mark: string
  started: string
  gate: 'plain' | 'paired'
  where: 'workspace' | 'worktree'
  /** Candidate's worktree; absent: the workspace. */
  candidate?: string
  command?: string
  override: boolean
  lock: string
  /** Trees: best when it was measured, the candidate, and the checkout after the run (with what the run produced). */
  parent?: string
  tree?: string
  after?: string
  /** Commit that the checkout stood on. */
  head?: string
  description?: string
  seed: number
  /** What has changed since it was measured; then it has to be measured again. */
  stale?: string
  ran?: MeasuredRun
  draft?: RunLine
  keep?: PendingCommit
  /** Files to put back, with the status that was logged. */
  restore?: boolean
}

const file = (dir: string) => join(dir, 'pending.json')

/** Throws UserError when the file is not what `writePendingRuns` wrote. */
export async function readPendingRuns(dir: string): Promise<PendingRun[]> {
  const text = await readFile(file(dir), 'utf8').catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error
  })
  if (text === undefined) return []
  try {
    return (JSON.parse(text) as { runs: PendingRun[] }).runs
  } catch (error) {
    throw new UserError(`${file(dir)} cannot be read`, {
      hint: 'Remove it to give up the open run.',
      exit: 1,
      cause: error,
    })
  }
}

export async function writePendingRuns(dir: string, runs: readonly PendingRun[]): Promise<void> {
  await writeAtomic(file(dir), Buffer.from(`${JSON.stringify({ v: 1, runs })}\n`), { mode: 0o600 })
}
