// The tool think: counts of one session, its branches, and arguments that need each other.
import { expect, test } from 'vitest'
import { think } from '../../../../internal/tools/session/think.ts'
import { call, ctxWith } from '../../../support/ctx.ts'

const step = (number: number, rest: Record<string, unknown> = {}) => ({
  thought: 't',
  number,
  total: 3,
  next_needed: true,
  ...rest,
})

test('counts the thoughts of a session, and number 1 starts again', async () => {
  const ctx = ctxWith()
  for (const number of [1, 2]) await call(think, step(number), ctx)
  await call(think, step(3, { branch_from: 1, branch_id: 'b' }), ctx)
  expect((await call(think, step(1, { is_revision: true, revises: 1 }), ctx)).data).toMatchObject({
    branches: ['b'],
    history_length: 4,
  })
  expect((await call(think, step(1), ctxWith())).data).toMatchObject({ history_length: 1, branches: [] })
  const { data, text } = await call(think, step(1), ctx)
  expect(data).toEqual({ number: 1, total: 3, next_needed: true, branches: [], history_length: 1 })
  expect(text).toBe('thought 1 of 3, 1 so far')
})

test.each([
  [step(4), 5],
  [step(3, { more_needed: true }), 4],
  [step(1, { more_needed: true }), 3],
])('%j makes the total %i', async (args, total) => {
  expect((await call(think, args, ctxWith())).data).toMatchObject({ total })
})

test.each([[{ is_revision: true }], [{ revises: 1 }], [{ branch_from: 1 }]])('rejects %j', async (rest) => {
  expect((await call(think, step(2, rest), ctxWith())).failed?.code).toBe('bad_args')
})
