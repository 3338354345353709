// Recorded questions: the channel stores each questionnaire as an event before it asks, and the
// answer as another event.
import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { UserQuestion, UserReply } from '../../tool/ask.ts'
import { answeredElsewhere } from '../../tool/authorization/answered-elsewhere.ts'
import type { UserChannel } from '../../tool/ctx.ts'

/** Waits for the answer to one questionnaire, starting immediately. */
export type AnswerWait = (
  id: string,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<UserReply>

/**
 * Creates the channel. With `named`, the event of a question contains its id and the call that it comes from;
 * otherwise the id takes the place of the call.
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
      const given = signal.aborted ? ({ status: 'dismissed' } as const) : await reply
      // the question may already have been answered elsewhere
      const status = answeredElsewhere(signal)?.status ?? given.status
      await report({ type: 'question.answered', payload: { call, status } })
      return given
    },
  }
}
