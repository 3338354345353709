// The gate at an answer without calls: a check of the user, and hooks, decide whether the run may end.
import type { EventDraft, EventPayload } from '../event/event.ts'
import type { RunEnd } from './run-end.ts'

/** A message with which the model continues, or an end of the run other than `done`. */
export type StopVerdict = { message: string } | { end: RunEnd }

export type RunProof = NonNullable<EventPayload<'run.ended'>['proof']>

export interface StopGate {
  /** Called with the answer at which the model stops. Returns undefined if the run may end as done. */
  atStop(answer: string): Promise<StopVerdict | undefined>
  /** Receives every event of the run, before it is recorded. */
  observe(draft: EventDraft): void
  /** Returns the record of the check for the event that ends the run; undefined without a check. */
  proof(): RunProof | undefined
}
