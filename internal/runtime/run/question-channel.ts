// Channel for questions to the user. It records each set of questions as an event, by which a client shows
// them, and the status of the reply as another event.
import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { UserQuestion, UserReply } from '../../tool/ask.ts'
import { answeredElsewhere } from '../../tool/authorization/answered-elsewhere.ts'
import type { UserChannel } from '../../tool/ctx.ts'

/** Function that waits for the answer to one set of questions. The wait starts with the call. */
export type AnswerWait = (
  id: string,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<UserReply>

/**
 * Creates the channel. With `named`, the event of a question contains the id of the question and the id of
 * the tool call that asks it. Otherwise its field `call` contains the id of the question.
 */
export function createQuestionChannel(
  report: (draft: EventDraft) => Promise<void>,
  wait: AnswerWait,
  named = false,
): UserChannel {
  return {
    async ask({ from, questions, call: asking }, signal) {
      const id = createId('question')
      const call = named ? (asking ?? id) : id
      const list = questions.map((one) => ({ ...one, options: [...one.options] }))
      const reply = wait(id, questions, signal)
      const request = named ? { request_id: id } : {}
      await report({ type: 'question.asked', payload: { call, ...request, from, questions: list } })
      const answer = signal.aborted ? ({ status: 'dismissed' } as const) : await reply
      // the user may already have answered on another device
      const status = answeredElsewhere(signal)?.status ?? answer.status
      await report({ type: 'question.answered', payload: { call, status } })
      return answer
    },
  }
}
