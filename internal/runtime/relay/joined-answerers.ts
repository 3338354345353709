// Everybody who may answer in a session: whoever is here, the relay of the person, and none of them for ever.
import { answerWithRelay, askWithRelay } from '../../relay/first-answer.ts'
import type { QuestionRelay } from '../../relay/question-relay.ts'
import { limitApprovalWait, limitQuestionWait, usualWaitSeconds } from '../../relay/wait-limit.ts'
import type { ApprovalHandler, UserChannel } from '../../tool/ctx.ts'

export interface AskingOptions {
  relay: (() => Promise<QuestionRelay>) | undefined
  /** Absent: a day. */
  waitSeconds: number | undefined
}

/** `tell` is called with what a person who could have answered should know. */
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

/** Questions of tools and servers. Without a relay there is a `user`. */
export function joinAnswerers(
  user: UserChannel | undefined,
  { relay, waitSeconds = usualWaitSeconds }: AskingOptions,
): UserChannel {
  const all = relay ? answerWithRelay(user, relay) : user
  const nobody: UserChannel = { ask: async () => ({ status: 'no_user_available', why: 'nobody is here' }) }
  return limitQuestionWait(all ?? nobody, waitSeconds)
}
