// Conversion of a run to its line in the ledger.
import { summarizeErrors } from '../measure/error-lines.ts'
import type { ExperimentRun, RunLine, RunResult } from './experiment-run.ts'

/** Returns whether the run executed another command than the configured one. */
export const ranOtherCommand = ({ command_override }: RunLine): boolean => command_override !== undefined

/**
 * Returns the ledger line of an open run with the status that the engine proposes. A run that was interrupted
 * before its measurement ended gets the status `crash`. `carry` contains the ratios of the best tree to the
 * baseline, by guard metric.
 */
export function draftRunLine(
  pending: ExperimentRun,
  carry: Readonly<Record<string, number>>,
  timestamp: string,
): RunLine {
  const { run, segment, where } = pending
  const base: RunLine = {
    type: 'run',
    run,
    segment,
    parent: pending.parent,
    tree: pending.tree,
    where,
    status: 'crash',
    reason: 'interrupted',
    evidence: 'none',
    metrics: {},
    lock: 'ok',
    ...(pending.description !== undefined && { description: pending.description }),
    seed: pending.seed,
    timestamp,
  }
  return pending.state === 'running' || !pending.ran
    ? base
    : { ...base, ...measuredFields(pending, pending.ran, carry) }
}

function measuredFields(
  pending: ExperimentRun,
  ran: RunResult,
  carry: Readonly<Record<string, number>>,
): Partial<RunLine> {
  const { metric, samples, effect, guards, noise, checks, holdout, offer, drift } = ran
  const detail = ran.detail ?? findErrors(ran)
  return {
    status: ran.status,
    reason: ran.reason,
    evidence: metric === undefined ? 'none' : pending.gate === 'paired' ? 'paired' : 'single_sample',
    ...(metric !== undefined && { metric }),
    metrics: ran.metrics,
    samples,
    confirmation: ran.confirmation,
    effect,
    guards: guards.length > 0 ? guards : undefined,
    carry: guards.length > 0 ? carryOf(carry, guards) : undefined,
    noise,
    drift,
    lock: ran.lock,
    checks,
    holdout,
    detail,
    offer,
    isolation: ran.isolation,
    command_override: pending.override ? pending.command : undefined,
    changed: ran.changed.length > 0 ? ran.changed : undefined,
    ...(ran.produced.length > 0 && { produced: ran.produced }),
    after: ran.produced.length > 0 ? pending.after : undefined,
    outside: ran.outside.length > 0 ? ran.outside : undefined,
    leaked: ran.leaked > 0 ? ran.leaked : undefined,
    ms: ran.ms,
  }
}

/**
 * Returns the errors of a crashed command or of failed checks, so that a proposer can learn from them.
 * Returns undefined for any other run, and if the output names no error.
 */
function findErrors({ status, output, checksOutput }: RunResult): string | undefined {
  return summarizeErrors(status === 'crash' ? output : status === 'checks_failed' ? (checksOutput ?? '') : '')
}

/** Returns the ratios to the baseline: those of this run's guards, and the earlier ones for other metrics. */
function carryOf(
  before: Readonly<Record<string, number>>,
  guards: RunResult['guards'],
): Record<string, number> {
  const finiteGuards = guards.filter(({ ratio }) => Number.isFinite(ratio))
  return { ...before, ...Object.fromEntries(finiteGuards.map(({ metric, ratio }) => [metric, ratio])) }
}
