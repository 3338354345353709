// Questions to the user of a run that has ended already.
import { expect, it } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { createPendingAnswers } from '../../../../internal/service/session/pending-answers.ts'
import type { UserQuestion } from '../../../../internal/tool/ask.ts'

const question: UserQuestion = {
  id: 'q1',
  question: 'Which database?',
  options: [],
  allowFreeform: true,
  required: false,
}

it.each([
  ['before it is asked', true],
  ['while it waits', false],
])('a question of a run that ends %s is dismissed, and accepts no answer', async (_, isBefore) => {
  const drafts: EventDraft[] = []
  const answers = createPendingAnswers(
    async (draft) => void drafts.push(draft),
    () => undefined,
  )
  const stop = new AbortController()
  if (isBefore) stop.abort()
  const reply = answers.user.ask({ from: 'the model', questions: [question] }, stop.signal)
  stop.abort()
  expect(await reply).toEqual({ status: 'dismissed' })
  const call = drafts.flatMap((draft) => (draft.type === 'question.asked' ? [draft.payload.call] : []))[0]
  expect(answers.answerQuestion(call ?? '', { status: 'dismissed' })).toMatchObject({
    ok: false,
    code: 'already_answered',
  })
})
