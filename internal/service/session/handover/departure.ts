// A run that is to go on in another process: what its session knows of that while it lasts.
import type { SessionRecord } from '../../../agent/session.ts'
import type { EventDraft, EventType } from '../../../event/event.ts'
import type { HandOverReply } from '../../../session/client.ts'
import { handedOverReason } from '../../../session/view/fold-run.ts'

export interface SessionDeparture {
  /**
   * `asked`: nothing is done yet; `waiting`: until the end of the step; `leaving`: no command is taken any
   * more; `left`: it goes on elsewhere.
   */
  phase: 'asked' | 'waiting' | 'leaving' | 'left'
  /** Ends the wait for the end of the step. */
  hurry(): void
  readonly done: Promise<HandOverReply>
}

/** Why a run ends here that goes on elsewhere; its message is the reason on record. */
export const handedOver = new Error(handedOverReason)

export const isHandedOver = ({ reason }: AbortSignal) => reason === handedOver

/** What the end of an open step would say of it: it is still to be done, and not done here. */
const keptOpen: ReadonlySet<EventType> = new Set([
  'permission.asked',
  'permission.decided',
  'question.asked',
  'question.answered',
  'message.delta',
])

/**
 * The same record until the run is handed over. From then on it stands as if the process had died: a call
 * that has not begun does not begin, what waits goes on waiting, and only what is over gets its result. Its
 * end is on record as that of a run that was handed over.
 */
export function recordUntilHandedOver(record: SessionRecord, signal: AbortSignal): SessionRecord {
  const begun = new Set<string>()
  return {
    ...record,
    async append(draft) {
      if (!isHandedOver(signal)) {
        // what asks a person is answered by the stop as well
        if (draft.type === 'tool.call' && draft.payload.effect !== 'interact') begun.add(draft.payload.call)
        return record.append(draft)
      }
      // without a record of its intent no call runs
      if (draft.type === 'tool.call') throw handedOver
      if (!isUnsaid(draft, begun)) await record.append(endOf(draft))
    },
  }
}

function isUnsaid(draft: EventDraft, begun: ReadonlySet<string>): boolean {
  if (draft.type === 'tool.result')
    return !begun.has(draft.payload.call) || draft.payload.code === 'cancelled'
  return keptOpen.has(draft.type) || (draft.type === 'message' && draft.payload.interrupted === true)
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
