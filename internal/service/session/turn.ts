// One turn of a session: the runs that follow from one command, what ends them, and the reply to the command.
import type { SessionRecord } from '../../agent/session.ts'
import type { CommandReply } from '../../session/client.ts'
import { recordUntilHandedOver } from './handover/departure.ts'

export class SessionTurn {
  readonly stop = new AbortController()
  /** What the command that began the turn is answered. */
  readonly reply: Promise<CommandReply>
  /** Answers the command; only the first call counts. */
  readonly answer: (reply: CommandReply) => void
  /** Resolves when nothing of the turn is left. Never rejects. */
  ended: Promise<void> = Promise.resolve()
  /** What the current run was begun for is on record. */
  isOnRecord = false
  /** The current run has ended without being done: no queued message follows. */
  isUnfinished = false
  /** Replies of the model in the current run. */
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

  /** A run of the turn begins. */
  beginRun(): void {
    this.isOnRecord = false
    this.steps = 0
  }
}

interface RecordWatch {
  turn: SessionTurn
  /** The run begins without a message of the user. */
  isWordless: boolean
  isPlanning(): boolean
  /** Called when what the run was begun for is on record. */
  onBegun(): void
  /** Called with each reply of the model. */
  onReply(): void
}

/** The same record until the run is handed over, which tells the turn what has been recorded. */
export function watchRecord(own: SessionRecord, watch: RecordWatch): SessionRecord {
  const { turn, isWordless, isPlanning, onReply } = watch
  const record = recordUntilHandedOver(own, turn.signal)
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
