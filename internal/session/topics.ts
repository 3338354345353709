// What a client can follow beside its session: a child agent, a study, the experiments of the workspace.
import * as z from 'zod/mini'
import type { ResearchBoard } from './board/research-board.ts'
import type { StudyBoard } from './board/study-board.ts'

const text = z.string().check(z.minLength(1))

export const sessionTopicSchema = z.union([
  /** The thread of a child agent of this session. */
  z.object({ kind: z.literal('child'), thread: text }),
  /** A study of the workspace: by its whole id, else the newest begun at `since` (ms since 1970) or later. */
  z.object({
    kind: z.literal('study'),
    study: z.optional(text),
    since: z.optional(z.number()),
  }),
  /** The experiment session of the workspace that was changed last. */
  z.object({ kind: z.literal('experiment') }),
])

export type SessionTopic = z.output<typeof sessionTopicSchema>

/** A board is whole each time. */
export type BoardEvent =
  | { type: 'study.board'; payload: StudyBoard }
  | { type: 'experiment.board'; payload: ResearchBoard }
