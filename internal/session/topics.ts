// What a client can follow beside its session: a child agent, a study, the experiments of the workspace.
import type { ResearchBoard } from './board/research-board.ts'
import type { StudyBoard } from './board/study-board.ts'

export type SessionTopic =
  /** The thread of a child agent of this session. */
  | { kind: 'child'; thread: string }
  /** A study of the workspace: by its id, else the newest begun at `since` (ms since 1970) or later. */
  | { kind: 'study'; study?: string; since?: number }
  /** The experiment session of the workspace that was changed last. */
  | { kind: 'experiment' }

/** A board is whole each time. */
export type BoardEvent =
  | { type: 'study.board'; payload: StudyBoard }
  | { type: 'experiment.board'; payload: ResearchBoard }
