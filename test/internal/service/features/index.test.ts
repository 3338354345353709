// Features of a session: the channel from a run to the user: a file of answers, a terminal, or none.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { UserTerminal } from '../../../../internal/runtime/features.ts'
import { openUser } from '../../../../internal/service/features/index.ts'

const questions = [
  { id: 'q1', question: 'Which port?', options: [], allowFreeform: true, required: false },
] as const
const ask = (user: ReturnType<typeof openUser>) =>
  user?.ask({ from: 'the model', questions: [...questions] }, new AbortController().signal)

/** Streams without a terminal. */
const pipes = { stdin: new PassThrough(), stderr: new PassThrough() } as unknown as UserTerminal

test('opens no channel without a file and a terminal', () => {
  expect(openUser({ terminal: undefined, env: {} })).toBe(undefined)
})

test('rejects a file that does not exist at once', () => {
  const answers = join(mkdtempSync(join(tmpdir(), 'anode-user-')), 'missing.json')
  expect(() => openUser({ answers, terminal: undefined, env: {} })).toThrow(`${answers} does not exist`)
})

test('prefers a file to a terminal', async () => {
  const answers = join(mkdtempSync(join(tmpdir(), 'anode-user-')), 'answers.json')
  writeFileSync(answers, '{"Which port?": "8080"}')
  expect(await ask(openUser({ answers, terminal: pipes, env: {} }))).toEqual({
    status: 'answered',
    answers: [{ id: 'q1', text: '8080' }],
  })
})

test('streams without a terminal reach no user', async () => {
  expect(await ask(openUser({ terminal: pipes, env: {} }))).toEqual({
    status: 'no_user_available',
    why: 'standard input is not a terminal',
  })
})
