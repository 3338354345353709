// A study as the page has it: how it stands, who worked when, what was read, what was said.
import type { BoardTask, StudyBoard } from '../session/board/study-board.ts'

/** The keys stay. */
export interface StudyDetail extends Omit<StudyBoard, 'tasks'> {
  tasks: TaskDetail[]
  /** The newest evidence, newest first. */
  read: StudyReading[]
  /** The newest messages that were delivered, newest first. */
  mailbox: StudyMessage[]
}

export interface TaskDetail extends BoardTask {
  /** Who has worked on it and when, oldest first; the last one may go on. */
  turns: WorkerTurn[]
}

/** One worker's time with a task. */
export interface WorkerTurn {
  owner: string
  attempt: number
  /** Milliseconds since 1970. */
  started: number
  ended: number | null
  /** Why it ended without a result. */
  lost: string | null
}

export interface StudyMessage {
  from: string
  to: string
  type: string
  body: string
}

/** Something that a worker has read and may quote. */
interface StudyReading {
  id: string
  task: string
  tool: string
  source: string
  locator: string
}
