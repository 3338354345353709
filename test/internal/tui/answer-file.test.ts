// Answers from a file: how entries are matched, and that nothing is made up.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { UserQuestion } from '../../../internal/tool/ask.ts'
import { openAnswerFileUser } from '../../../internal/tui/answer-file.ts'

let path: string
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'anode-answers-')), 'a.json')
})
afterEach(() => rmSync(join(path, '..'), { recursive: true }))

const question = (over: Partial<UserQuestion> = {}): UserQuestion => ({
  id: 'q1',
  question: 'Which database?',
  topic: 'data-base',
  options: [
    { id: 'pg', label: 'PostgreSQL' },
    { id: 'lite', label: 'SQLite' },
  ],
  allowFreeform: false,
  required: false,
  ...over,
})
const second = question({ id: 'q2', question: 'Colour?', topic: 'colour', options: [], allowFreeform: true })
const ask = (file: unknown, questions: UserQuestion[]) => {
  writeFileSync(path, typeof file === 'string' ? file : JSON.stringify(file))
  return openAnswerFileUser(path).ask({ from: 'the model', questions }, new AbortController().signal)
}

test.each([
  [{ 'Which database?': 'lite' }],
  [{ 'data-base': 'SQLite' }],
  [{ q1: 'lite' }],
  [{ q1: 'pg', 'Which database?': 'lite' }],
])('%j chooses an option', async (file) => {
  expect(await ask(file, [question()])).toEqual({
    status: 'answered',
    answers: [{ id: 'q1', option: 'lite' }],
  })
})

test('text where typing is allowed, and questions left out', async () => {
  expect(await ask({ colour: 'blue' }, [question(), second])).toEqual({
    status: 'answered',
    answers: [{ id: 'q2', text: 'blue' }],
  })
})

test('null dismisses', async () => {
  expect(await ask({ q1: null }, [question()])).toEqual({ status: 'dismissed' })
})

test.each([
  [{ q1: 'mysql' }, [question()], '"mysql" in .* must be one of: pg, lite'],
  [{}, [question()], 'no answer for "Which database\\?" or "data-base" or "q1"'],
  [{ colour: 'blue' }, [question({ required: true }), second], 'no answer for "Which database'],
])('%j answers nothing', async (file, questions, why) => {
  expect(await ask(file, questions)).toEqual({
    status: 'no_user_available',
    why: expect.stringMatching(new RegExp(why)),
  })
})

test.each([
  ['{', 'is not JSON'],
  ['[]', 'must contain one object of strings'],
  ['{"a": 1}', 'must contain one object of strings'],
])('rejects the file %j at once', async (file, message) => {
  writeFileSync(path, file)
  expect(() => openAnswerFileUser(path)).toThrow(message)
})

test('rejects a file that does not exist at once', () => {
  expect(() => openAnswerFileUser('/nowhere/a.json')).toThrow('does not exist')
})
