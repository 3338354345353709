// Error that ends a measurement without a result, and the trace of the executions until then.
import type { RunReason } from '../ledger/experiment-run.ts'
import type { MeasurementArm } from '../progress.ts'
import type { BenchmarkExecution } from './benchmark-execution.ts'

/** An execution without a value. `arm` is the side of the measurement that was executed. */
export interface FailedExecution {
  arm: MeasurementArm
  reason: RunReason
  detail?: string
  executed?: BenchmarkExecution
}

/**
 * The executions of a measurement so far: the number of processes that they left, their milliseconds, and the
 * last one of the side `cand`. Before any of that side, `last` is the first one of the side `base`.
 */
export interface MeasurementTrace {
  leaked: number
  ms: number
  last?: BenchmarkExecution
}

export class MeasurementStopped extends Error {
  override readonly name = 'Stopped'
  readonly failed: FailedExecution

  /** Makes the error that ends the current measurement. */
  constructor(failed: FailedExecution) {
    super(failed.reason)
    this.failed = failed
  }
}

/**
 * Returns the error that stops a measurement because a file or setting of the judge was changed. `detail`
 * says which one, and `arm` the side.
 */
export const lockViolation = (detail: string, arm: MeasurementArm = 'cand'): MeasurementStopped =>
  new MeasurementStopped({ arm, reason: 'lock_violation', detail })
