// State of a session while another process gets its run (hand-off).
import type { SessionRecord } from '../../../agent/session.ts'
import type { EventDraft, EventType } from '../../../event/event.ts'
import type { HandOverReply } from '../../../session/client.ts'
import { handedOverReason } from '../../../session/view/fold-run.ts'

export interface SessionDeparture {
  /**
   * Phase of the hand-off. `asked`: nothing is done yet; `waiting`: the current step has to end first;
   * `leaving`: commands are rejected; `left`: the run continues in another process.
   */
  phase: 'asked' | 'waiting' | 'leaving' | 'left'
  /** Stops the run without waiting for the end of the step. */
  hurry(): void
  readonly done: Promise<HandOverReply>
}

/** Abort reason of a run that another process continues. Its message is recorded as the reason of the end. */
export const handedOver = new Error(handedOverReason)

export const isHandedOver = ({ reason }: AbortSignal) => reason === handedOver

/**
 * Events of open questions and unfinished messages. They are not recorded after the hand-off, because the
 * other process repeats the step.
 */
const unfinishedEvents: ReadonlySet<EventType> = new Set([
  'permission.asked',
  'permission.decided',
  'question.asked',
  'question.answered',
  'message.delta',
])

/**
 * Returns a record that stores events unchanged until the run is handed off. After that, it stores the thread
 * as if the process had been killed: no call begins, waiting questions stay open, and only finished calls get
 * a result. A cancellation or failure of the run is recorded as a hand-off.
 */
export function recordUntilHandedOver(record: SessionRecord, signal: AbortSignal): SessionRecord {
  const startedCalls = new Set<string>()
  return {
    ...record,
    async append(draft) {
      if (!isHandedOver(signal)) {
        // a call that asks the user is not counted, because its question has to stay open after the abort
        if (draft.type === 'tool.call' && draft.payload.effect !== 'interact')
          startedCalls.add(draft.payload.call)
        return record.append(draft)
      }
      // a call must not run without a record of its start, so it is stopped
      if (draft.type === 'tool.call') throw handedOver
      if (!isUnsaid(draft, startedCalls)) await record.append(endOf(draft))
    },
  }
}

function isUnsaid(draft: EventDraft, startedCalls: ReadonlySet<string>): boolean {
  if (draft.type === 'tool.result')
    return !startedCalls.has(draft.payload.call) || draft.payload.code === 'cancelled'
  return unfinishedEvents.has(draft.type) || (draft.type === 'message' && draft.payload.interrupted === true)
}

function endOf(draft: EventDraft): EventDraft {
  if (draft.type !== 'run.ended' || !['cancelled', 'failed'].includes(draft.payload.end)) return draft
  const { message: _, ...payload } = draft.payload
  return {
    ...draft,
    status: 'cancelled',
    payload: { ...payload, end: 'cancelled', reason: handedOver.message },
  }
}
