// Terminal and relay as parallel approvers: one answer counts, and the other side is notified.
import { expect, it } from 'vitest'
import { answerWithRelay, askWithRelay } from '../../../internal/relay/first-answer.ts'
import type { QuestionRelay } from '../../../internal/relay/question-relay.ts'
import type { ApprovalReply, UserReply } from '../../../internal/tool/ask.ts'
import { AnsweredElsewhere } from '../../../internal/tool/authorization/answered-elsewhere.ts'
import { requestOf } from '../../support/approval.ts'
import { questionnaire, silentApprover } from '../../support/relay.ts'

const never = new AbortController().signal
const denied: ApprovalReply = { allow: false, why: 'nobody is here', unanswered: true }

function relayThat(reply: ApprovalReply | 'silence', answer: UserReply | 'silence' = 'silence') {
  const signals: AbortSignal[] = []
  const silence = new Promise<never>(() => undefined)
  const relay: QuestionRelay = {
    approve(request) {
      signals.push(request.signal)
      return reply === 'silence' ? silence : Promise.resolve(reply)
    },
    answer(_, signal) {
      signals.push(signal)
      return answer === 'silence' ? silence : Promise.resolve(answer)
    },
    close: async () => undefined,
  }
  return { relay, signals }
}

it('accepts the relay if it answers first, and closes the question on the terminal', async () => {
  const { relay } = relayThat({ allow: true, why: 'the relay allowed it' })
  const { ask, ended } = silentApprover()
  const told: string[] = []
  expect(await askWithRelay(ask, relay, (text) => told.push(text))(requestOf())).toEqual({
    allow: true,
    why: 'the relay allowed it',
  })
  expect(ended).toEqual([expect.any(AnsweredElsewhere)])
  expect(told).toEqual(['the relay allowed it: bash'])
})

it('accepts the user if they answer first, and notifies the relay', async () => {
  const { relay, signals } = relayThat('silence')
  const reply = await askWithRelay(
    async () => ({ allow: false, why: 'the user denied it' }),
    relay,
  )(requestOf())
  expect(reply).toEqual({ allow: false, why: 'the user denied it' })
  expect(signals[0]?.reason).toMatchObject({ text: 'the user denied it' })
})

it('waits for the other side if one side cannot answer', async () => {
  const broken: ApprovalReply = {
    allow: false,
    why: 'the relay program gave no answer: exit 1',
    unanswered: true,
  }
  const told: string[] = []
  const person = async () => {
    await expect.poll(() => told.length).toBeGreaterThan(0)
    return { allow: true, why: 'the user allowed it' }
  }
  expect(await askWithRelay(person, relayThat(broken).relay, (text) => told.push(text))(requestOf())).toEqual(
    {
      allow: true,
      why: 'the user allowed it',
    },
  )
  expect(told).toEqual([broken.why])
  const late = relayThat({ allow: true, why: 'the relay allowed it' }).relay
  expect((await askWithRelay(async () => denied, late)(requestOf())).allow).toBe(true)
  expect(await askWithRelay(async () => denied, relayThat(broken).relay)(requestOf())).toEqual({
    ...{ allow: false, unanswered: true },
    why: 'nobody is here; the relay program gave no answer: exit 1',
  })
})

it('computes the file changes of a call once for both sides', async () => {
  let looks = 0
  const preview = async () => {
    looks++
    return undefined
  }
  const look: QuestionRelay['approve'] = async (request) => {
    await request.preview()
    return denied
  }
  const relay = { ...relayThat('silence').relay, approve: look }
  await askWithRelay(look, relay)(requestOf({ preview }))
  expect(looks).toBe(1)
})

it('treats questions in the same way', async () => {
  const answer: UserReply = { status: 'answered', answers: [{ id: 'q1', option: 'pg' }] }
  const { relay } = relayThat('silence', answer)
  const reasons: unknown[] = []
  const silent = {
    ask: (_: unknown, signal: AbortSignal) =>
      new Promise<UserReply>((resolve) => {
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason)
          resolve({ status: 'dismissed' })
        })
      }),
  }
  expect(await answerWithRelay(silent, async () => relay).ask(questionnaire, never)).toBe(answer)
  expect(reasons).toMatchObject([{ text: 'the relay answered', status: 'answered' }])
  expect(await answerWithRelay(undefined, async () => relay).ask(questionnaire, never)).toBe(answer)
  const { relay: slow, signals } = relayThat('silence')
  const person = { ask: async (): Promise<UserReply> => ({ status: 'dismissed' }) }
  expect(await answerWithRelay(person, async () => slow).ask(questionnaire, never)).toEqual({
    status: 'dismissed',
  })
  expect(signals[0]?.reason).toMatchObject({ text: 'the user dismissed it' })
  const none = (why: string): UserReply => ({ status: 'no_user_available', why })
  const gone = { ask: async () => none('standard input has ended') }
  const { relay: broken } = relayThat('silence', none('the relay broke'))
  expect(await answerWithRelay(gone, async () => broken).ask(questionnaire, never)).toEqual(
    none('standard input has ended; the relay broke'),
  )
})
