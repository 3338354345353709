// Numbered questions: the meaning of a line, and every way to leave a question.
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { UserQuestion } from '../../../internal/tool/ask.ts'
import { askNumbered } from '../../../internal/tui/numbered-prompt.ts'
import { terminalUser } from '../../../internal/tui/prompt.ts'

const question = (over: Partial<UserQuestion> = {}): UserQuestion => ({
  id: 'q1',
  question: 'Which database?',
  options: [
    { id: 'pg', label: 'PostgreSQL' },
    { id: 'lite', label: 'SQLite', description: 'one file' },
  ],
  allowFreeform: true,
  required: false,
  ...over,
})

function streams(typed: string | undefined) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined })
  const output = new PassThrough()
  let screen = ''
  output.on('data', (chunk) => {
    screen += chunk
  })
  if (typed !== undefined) input.end(typed)
  return { input, output, env: {}, screen: () => screen }
}

const never = new AbortController().signal
const answer = async (typed: string, over: Partial<UserQuestion> = {}) =>
  askNumbered(question(over), never, streams(typed))

test.each([
  ['2\n', { id: 'q1', option: 'lite' }],
  [' 1 \n', { id: 'q1', option: 'pg' }],
  ['3\n', { id: 'q1', text: '3' }],
  ['0\n', { id: 'q1', text: '0' }],
  ['01\n', { id: 'q1', text: '01' }],
  ['+1\n', { id: 'q1', text: '+1' }],
  ['1.0\n', { id: 'q1', text: '1.0' }],
  ['PostgreSQL, please\n', { id: 'q1', text: 'PostgreSQL, please' }],
  ['\n', undefined],
  ['', undefined],
])('%j is %j', async (typed, expected) => {
  expect(await answer(typed)).toEqual(expected)
})

test('asks again after other lines if only options count', async () => {
  const io = streams('none of them\n7\n2\n')
  expect(await askNumbered(question({ allowFreeform: false }), never, io)).toEqual({
    id: 'q1',
    option: 'lite',
  })
  expect(io.screen()).toBe(
    `1) PostgreSQL\n2) SQLite - one file\n${'Type 1 to 2, or an empty line for none: '.repeat(3)}`,
  )
})

test.each([
  ['before it', true],
  ['during it', false],
])('the end of the run ends the question: %s', async (_, isBefore) => {
  const stop = new AbortController()
  if (isBefore) stop.abort()
  const asked = askNumbered(question(), stop.signal, streams(undefined))
  stop.abort()
  expect(await asked).toBeUndefined()
})

test.each([
  ['where the session wants it', { isNumbered: () => true, env: {} }],
  ['on a terminal that cannot redraw', { env: { TERM: 'dumb' } }],
])('asks the user by numbers %s', async (_, more) => {
  const io = streams(undefined)
  io.output.on('data', (chunk) => {
    if (String(chunk).includes('Type 1')) io.input.write('2\n')
  })
  const reply = await terminalUser({ ...io, ...more }).ask(
    { from: 'the model', questions: [question()] },
    never,
  )
  expect(reply).toEqual({ status: 'answered', answers: [{ id: 'q1', option: 'lite' }] })
  expect(io.screen()).toContain('Which database?')
})
