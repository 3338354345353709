// Measurement of trees outside of runs: its preparation, and the report of its failures.
import { FailureError, UserError } from '../../base/errors.ts'
import { needsGitError } from '../git/session-refs.ts'
import { expectedMetrics, samplingMethodOf } from '../judge/segment-rules.ts'
import type { ExperimentSegment } from '../ledger/fold.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import type { LockedSession } from '../workspace/experiment-workspace.ts'
import { MeasurementStopped } from './measurement-stopped.ts'
import type { SamplingMethod } from './sampling.ts'

export function prepareTreeMeasurement(
  session: LockedSession,
  segment: ExperimentSegment,
): { config: ConfigLine; method: SamplingMethod; trees: { baseline: string; best: string } } {
  const { command } = segment
  if (!session.repo || segment.config.tree === undefined) throw needsGitError('measuring two trees')
  if (command === undefined) {
    throw new FailureError({ code: 'no_command', message: 'no benchmark command is configured' })
  }
  const config = { ...segment.config, lock: segment.lock }
  const baseline = segment.baseline?.tree ?? segment.config.tree
  return {
    config,
    method: samplingMethodOf(config, command, config.timeoutMs, expectedMetrics(segment)),
    trees: { baseline, best: segment.best?.tree ?? baseline },
  }
}

/**
 * Runs `work` and converts MeasurementStopped to UserError (exit 130) after an interrupt, otherwise
 * to FailureError `run_failed` or `lock_violation`. No run is recorded, because this execution
 * belongs to no run.
 */
export async function withMeasurementErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof MeasurementStopped)) throw error
    const { arm, reason, detail } = error.failed
    if (reason === 'interrupted') throw new UserError('interrupted', { exit: 130 })
    const message =
      `measuring ${arm === 'base' ? 'the baseline' : 'best'} failed: ` +
      `${reason}${detail ? ` (${detail})` : ''}`
    throw new FailureError(
      { code: reason === 'lock_violation' ? 'lock_violation' : 'run_failed', message },
      error,
    )
  }
}
