// Valid answers of a relay: explicit approvals and denials, and nothing else.
import { expect, it } from 'vitest'
import { parseAnswer, readApprovalAnswer, readQuestionsAnswer } from '../../../internal/relay/relay-answer.ts'
import { offer, questionnaire } from '../../support/relay.ts'

it('reads approvals', () => {
  const always = [offer, offer]
  expect(readApprovalAnswer({ allow: true }, { always })).toEqual({
    allow: true,
    why: 'the relay allowed it',
  })
  expect(readApprovalAnswer({ allow: true, always: true }, { always })).toMatchObject({ always: true })
  expect(readApprovalAnswer({ allow: true, always: [1] }, { always })).toMatchObject({ always: [1] })
  expect(readApprovalAnswer({ allow: true, always: false }, { always: undefined })).not.toHaveProperty(
    'always',
  )
  expect(readApprovalAnswer({ allow: false }, { always })).toEqual({
    allow: false,
    why: 'the relay denied it',
  })
  expect(readApprovalAnswer({ allow: false, why: ' not today ', always: true }, { always })).toEqual({
    allow: false,
    why: 'the relay denied it and says: not today',
  })
})

it.each([
  null,
  true,
  'allow',
  [],
  {},
  { allow: 'true' },
  { allow: 1 },
  { allowed: true },
  { allow: true, always: [2] },
  { allow: true, always: [] },
  { allow: true, always: 'all' },
  { allow: false, why: 5 },
  // a question that was sent back
  { kind: 'approval', always: [offer], args: { allow: true } },
])('takes %j for no approval', (value) => {
  expect(() => readApprovalAnswer(value, { always: [offer, offer] })).toThrow('invalid answer')
})

it('keeps no rule where none was shown', () => {
  for (const always of [true, [0]])
    expect(() => readApprovalAnswer({ allow: true, always }, { always: undefined })).toThrow('once only')
})

it('reads answers to questions', () => {
  const answered = (option: string) => ({ status: 'answered', answers: [{ id: 'q1', option }] })
  expect(readQuestionsAnswer({ option: 'pg' }, questionnaire)).toEqual(answered('pg'))
  expect(readQuestionsAnswer({ answers: [{ id: 'q1', option: 'SQLite' }] }, questionnaire)).toEqual(
    answered('lite'),
  )
  expect(readQuestionsAnswer({ dismissed: true }, questionnaire)).toEqual({ status: 'dismissed' })
  const [question] = questionnaire.questions
  const free = { ...questionnaire, questions: [{ ...question, allowFreeform: true }] } as typeof questionnaire
  expect(readQuestionsAnswer({ text: ' MySQL ' }, free)).toMatchObject({
    answers: [{ id: 'q1', text: 'MySQL' }],
  })
})

it.each([
  {},
  { answers: [] },
  { answers: 'pg' },
  { option: 'oracle' },
  { text: 'pg, please' },
  { dismissed: 'yes' },
  { answers: [{ id: 'q2', option: 'pg' }] },
  {
    answers: [
      { id: 'q1', option: 'pg' },
      { id: 'q1', option: 'lite' },
    ],
  },
  questionnaire,
])('takes %j for no answer to a question', (value) => {
  expect(() => readQuestionsAnswer(value, questionnaire)).toThrow('invalid answer')
})

it('leaves no required question open', () => {
  const [question] = questionnaire.questions
  const two = { ...questionnaire, questions: [question, { ...question, id: 'q2' }] } as typeof questionnaire
  expect(() => readQuestionsAnswer({ answers: [{ id: 'q2', option: 'pg' }] }, two)).toThrow('q1 open')
})

it('reads JSON alone', () => {
  expect(parseAnswer(' {"allow":true}\n')).toEqual({ allow: true })
  for (const text of ['', 'yes', '{"allow":true} trailing', '{"allow":tru'])
    expect(() => parseAnswer(text)).toThrow('it is not JSON')
})
