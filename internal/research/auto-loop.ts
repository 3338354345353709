// Loop that proposes, measures and logs candidates up to a limit. Only the judge of the engine
// decides the verdicts.
import { FailureError } from '../base/errors.ts'
import type { ExperimentCost, RunLine, RunResult } from './ledger/experiment-run.ts'
import type { FinalLine } from './ledger/ledger-entry.ts'
import type { CandidateDraft, ProposalOutcome, Proposer } from './proposers/proposer.ts'
import { addCosts, noCost } from './report/cost.ts'
import type { CandidateWorktree, LoggedRun, ResearchSession, ResearchState } from './session.ts'

export interface AutoLimits {
  /**
   * Number of runs logged by this call, with the baseline and open runs of an earlier call, at which
   * the loop stops.
   */
  maxRuns: number
  /** Number of consecutive runs that were not kept after which the loop stops; 0: never. */
  patience: number
  /** Time after which no more candidates are created, in milliseconds since 1970. */
  deadline?: number
  /**
   * Cost of the proposals of this call in US dollars at which the loop stops. It also stops if a
   * price is unknown.
   */
  usd?: number
  tokens?: number
}

export type AutoStopReason =
  | 'max_runs'
  | 'patience'
  | 'deadline'
  | 'budget'
  | 'exhausted'
  | 'interrupted'
  | 'lock_violation'
  | 'policy_failed'

export interface AutoLoopOptions {
  policy: Proposer
  limits: AutoLimits
  /** Largest number of candidates that are created at the same time. Measurements run one after the other. */
  parallel: number
  /**
   * Number of pairs in the final comparison. A pair is one measurement of the baseline and one of best, the
   * best tree so far.
   */
  finalPairs: number
  signal: AbortSignal
  /** Called before candidates are created. The loop pauses until it resolves. */
  untilAllowed?(signal: AbortSignal): Promise<void>
  /** Called after every logged run. */
  logged(line: RunLine, ran: RunResult | undefined): void
}

export interface AutoLoopResult {
  stopped: AutoStopReason
  detail?: string
  /** Runs that this call has logged. */
  lines: RunLine[]
  cost: ExperimentCost
  /**
   * Result of the final comparison; undefined if this segment has no kept run, if the best tree has the same
   * files as the baseline, or if the call was interrupted.
   */
  final?: FinalLine
}

/**
 * Number of consecutive failures, by reason, at which the loop stops, because a broken judge or proposer
 * does not recover.
 */
const maxInARow = { lock_violation: 2, policy_failed: 3 }

/**
 * Runs the loop. A reached limit of runs is a result, and after an abort any error gives the result
 * `interrupted`. Throws other errors of `ResearchSession`.
 */
export async function runAutoLoop(
  research: ResearchSession,
  order: AutoLoopOptions,
): Promise<AutoLoopResult> {
  const work: LoopWork = {
    research,
    order,
    lines: [],
    cost: noCost,
    failures: 0,
    idle: 0,
    violations: 0,
    spare: [],
  }
  try {
    await beginLoop(work)
    while (!stopOf(work)) {
      await order.untilAllowed?.(order.signal)
      if (stopOf(work) || !(await runRound(work))) break
    }
  } catch (error) {
    if (!order.signal.aborted && codeOf(error) !== 'max_runs_reached') throw error
    work.stopped = order.signal.aborted ? 'interrupted' : 'max_runs'
  } finally {
    for (const path of work.spare) await dropWorktree(research, path)
  }
  const { lines, cost, detail } = work
  const stopped = stopOf(work) ?? 'exhausted'
  const final = stopped === 'interrupted' ? undefined : await compareFinal(research, order)
  return { stopped, lines, cost, detail, final }
}

interface LoopWork {
  readonly research: ResearchSession
  readonly order: AutoLoopOptions
  readonly lines: RunLine[]
  cost: ExperimentCost
  /**
   * Number of consecutive proposals in which the policy itself failed. `idle` counts consecutive runs that
   * were not kept, `violations` consecutive runs that changed locked files.
   */
  failures: number
  idle: number
  violations: number
  /**
   * Spare worktrees, which are emptied and used again for new candidates. They have no open run, and only the
   * proposing policy has written in them.
   */
  spare: string[]
  stopped?: AutoStopReason
  detail?: string
}

const codeOf = (error: unknown) => (error instanceof FailureError ? error.failure.code : undefined)

function stopOf({
  order,
  lines,
  cost,
  failures,
  idle,
  violations,
  stopped,
}: LoopWork): AutoStopReason | undefined {
  const { limits, signal } = order
  if (stopped) return stopped
  if (signal.aborted) return 'interrupted'
  if (violations >= maxInARow.lock_violation) return 'lock_violation'
  if (failures >= maxInARow.policy_failed) return 'policy_failed'
  if (lines.length >= limits.maxRuns) return 'max_runs'
  if (limits.patience > 0 && idle >= limits.patience) return 'patience'
  if (limits.deadline !== undefined && Date.now() >= limits.deadline) return 'deadline'
  const isSpent = limits.usd !== undefined && (cost.usd === null || cost.usd >= limits.usd)
  const isUsed = limits.tokens !== undefined && cost.tokens >= limits.tokens
  return isSpent || isUsed ? 'budget' : undefined
}

/** Settles runs that an earlier call has left open, then measures the baseline if it is missing. */
async function beginLoop(work: LoopWork): Promise<void> {
  const { research } = work
  await research.resume()
  const state = await research.state()
  for (const { run, state: at, ran } of state.pending) {
    if (at === 'measured' && ran)
      await addLoggedRun(work, await research.log({ status: ran.status, run }), ran)
  }
  if ((await research.state()).active?.baseline || stopOf(work)) return
  const ran = await research.run()
  const logged = await research.log({ status: ran.status, run: ran.run })
  await addLoggedRun(work, logged, ran)
  if (ran.status !== 'baseline') {
    work.stopped = ran.reason === 'lock_violation' ? 'lock_violation' : 'policy_failed'
    work.detail = `the baseline cannot be measured: ${ran.detail ?? ran.reason}`
  }
}

/**
 * Creates candidates in parallel and judges them in order. Returns false if there is nothing left to propose.
 */
async function runRound(work: LoopWork): Promise<boolean> {
  const { research, order } = work
  const drafts: CandidateDraft[] = []
  const wide = order.policy.remakesOnNewBest
    ? 1
    : Math.min(order.parallel, order.limits.maxRuns - work.lines.length)
  for (let i = 0; i < wide; i++) {
    const draft = await order.policy.next(await research.state())
    if (!draft) break
    drafts.push(draft)
  }
  if (drafts.length === 0) return false
  const candidates: { candidate: CandidateWorktree; draft: CandidateDraft }[] = []
  for (const [i, draft] of drafts.entries()) {
    const candidate = await research.candidate(`c${i + 1}`, work.spare.at(-1))
    work.spare.pop()
    candidates.push({ candidate, draft })
  }
  try {
    const outcomes = await Promise.all(
      candidates.map(({ candidate, draft }) => draft.make(candidate.path, order.signal)),
    )
    for (const { cost } of outcomes) work.cost = addCosts(work.cost, cost)
    for (const [i, { candidate }] of candidates.entries()) {
      if (order.signal.aborted || work.lines.length >= order.limits.maxRuns) break
      await judgeCandidate(work, candidate, outcomes[i] as ProposalOutcome)
    }
    // After a change of the best tree, a policy with `remakesOnNewBest` writes each candidate again as whole
    // files. So its worktrees can be emptied and used for later candidates.
    if (order.policy.remakesOnNewBest)
      work.spare.push(...candidates.splice(0).map(({ candidate }) => candidate.path))
  } finally {
    for (const { candidate } of candidates) await dropWorktree(research, candidate.path)
  }
  return true
}

/**
 * Measures and logs one candidate. If an earlier candidate of the round has become the best tree, the
 * candidate is first rebased onto it. If the proposing policy itself has failed, only the failure is counted.
 */
async function judgeCandidate(
  work: LoopWork,
  { path, tree }: CandidateWorktree,
  outcome: ProposalOutcome,
): Promise<void> {
  const { research } = work
  if (outcome.failed?.kind === 'policy') {
    work.failures++
    work.detail = outcome.failed.detail
    return
  }
  work.failures = 0
  const { description, asi, cost } = outcome
  const moved =
    outcome.failed || tree === (await research.state()).active?.best?.tree
      ? 'current'
      : await research.rebase(path)
  const conflict =
    moved === 'conflict' ? 'it changes what has been kept since it was made' : outcome.failed?.detail
  const ran = await research.run({ candidate: path, description, parallel: true, conflict })
  // The files need not be restored, because the whole worktree is removed.
  const order = { status: ran.status, run: ran.run, description, asi, cost, restore: false }
  await addLoggedRun(work, await research.log(order), ran)
}

async function addLoggedRun(work: LoopWork, { line, stopped }: LoggedRun, ran: RunResult): Promise<void> {
  work.lines.push(line)
  work.idle = line.status === 'keep' || line.status === 'baseline' ? 0 : work.idle + 1
  work.violations = line.reason === 'lock_violation' ? work.violations + 1 : 0
  if (work.violations > 0 && line.detail !== undefined) work.detail = line.detail
  if (stopped) work.stopped = 'max_runs'
  work.order.logged(line, ran)
}

/**
 * Removes a worktree, unless its run is not logged or the loop was cancelled. Such a worktree
 * stays for `resume`.
 */
async function dropWorktree(research: ResearchSession, path: string): Promise<void> {
  try {
    await research.drop(path)
  } catch (error) {
    if (codeOf(error) !== 'run_pending' && codeOf(error) !== 'cancelled') throw error
  }
}

/**
 * Returns the final comparison of the best tree: the stored one if it exists, otherwise a new one.
 * Returns undefined without a kept run, and if the best tree has the same files as the baseline, because
 * nothing can differ.
 */
async function compareFinal(
  research: ResearchSession,
  order: AutoLoopOptions,
): Promise<FinalLine | undefined> {
  const state: ResearchState = await research.state()
  const { active } = state
  const best = active?.best
  if (!active || active.counts.keep === 0 || best?.tree === active.baseline?.tree) return undefined
  const storedFinal = active.finals.find(({ run }) => run === best?.run)
  if (storedFinal) return storedFinal
  return research.final({ pairs: order.finalPairs })
}
