// What decides at an answer without calls whether the run may end: a check of the user, and hooks.
import type { EventDraft, EventPayload } from '../event/event.ts'
import type { RunEnd } from './run-end.ts'

/** A message that sends the model on, or another end of the run. */
export type StopVerdict = { message: string } | { end: RunEnd }

export type RunProof = NonNullable<EventPayload<'run.ended'>['proof']>

export interface StopGate {
  /** Called with the answer at which the model stops. Returns undefined if the run may end as done. */
  atStop(answer: string): Promise<StopVerdict | undefined>
  /** Receives every event of the run, before it is recorded. */
  observe(draft: EventDraft): void
  /** Returns the receipt for the end of the run; undefined without a check. */
  proof(): RunProof | undefined
}
