// The error that ends a measurement without a result, and the trace of what was executed until then.
import type { RunReason } from '../ledger/experiment-run.ts'
import type { MeasurementArm } from '../progress.ts'
import type { BenchmarkExecution } from './benchmark-execution.ts'

/** An execution that gave no value; `arm` says whose. */
export interface FailedExecution {
  arm: MeasurementArm
  reason: RunReason
  detail?: string
  executed?: BenchmarkExecution
}

/** What has been executed so far, for the record of a run. */
export interface MeasurementTrace {
  leaked: number
  ms: number
  last?: BenchmarkExecution
}

export class MeasurementStopped extends Error {
  override readonly name = 'Stopped'
  readonly failed: FailedExecution

  /** An execution failed: nothing more is measured. */
  constructor(failed: FailedExecution) {
    super(failed.reason)
    this.failed = failed
  }
}

/** Something that judges is not as it was locked; `detail` names it. */
export const lockViolation = (detail: string, arm: MeasurementArm = 'cand'): MeasurementStopped =>
  new MeasurementStopped({ arm, reason: 'lock_violation', detail })
