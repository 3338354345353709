// The comparison of a candidate with the best tree. Checkouts, warm-ups, pairs, checks and holdout are each
// made when first needed.
import { dirname, join } from 'node:path'
import { contentRulesHash } from '../git/git-state.ts'
import type { CandidateEvidence, HoldoutOutcome } from '../judge/evidence.ts'
import { expectedMetrics, samplingMethodOf } from '../judge/segment-rules.ts'
import { type MeasurementCheckout, openMeasurementCheckout } from '../measure/benchmark-checkout.ts'
import { type ExecutionStage, runCommandOnce } from '../measure/benchmark-execution.ts'
import { findGrownFile } from '../measure/file-size.ts'
import { isolatedRoot } from '../measure/isolation/isolation.ts'
import { lockViolation, type MeasurementTrace } from '../measure/measurement-stopped.ts'
import { type SamplingMethod, takePairs, takeSamples, warmUp } from '../measure/sampling.ts'
import { checkVoice } from '../voice/voice-check.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { readHoldout } from '../workspace/holdout.ts'
import { findBrokenFile, readLock } from '../workspace/integrity-lock.ts'
import { makeMeasuredFiles, runChecks } from './checks.ts'
import type { RunContext } from './run-context.ts'

/**
 * Throws MeasurementStopped if a locked file, in the workspace or in the candidate's worktree, has changed.
 */
export async function refuseBrokenLock({ session, segment, checkout }: RunContext): Promise<void> {
  const { workspace } = session.experiment.where
  for (const root of new Set([workspace, checkout?.path ?? workspace])) {
    const file = await findBrokenFile(session.dir, segment.lock, root)
    if (file !== undefined) throw lockViolation(file)
  }
}

/**
 * Throws MeasurementStopped if git's rules for file contents, such as attributes, settings, replaced objects
 * or alternates, have changed since the segment's `lock` was made. Does nothing outside of git.
 */
export async function refuseChangedContentRules(session: LockedSession, lock: string): Promise<void> {
  const { repository } = session.experiment.where
  const lockedHash = (await readLock(session.dir, lock))?.git
  if (lockedHash === undefined || !session.repo || !repository) return
  if ((await contentRulesHash(session.repo, repository)) === lockedHash) return
  const detail =
    '.git (replaced objects, attributes, alternates or settings that change files) is not as it was at init'
  throw lockViolation(detail)
}

/**
 * Runs `work`, which measures nothing, in the checkout and returns its result. Throws MeasurementStopped if
 * it made a forbidden change, such as of a locked file.
 */
export async function withCheckout<T>(
  checkout: MeasurementCheckout,
  work: (stage: ExecutionStage) => Promise<T>,
): Promise<T> {
  const { value, violated } = await checkout.use('cand', work)
  if (violated !== undefined) throw lockViolation(violated)
  return value
}

/**
 * Returns the stage for the holdout (a secret second check). It works outside of the checkout, and the files
 * that its command names are readable.
 */
function toHoldoutStage(stage: ExecutionStage, cwd: string, workspace: string): ExecutionStage {
  const env = { ...stage.env, ANODE_CANDIDATE: stage.shown ?? stage.cwd }
  if (!stage.isolated) return { ...stage, cwd, env }
  // A permission rule that hides the holdout is meant for the candidate and not for the judge, so it does
  // not apply here.
  const { closed: _, ...isolated } = stage.isolated
  const shownPaths = [...(isolated.shown ?? []), workspace, ...isolated.mask.map((path) => dirname(path))]
  return {
    ...stage,
    env,
    isolated: { ...isolated, cwd: join(isolatedRoot, 'tmp'), mask: [], shown: shownPaths },
  }
}

/**
 * Runs the holdout, a secret second check. If files are measured, the benchmark runs before it, so that
 * these files exist. Returns only whether the check passes without enlarging them, and none of its output.
 * Throws MeasurementStopped if its command is gone (`lock_violation`), if the benchmark fails, or if a
 * locked file changes.
 */
async function runHoldout(
  { session, segment, pending }: RunContext,
  checkout: MeasurementCheckout,
  method: SamplingMethod,
): Promise<HoldoutOutcome> {
  const { config } = segment
  session.experiment.tell({ kind: 'phase', phase: 'holdout', run: pending.run })
  const secret = await readHoldout(session.dir, config.segment)
  if (secret === undefined) throw lockViolation('the holdout is gone')
  const task = { command: secret, timeoutMs: config.checksTimeoutMs }
  const tmp = join(session.dir, 'tmp')
  return withCheckout(checkout, async (stage) => {
    const sizes = await makeMeasuredFiles(stage, method)
    const { reason } = await runCommandOnce(
      toHoldoutStage(stage, tmp, session.experiment.where.workspace),
      task,
    )
    const grown = sizes && findGrownFile(stage.cwd, config.files ?? [], sizes)
    return reason === undefined && grown === undefined ? 'ok' : 'failed'
  })
}

/** The measurements of a candidate against the best tree, as `openComparison` returns them. */
export type CandidateComparison = ReturnType<typeof openComparison>

/**
 * Opens the comparison. `tree` is the candidate's. Best is checked out in `slot`, the candidate in the next
 * slot. A failed execution of the benchmark throws MeasurementStopped, except in `voice`. A failure of the
 * checks or the holdout is a result.
 */
export function openComparison(context: RunContext, tree: string, trace: MeasurementTrace, slot: number) {
  const { session, segment, command, order, pending } = context
  const { experiment } = session
  const config = { ...segment.config, lock: segment.lock }
  const expected = context.override ? undefined : expectedMetrics(segment)
  const method = samplingMethodOf(config, command, order.timeoutMs, expected)
  let best: Promise<MeasurementCheckout> | undefined
  let candidate: Promise<MeasurementCheckout> | undefined
  let warm: Promise<void> | undefined
  const base = () => {
    best ??= openMeasurementCheckout(session, config, segment.best?.tree as string, slot)
    return best
  }
  const cand = () => {
    candidate ??= openMeasurementCheckout(session, config, tree, slot + 1)
    return candidate
  }
  const both = async () => {
    const arms = { base: await base(), cand: await cand() }
    warm ??= warmUp(experiment, arms, method, trace)
    await warm
    return arms
  }
  return {
    base,
    async alone(count: number) {
      return takeSamples(experiment, await cand(), method, { arm: 'cand', phase: 'pairs', trace, count })
    },
    async pairs(phase: 'pairs' | 'confirmation', from: number, to: number) {
      const label = `run ${pending.run}/${phase}`
      const series = { phase, from, to, seed: pending.seed, label, trace }
      return takePairs(experiment, await both(), method, series)
    },
    async voice(): Promise<NonNullable<CandidateEvidence['voice']>> {
      experiment.tell({ kind: 'phase', phase: 'voice', run: pending.run })
      const checked = await checkVoice(context, tree, slot)
      best = undefined
      return checked.ok ? 'ok' : { detail: checked.detail }
    },
    async checks() {
      return withCheckout(await cand(), async (stage) => {
        const sizes = await makeMeasuredFiles(stage, method)
        return runChecks(context, stage, config.checks as string, sizes)
      })
    },
    async holdout() {
      return runHoldout(context, await cand(), method)
    },
  }
}
