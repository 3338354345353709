// Questions on record: each questionnaire is an event before anybody is asked, and its answer another.
import { createId } from '../../base/ids.ts'
import type { EventDraft } from '../../event/event.ts'
import type { UserQuestion, UserReply } from '../../tool/ask.ts'
import { answeredElsewhere } from '../../tool/authorization/answered-elsewhere.ts'
import type { UserChannel } from '../../tool/ctx.ts'

/** Waits for the answer to one questionnaire; begins to wait at once. */
export type AnswerWait = (
  id: string,
  questions: readonly UserQuestion[],
  signal: AbortSignal,
) => Promise<UserReply>

/** `named`: whether an answer names the request, beside the call that it comes from. */
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
      // somebody else may have been first
      const status = answeredElsewhere(signal)?.status ?? given.status
      await report({ type: 'question.answered', payload: { call, status } })
      return given
    },
  }
}
