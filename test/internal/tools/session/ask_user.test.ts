// ask_user: the questions for the user, every kind of answer, and invalid questions.
import { expect, test } from 'vitest'
import type { UserQuestionnaire, UserReply } from '../../../../internal/tool/ask.ts'
import { askUser } from '../../../../internal/tools/session/ask_user.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const options = [
  { id: 'pg', label: 'PostgreSQL' },
  { id: 'lite', label: 'SQLite', description: 'one file' },
]
const root = { question: 'Which database?', options }

/** Returns a user who gives a prepared reply, and the questions that they saw. */
function person(reply: UserReply) {
  const shown: UserQuestionnaire[] = []
  const user = {
    async ask(prompt: UserQuestionnaire) {
      shown.push(prompt)
      return reply
    },
  }
  return { shown, ctx: ctxWith({ user }) }
}

test('shows one question with its options, and returns the chosen option', async () => {
  const { shown, ctx } = person({ status: 'answered', answers: [{ id: 'q1', option: 'lite' }] })
  const result = await call(askUser, root, ctx)
  expect(shown).toEqual([
    {
      from: 'the model',
      call: '',
      questions: [{ id: 'q1', ...root, allowFreeform: false, required: false }],
    },
  ])
  expect(result).toEqual({
    text: 'Which database?\n  SQLite (lite)',
    data: {
      status: 'answered',
      answers: [{ id: 'q1', question: 'Which database?', option: 'lite', label: 'SQLite' }],
      unanswered: [],
    },
  })
})

test('accepts every parameter of a questionnaire, with hyphenated topics', async () => {
  const { shown, ctx } = person({
    status: 'answered',
    answers: [
      { id: 'q2', text: 'blue-ish' },
      { id: 'q1', option: 'pg' },
    ],
  })
  const result = await call(
    askUser,
    {
      ...root,
      reason: 'Migrations differ',
      topic: '  data base  choice ',
      required: 'true',
      questions: [
        { question: 'Colour?', options: [], allow_freeform: true, topic: 'colour' },
        { question: 'When?', options, reason: 'Planning', required: true },
      ],
    },
    ctx,
  )
  expect(shown[0]?.questions).toEqual([
    {
      id: 'q1',
      ...root,
      reason: 'Migrations differ',
      topic: 'data-base-choice',
      allowFreeform: false,
      required: true,
    },
    { id: 'q2', question: 'Colour?', options: [], topic: 'colour', allowFreeform: true, required: false },
    { id: 'q3', question: 'When?', options, reason: 'Planning', allowFreeform: false, required: true },
  ])
  expect(result.text).toBe(
    'Colour?\n  blue-ish\nWhich database?\n  PostgreSQL (pg)\nWhen?\n  (no answer, though one was required)',
  )
  expect(result.data).toMatchObject({
    status: 'answered',
    answers: [
      { id: 'q2', topic: 'colour', text: 'blue-ish' },
      { id: 'q1', topic: 'data-base-choice', option: 'pg', label: 'PostgreSQL' },
    ],
    unanswered: ['q3'],
  })
})

test.each([
  [{}, 'Continue with your best guess'],
  [{ required: true }, 'The answer was required'],
])('dismissed with %j is a status', async (rest, text) => {
  const { ctx } = person({ status: 'dismissed' })
  const result = await call(askUser, { ...root, ...rest }, ctx)
  expect(result.failed).toBeUndefined()
  expect(result.text).toContain(text)
  expect(result.data).toEqual({ status: 'dismissed', answers: [], unanswered: ['q1'] })
})

test('fails at once without a user', async () => {
  expect((await call(askUser, root, ctxWith())).failed).toMatchObject({ code: 'no_user_available' })
  const { ctx } = person({ status: 'no_user_available', why: 'the broker timed out' })
  expect((await call(askUser, root, ctx)).failed).toMatchObject({ message: 'the broker timed out' })
})

test.each([[{ id: 'q1', option: 'oracle-db' }], [{ id: 'q9', text: 'x' }]])(
  'an answer %j that fits no question counts as unanswered',
  async (answer) => {
    const { ctx } = person({ status: 'answered', answers: [answer] })
    expect((await call(askUser, root, ctx)).failed?.code).toBe('no_user_available')
  },
)

test.each([
  [{ ...root, options: [options[0], options[0]] }, 'q1: the option id pg is used twice'],
  [{ ...root, options: [] }, 'q1: without options only allow_freeform'],
  [{ ...root, questions: [{ question: 'x', options: [] }] }, 'q2: without options'],
])('rejects %j', async (args, message) => {
  const { shown, ctx } = person({ status: 'dismissed' })
  const { failed } = await call(askUser, args, ctx)
  expect(failed?.code).toBe('bad_args')
  expect(failed?.message).toContain(message)
  expect(shown).toEqual([])
})

test.each([
  [{ question: 'x' }, 'missing required parameter options'],
  [{ ...root, questions: [root, root, root, root] }, 'questions must have at most 3 items'],
  [{ ...root, options: [{ id: 'a' }] }, 'missing required parameter options[0].label'],
  [{ ...root, optoins: [] }, 'unknown parameter optoins, did you mean options?'],
])('rejects the arguments %j', async (args, message) => {
  await expect(call(askUser, args, ctxWith())).rejects.toThrow(message)
})

test('two questions may have the same option id', async () => {
  const { ctx } = person({ status: 'dismissed' })
  expect((await call(askUser, { ...root, questions: [root] }, ctx)).failed).toBeUndefined()
})

test('reads options that are plain texts as their labels, in every question', async () => {
  const { shown, ctx } = person({ status: 'answered', answers: [{ id: 'q1', option: 'SQLite' }] })
  const plain = { question: 'Which database?', options: ['PostgreSQL', 'SQLite'] }
  const result = await call(askUser, { ...plain, questions: [plain] }, ctx)
  const options = plain.options.map((text) => ({ id: text, label: text }))
  expect(shown[0]?.questions.map((one) => one.options)).toEqual([options, options])
  expect(result).toMatchObject({ data: { answers: [{ option: 'SQLite', label: 'SQLite' }] } })
  const { failed } = await call(askUser, { ...plain, options: ['a', 'a'] }, ctx)
  expect(failed?.message).toContain('used twice')
})
