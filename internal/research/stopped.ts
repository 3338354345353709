// The end of a measurement before there is a result: which execution failed, and what executing has told so far.
import type { Executed } from './execute.ts'
import type { RunReason } from './line.ts'
import type { Arm } from './progress.ts'

/** An execution that gave no value; `arm` says whose. */
export interface FailedExecution {
  arm: Arm
  reason: RunReason
  detail?: string
  executed?: Executed
}

/** What executing has told so far, for the record of a run. */
export interface Trace {
  leaked: number
  ms: number
  last?: Executed
}

export class Stopped extends Error {
  override readonly name = 'Stopped'
  readonly failed: FailedExecution

  /** An execution failed: nothing more is measured. */
  constructor(failed: FailedExecution) {
    super(failed.reason)
    this.failed = failed
  }
}
