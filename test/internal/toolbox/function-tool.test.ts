// Functions as tools: what they return, throw and leave hanging, and records that cannot be used.
import { expect, test } from 'vitest'
import { createFunctionTool } from '../../../internal/toolbox/function-tool.ts'
import { call, ctxWith } from '../../support/ctx.ts'

const record = { name: 'try_it', description: 'Tries it.\nTwice.', execute: () => 'x' as unknown }
const ctx = ctxWith({}, { agent: { model: 'openai/m' } })

test.each([
  ['a text', () => 'done', 'done', undefined],
  ['a promise', async () => 'later', 'later', undefined],
  ['a number', () => 7, '7', undefined],
  ['a list', () => [1, 2], '[1,2]', undefined],
  ['an object', () => ({ words: 5 }), '{"words":5}', undefined],
  ['nothing', () => undefined, 'fn__try_it returned nothing', undefined],
  ['a result', () => ({ result: 'good' }), 'good', undefined],
  [
    'an error of its own',
    () => ({ result: 'no luck', is_error: true }),
    'error command_failed: fn__try_it failed\nno luck',
    'command_failed',
  ],
  [
    'what is no JSON',
    () => 7n,
    'error command_failed: fn__try_it failed\nDo not know how to serialize a BigInt',
    'command_failed',
  ],
  [
    'what it throws',
    () => Promise.reject(new Error('broke')),
    'error command_failed: fn__try_it failed\nbroke',
    'command_failed',
  ],
])('a function may return %s', async (_, execute, text, code) => {
  const { tool } = createFunctionTool({ ...record, execute })
  const result = await call(tool, {}, ctx)
  expect([result.text, result.failed?.code]).toEqual([text, code])
})

test('takes name, level and description from the record, and needs approval by default', () => {
  const { tool, guidance } = createFunctionTool({ ...record, system_prompt: 'Seldom.' })
  expect([tool.name, tool.level, tool.about, guidance]).toEqual([
    'fn__try_it',
    'confirm_execute',
    'Tries it.\nTwice.',
    'Seldom.',
  ])
  expect(createFunctionTool({ ...record, permission: 'auto_read' }).tool.level).toBe('auto_read')
})

test('checks the arguments before a call, and passes the context of the call', async () => {
  const given: unknown[] = []
  const input_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
  const own = {
    ...record,
    input_schema,
    unit: 'cm',
    execute(this: { unit: string }, input: unknown, context: unknown) {
      given.push(this.unit, input, context)
    },
  }
  const { tool } = createFunctionTool(own)
  await expect(call(tool, { n: 'x' }, ctx)).rejects.toThrow('n')
  expect(given).toEqual([])
  await call(tool, { n: 3 }, ctx)
  expect(given).toEqual([
    'cm',
    { n: 3 },
    { workspace_root: ctx.cwd, model_name: 'openai/m', runtime_deadline: expect.any(Number) },
  ])
})

test('a call ends at its time limit or with the run, and does not start after the deadline', async () => {
  let begun = 0
  const hangs = { ...record, timeout_seconds: 0.05, execute: () => new Promise(() => void begun++) }
  expect((await call(createFunctionTool(hangs).tool, {}, ctx)).failed?.code).toBe('timeout')
  const late = createFunctionTool(hangs, () => Date.now() - 1)
  expect((await call(late.tool, {}, ctx)).failed?.code).toBe('timeout')
  expect(begun).toBe(1)
  const stop = new AbortController()
  const running = call(
    createFunctionTool({ ...hangs, timeout_seconds: 60 }).tool,
    {},
    { ...ctx, signal: stop.signal },
  )
  setTimeout(() => stop.abort(), 20)
  expect((await running).failed?.code).toBe('cancelled')
})

test.each([
  [undefined, 'not an object'],
  [{ ...record, name: '' }, 'has an invalid name'],
  [{ ...record, description: ' ' }, 'no description'],
  [{ ...record, execute: 'x' }, 'no execute'],
  [{ ...record, execute: (_a: unknown, _b: unknown, _c: unknown) => '' }, '3 parameters'],
  [{ ...record, permission: 'interactive' }, 'may not have the permission interactive'],
  [{ ...record, permission: 'all' }, 'unknown permission'],
  [{ ...record, input_schema: { type: 'object', properties: { a: { anyOf: [] } } } }, 'not flat'],
  [{ ...record, timeout_seconds: -1 }, 'timeout_seconds'],
])('rejects %j', (wrong, why) => {
  expect(() => createFunctionTool(wrong)).toThrow(why)
})
