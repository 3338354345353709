// One turn of a session: the runs that one command starts, their cancellation, and the reply to that command.
import type { SessionRecord } from '../../agent/session.ts'
import type { CommandReply } from '../../session/client.ts'
import { recordUntilHandedOver } from './handover/departure.ts'

export class SessionTurn {
  readonly stop = new AbortController()
  /** The reply to the command that began the turn. */
  readonly reply: Promise<CommandReply>
  /** Replies to the command; only the first call counts. */
  readonly answer: (reply: CommandReply) => void
  /** Resolves when the turn is over. Never rejects. */
  ended: Promise<void> = Promise.resolve()
  /** Whether the event that began the current run is recorded. */
  isOnRecord = false
  /** Whether the current run ended before it was done. Then no queued message follows. */
  isUnfinished = false
  /** Number of model responses in the current run. */
  steps = 0

  constructor() {
    let answer: (reply: CommandReply) => void = () => undefined
    this.reply = new Promise((resolve) => {
      answer = resolve
    })
    this.answer = answer
  }

  get signal(): AbortSignal {
    return this.stop.signal
  }

  /** Resets `isOnRecord` and `steps` for the next run of the turn. */
  beginRun(): void {
    this.isOnRecord = false
    this.steps = 0
  }
}

interface RecordWatch {
  turn: SessionTurn
  /** Whether the run begins without a message of the user. */
  isWordless: boolean
  isPlanning(): boolean
  /**
   * Called when the event that began the run is recorded, and again for each later message of the user
   * in that run.
   */
  onBegun(): void
  /** Called with each response of the model. */
  onReply(): void
}

/**
 * Returns the record, which also informs the turn about recorded events. After a handoff it drops the events
 * of unfinished calls, questions and messages.
 */
export function watchRecord(sessionRecord: SessionRecord, watch: RecordWatch): SessionRecord {
  const { turn, isWordless, isPlanning, onReply } = watch
  const record = recordUntilHandedOver(sessionRecord, turn.signal)
  const begin = () => {
    record.flush()
    turn.isOnRecord = true
    watch.onBegun()
  }
  return {
    ...record,
    async append(draft) {
      await record.append(draft)
      if (draft.type === 'system.init' && isPlanning())
        await record.append({ type: 'session.changed', payload: { mode: 'plan' } })
      if (draft.type === 'run.ended' && draft.status !== 'done') turn.isUnfinished = true
      if (draft.type === 'system.init' && isWordless) begin()
      if (draft.type !== 'message') return
      const { role, origin } = draft.payload
      if (role === 'assistant') {
        turn.steps++
        onReply()
      }
      if (role === 'user' && !origin) begin()
    },
  }
}
