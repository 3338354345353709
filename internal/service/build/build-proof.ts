// Checks in the worktrees of a build: for a task, for a merge, and for the whole branch at the end.
import type { EarlierPass, ProofReceipt } from '../../proof/prove.ts'
import { proveWorkspace } from '../proof/prove-workspace.ts'
import type { BuildLeader } from './build-leader.ts'

/** Longest duration in milliseconds of one command of a task or of one check. */
export const maxCommandMs = 30 * 60_000

interface ProofOrder {
  commands: readonly string[]
  /** Commit whose tests are the original ones. */
  base: string
  allow: readonly string[]
  /**
   * An earlier success of the same commands in the same worktree. It replaces a new run if the files are
   * still the same.
   */
  passed?: EarlierPass | undefined
}

/**
 * Runs checks in the worktree `name` of the build. If they pass although tests have changed since the commit
 * `base`, they run again with the original tests. Throws UserError if a command cannot start.
 */
export async function proveIn(
  { run: { env, note }, state, cut: cutSignal, worktrees, files, bases, sandboxes, children }: BuildLeader,
  name: string,
  order: ProofOrder,
): Promise<ProofReceipt> {
  return proveWorkspace({
    ...order,
    cwd: worktrees.pathOf(name),
    env,
    signal: cutSignal,
    sandbox: state.head.sandbox,
    sandboxMemory: sandboxes,
    childOwner: children,
    timeoutMs: maxCommandMs,
    note,
    known: files,
    bases: await bases(),
  })
}

/** Returns the milliseconds that the commands of a check took; 0 without a check. */
export const checkMs = (receipt: ProofReceipt | undefined): number =>
  (receipt?.checks ?? []).reduce((sum, { ms }) => sum + ms, 0)

export interface RepeatedProof {
  receipt: ProofReceipt
  /** True if the check failed and then passed with the same files. */
  flaky: boolean
}

/**
 * Runs checks in a worktree of the build. A failed check runs once more if `restore` resolves to true, which
 * means that the worktree has the same files as before. Resolves to undefined if the checks were interrupted.
 */
export async function proveTwice(
  leader: BuildLeader,
  name: string,
  { restore, ...order }: ProofOrder & { restore(): Promise<boolean> },
): Promise<RepeatedProof | undefined> {
  const first = await proveIn(leader, name, order)
  if (leader.cut.aborted) return undefined
  const isFailed = first.state === 'unproven' && first.reason === 'failed'
  if (!isFailed || !(await restore())) return { receipt: first, flaky: false }
  const receipt = await proveIn(leader, name, order)
  return leader.cut.aborted ? undefined : { receipt, flaky: receipt.state === 'proven' }
}

/**
 * Returns the reason of a failed check, and a text for the next attempt: the changed files that checks use,
 * or the failed command with its output.
 */
export function describeFailure({
  reason,
  changed,
  checks,
}: ProofReceipt): [why: 'checks' | 'tampered', detail: string] {
  if (reason === 'tampered') {
    const rows = changed.map((path) => `${path}: a check uses it, so the task may not change it`)
    return [
      'tampered',
      [...rows, 'If it may, list the file under `allow` of the task in the plan.'].join('\n'),
    ]
  }
  const failed = checks.find(({ exit }) => exit !== 0)
  const lines = [failed?.command ?? '', failed?.output ?? '']
  if (reason === 'check_changed') lines.push(`it passes only with these changes: ${changed.join(', ')}`)
  if (reason === 'unstable') lines.push('the check changes tracked files each time')
  return ['checks', lines.filter((line) => line !== '').join('\n')]
}
