// All who can answer in a session: the local user and the user's relay, each with a limit on the wait.
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
 * Returns a handler that asks the local user and the relay, if there is one; the first answer counts. Calls
 * `tell` with the relay's answer, or its failure, while the local user could still answer. After
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
 * Returns a channel for the questions of tools and servers. Without a user and a relay, its reply is that no
 * user is available.
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
