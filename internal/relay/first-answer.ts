// Questions to the local and the remote user at once: the first answer counts, and the other
// question is withdrawn.
import { once } from '../base/once.ts'
import type { ApprovalReply, UserReply } from '../tool/ask.ts'
import { AnsweredElsewhere } from '../tool/authorization/answered-elsewhere.ts'
import type { ApprovalHandler, UserChannel } from '../tool/ctx.ts'
import type { QuestionRelay } from './question-relay.ts'

/**
 * Returns a handler that asks the local user with `ask` and, at the same time, the remote user through
 * `relay`. Without an answer, it denies with both reasons. `tell` gets the result of the remote user, unless
 * the local user has answered or the request was cancelled before.
 */
export function askWithRelay(
  ask: ApprovalHandler,
  relay: QuestionRelay,
  tell: (text: string) => void = () => undefined,
): ApprovalHandler {
  return async (request) => {
    const settled = new AbortController()
    const signal = AbortSignal.any([request.signal, settled.signal])
    // The preview is computed only once, for all who can answer.
    const preview = once(() => request.preview())
    const sharedRequest = { ...request, preview, signal }
    const relayed = relay.approve(sharedRequest).then((reply) => {
      if (!signal.aborted) tell(reply.unanswered ? reply.why : `${reply.why}: ${request.tool}`)
      return reply
    })
    const reply = await firstAnswer(
      [ask(sharedRequest), relayed],
      ({ unanswered }) => unanswered !== true,
      joinWhy,
    )
    settled.abort(new AnsweredElsewhere(reply.why))
    return reply
  }
}

const joinWhy = (replies: readonly ApprovalReply[]): ApprovalReply => ({
  allow: false,
  unanswered: true,
  why: replies.map(({ why }) => why).join('; '),
})

/**
 * Returns a channel that asks the local `user` and the remote user at the same time. Without `user`, only the
 * remote user is asked.
 */
export function answerWithRelay(
  user: UserChannel | undefined,
  relay: () => Promise<QuestionRelay>,
): UserChannel {
  return {
    async ask(prompt, outer) {
      const settled = new AbortController()
      const signal = AbortSignal.any([outer, settled.signal])
      const { answer } = await relay()
      const relayed = answer(prompt, signal)
      if (!user) return relayed
      let byRelay: UserReply | undefined
      void relayed.then((reply) => {
        byRelay = reply
      })
      const reply = await firstAnswer(
        [user.ask(prompt, signal), relayed],
        ({ status }) => status !== 'no_user_available',
        joinReasons,
      )
      const who = reply === byRelay ? 'the relay' : 'the user'
      const what = reply.status === 'answered' ? 'answered' : 'dismissed it'
      settled.abort(new AnsweredElsewhere(`${who} ${what}`, reply.status))
      return reply
    },
  }
}

const joinReasons = (replies: readonly UserReply[]): UserReply => ({
  status: 'no_user_available',
  why: replies.flatMap((reply) => (reply.status === 'no_user_available' ? [reply.why] : [])).join('; '),
})

/**
 * Resolves to the first reply that `isAnswer` accepts. If it accepts no reply, resolves to the result of
 * `join` over all replies. Rejects with the first error that occurs before an accepted reply.
 */
function firstAnswer<T>(
  replyPromises: readonly Promise<T>[],
  isAnswer: (reply: T) => boolean,
  join: (replies: readonly T[]) => T,
): Promise<T> {
  return new Promise((resolve, reject) => {
    for (const one of replyPromises) one.then((reply) => isAnswer(reply) && resolve(reply), reject)
    Promise.all(replyPromises).then((replies) => resolve(join(replies)), reject)
  })
}
