// Time limit of a question, after which it counts as unanswered.
import { waitAtMost } from '../base/time-limit.ts'
import { AnsweredElsewhere } from '../tool/authorization/answered-elsewhere.ts'
import type { ApprovalHandler, UserChannel } from '../tool/ctx.ts'

/** Default time limit of a question in seconds. */
export const usualWaitSeconds = 86_400

export function limitApprovalWait(ask: ApprovalHandler, seconds: number): ApprovalHandler {
  return async (request) => {
    const over = new AbortController()
    const signal = AbortSignal.any([request.signal, over.signal])
    const outcome = await waitAtMost(ask({ ...request, signal }), seconds * 1000)
    if (typeof outcome === 'object') return outcome.value
    const why = describeLimit(seconds)
    over.abort(new AnsweredElsewhere(why))
    return { allow: false, why, unanswered: true }
  }
}

export function limitQuestionWait(user: UserChannel, seconds: number): UserChannel {
  return {
    async ask(prompt, outer) {
      const over = new AbortController()
      const signal = AbortSignal.any([outer, over.signal])
      const outcome = await waitAtMost(user.ask(prompt, signal), seconds * 1000)
      if (typeof outcome === 'object') return outcome.value
      const why = describeLimit(seconds)
      over.abort(new AnsweredElsewhere(why, 'no_user_available'))
      return { status: 'no_user_available', why }
    },
  }
}

const describeLimit = (seconds: number) => `no user answered within ${seconds} s (approvals.wait)`
