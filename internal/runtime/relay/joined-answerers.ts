// Functions that ask both the local user and the relay, which reaches the user on another device, each with
// a time limit.
import { answerWithRelay, askWithRelay } from '../../relay/first-answer.ts'
import type { QuestionRelay } from '../../relay/question-relay.ts'
import { limitApprovalWait, limitQuestionWait, usualWaitSeconds } from '../../relay/wait-limit.ts'
import type { ApprovalHandler, UserChannel } from '../../tool/ctx.ts'

export interface AskingOptions {
  relay: (() => Promise<QuestionRelay>) | undefined
  /** Seconds to wait for an answer. Default: one day. */
  waitSeconds: number | undefined
}

/**
 * Returns a handler that asks the local user and, if there is one, the relay; the first answer counts. While
 * the local user could still answer, `tell` reports the answer or the failure of the relay. After
 * `waitSeconds` without an answer, the call is denied.
 */
export function joinApprovers(
  ask: ApprovalHandler,
  { relay, waitSeconds = usualWaitSeconds }: AskingOptions,
  tell: (text: string) => void,
): ApprovalHandler {
  const all: ApprovalHandler = relay
    ? async (request) => askWithRelay(ask, await relay(), tell)(request)
    : ask
  return limitApprovalWait(all, waitSeconds)
}

/**
 * Returns a channel for the questions of tools and servers. Its reply is that no user is available if there
 * is neither a local user nor a relay, or after `waitSeconds` without an answer.
 */
export function joinAnswerers(
  user: UserChannel | undefined,
  { relay, waitSeconds = usualWaitSeconds }: AskingOptions,
): UserChannel {
  const all = relay ? answerWithRelay(user, relay) : user
  const absent: UserChannel = {
    ask: async () => ({ status: 'no_user_available', why: 'no user is present' }),
  }
  return limitQuestionWait(all ?? absent, waitSeconds)
}
