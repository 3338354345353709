// State of a session while its run moves to another process.
import type { SessionRecord } from '../../../agent/session.ts'
import type { EventDraft, EventType } from '../../../event/event.ts'
import type { HandOverReply } from '../../../session/client.ts'
import { handedOverReason } from '../../../session/view/fold-run.ts'

export interface SessionDeparture {
  /**
   * `asked`: nothing is done yet; `waiting`: until the step ends; `leaving`: commands are rejected; `left`:
   * the run continues elsewhere.
   */
  phase: 'asked' | 'waiting' | 'leaving' | 'left'
  /** Stops the run without waiting for the end of the step. */
  hurry(): void
  readonly done: Promise<HandOverReply>
}

/** The abort reason of a run that continues in another process. Its message is the recorded reason. */
export const handedOver = new Error(handedOverReason)

export const isHandedOver = ({ reason }: AbortSignal) => reason === handedOver

/**
 * Events of open questions and unfinished messages. They are dropped after the hand-off, because the other
 * process repeats the step.
 */
const unfinishedEvents: ReadonlySet<EventType> = new Set([
  'permission.asked',
  'permission.decided',
  'question.asked',
  'question.answered',
  'message.delta',
])

/**
 * Returns a record that stores events unchanged until the run is handed off. After that, the thread looks as
 * if the process had died: new calls do not begin, waiting questions stay open, and only finished calls get a
 * result. A run that is cancelled or fails is recorded as handed off.
 */
export function recordUntilHandedOver(record: SessionRecord, signal: AbortSignal): SessionRecord {
  const begun = new Set<string>()
  return {
    ...record,
    async append(draft) {
      if (!isHandedOver(signal)) {
        // a question to the user does not count as begun: it also ends with the abort, but must stay open
        if (draft.type === 'tool.call' && draft.payload.effect !== 'interact') begun.add(draft.payload.call)
        return record.append(draft)
      }
      // a call must not run without a record of its start, so it is stopped
      if (draft.type === 'tool.call') throw handedOver
      if (!isUnsaid(draft, begun)) await record.append(endOf(draft))
    },
  }
}

function isUnsaid(draft: EventDraft, begun: ReadonlySet<string>): boolean {
  if (draft.type === 'tool.result')
    return !begun.has(draft.payload.call) || draft.payload.code === 'cancelled'
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
