// The time limit of a question: it counts as unanswered, and the approver gets the reason.
import { expect, it } from 'vitest'
import { limitApprovalWait, limitQuestionWait } from '../../../internal/relay/wait-limit.ts'
import type { UserReply } from '../../../internal/tool/ask.ts'
import { requestOf } from '../../support/approval.ts'
import { questionnaire, silentApprover } from '../../support/relay.ts'

const why = 'no user answered within 0.05 s (approvals.wait)'

it('ends the wait for an approval', async () => {
  const { ask, ended } = silentApprover()
  expect(await limitApprovalWait(ask, 0.05)(requestOf())).toEqual({ allow: false, why, unanswered: true })
  expect(ended).toMatchObject([{ text: why }])
  const reply = { allow: true, why: 'the user allowed it' }
  expect(await limitApprovalWait(async () => reply, 0.05)(requestOf())).toBe(reply)
})

it('ends the wait for an answer', async () => {
  const silent = { ask: () => new Promise<UserReply>(() => undefined) }
  const { signal } = new AbortController()
  expect(await limitQuestionWait(silent, 0.05).ask(questionnaire, signal)).toEqual({
    status: 'no_user_available',
    why,
  })
})
