// The undo history of a thread: the runs that can be undone, and the undos that can be redone.
import type { Event } from '../event/event.ts'
import { addWrite } from './standing-writes.ts'
import type { RecordedWrite } from './undo-plan.ts'

/** The writes of one run that no undo has reverted, or the writes of one undo. */
interface RunWrites {
  /** The message of the user to which the run is the answer; empty for a direct call. */
  message: string
  writes: RecordedWrite[]
}

interface UndoHistory {
  /** Runs that have writes which no undo has reverted, oldest first. */
  runs: RunWrites[]
  /** Undos that can be redone, oldest first. When a tool makes a later change, the list becomes empty. */
  undos: RunWrites[]
  /** The latest message of the user, even if its run has written nothing. */
  latestMessage: string
}

type StoredEvent = Event & { pos: number }

/** Types of the events that `readUndoHistory` needs. */
export const undoEventTypes = ['file.written', 'message', 'tool.call'] as const

interface PathState {
  standing: RecordedWrite[]
  /** Lists of writes that an undo has removed from `standing`, the latest list last. */
  reverted: RecordedWrite[][]
}

/** Returns the undo history of a thread from its events of `undoEventTypes`, in order. */
export function readUndoHistory(events: Iterable<StoredEvent>): UndoHistory {
  const reader = new HistoryReader()
  for (const event of events) reader.read(event)
  return reader.history()
}

class HistoryReader {
  readonly #paths = new Map<string, PathState>()
  /** Id of the run to which each write belongs. A redo belongs to the run that was undone. */
  readonly #runOf = new Map<RecordedWrite, string>()
  readonly #messages = new Map<string, string>()
  readonly #agentCalls = new Set<string>()
  readonly #runs: string[] = []
  #undos: (RunWrites & { call: string })[] = []
  #latestMessage = ''
  #redoCall = ''

  read(event: StoredEvent): void {
    const { type, payload, run_id: run, pos } = event
    if (type === 'tool.call') this.#agentCalls.add(payload.call)
    else if (type === 'file.written') this.#readWrite({ ...payload, pos }, run)
    else if (type === 'message' && payload.role === 'user' && payload.origin === undefined) {
      this.#latestMessage = payload.text
      if (!this.#messages.has(run)) this.#messages.set(run, payload.text)
    }
  }

  history(): UndoHistory {
    const standing = [...this.#paths.values()].flatMap((state) => state.standing)
    const runs = this.#runs.flatMap((run) => {
      const writes = standing.filter((write) => this.#runOf.get(write) === run)
      return writes.length > 0 ? [{ message: this.#messages.get(run) ?? '', writes }] : []
    })
    const undos = this.#undos.map(({ message, writes }) => ({ message, writes }))
    return { runs, undos, latestMessage: this.#latestMessage }
  }

  #readWrite(write: RecordedWrite, run: string): void {
    const state = this.#paths.get(write.path) ?? { standing: [], reverted: [] }
    this.#paths.set(write.path, state)
    const removed = addWrite(state.standing, write)
    if (removed.length > 0) state.reverted.push(removed)
    const isByUser = !this.#agentCalls.has(write.call)
    if (write.tool === 'undo') this.#readUndo(write, removed, isByUser)
    else if (write.tool === 'redo' && isByUser) this.#readRedo(write, state, run)
    else {
      this.#assign(write, run)
      this.#undos = []
    }
  }

  #readUndo(write: RecordedWrite, removed: readonly RecordedWrite[], isByUser: boolean): void {
    if (!isByUser) {
      this.#undos = []
      return
    }
    const last = this.#undos.at(-1)
    if (last?.call === write.call) last.writes.push(write)
    else {
      const [first] = removed
      const run = (first && this.#runOf.get(first)) ?? ''
      this.#undos.push({ call: write.call, message: this.#messages.get(run) ?? '', writes: [write] })
    }
  }

  #readRedo(write: RecordedWrite, state: PathState, run: string): void {
    const [undone] = state.reverted.pop() ?? []
    this.#assign(write, (undone && this.#runOf.get(undone)) ?? run)
    if (this.#redoCall !== write.call) this.#undos.pop()
    this.#redoCall = write.call
  }

  #assign(write: RecordedWrite, run: string): void {
    this.#runOf.set(write, run)
    if (this.#runs.includes(run)) return
    this.#runs.push(run)
    // A resumed run continues the latest message, so it has no message event.
    if (!this.#messages.has(run)) this.#messages.set(run, this.#latestMessage)
  }
}
