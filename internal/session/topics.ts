// Topics that a client can follow besides the session itself: a subagent, a study, the experiments
// of the workspace.
import * as z from 'zod/mini'
import type { ResearchBoard } from './board/research-board.ts'
import type { StudyBoard } from './board/study-board.ts'

const text = z.string().check(z.minLength(1))

export const sessionTopicSchema = z.union([
  /** Thread of a subagent of this session. */
  z.object({ kind: z.literal('child'), thread: text }),
  /**
   * A study of the workspace: by its full id, or the latest study if it began at `since` (milliseconds since
   * 1970) or later. Default of `since`: any time.
   */
  z.object({
    kind: z.literal('study'),
    study: z.optional(text),
    since: z.optional(z.number()),
  }),
  /** The experiment session of the workspace that changed last. */
  z.object({ kind: z.literal('experiment') }),
])

export type SessionTopic = z.output<typeof sessionTopicSchema>

/** An event with the complete board of a study or of the experiments. */
export type BoardEvent =
  | { type: 'study.board'; payload: StudyBoard }
  | { type: 'experiment.board'; payload: ResearchBoard }
