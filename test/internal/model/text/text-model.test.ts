// Checks that a model without tool calling works through the text form, and when that form is chosen.
import { expect, test } from 'vitest'
import type { Model, ModelEvent, ModelRequest } from '../../../../internal/model/model.ts'
import { wrapAdaptiveModel, wrapTextModel } from '../../../../internal/model/text/text-model.ts'
import { ask, canned, user } from '../../../support/ask-model.ts'

const text = (value: string): ModelEvent => ({ type: 'text', text: value })
const usage: ModelEvent = { type: 'usage', input: 1, output: 1, usd: null }
const end = (reason: 'stop' | 'length' = 'stop'): ModelEvent => ({ type: 'end', reason })
const unsupported: ModelEvent = {
  type: 'failure',
  failure: { kind: 'tools_unsupported', message: '400 does not support tools', status: 400 },
}
const tools = [{ name: 'read', description: 'Reads.', schema: {} }]
const request: ModelRequest = { messages: [user('look')], tools }
const line = 'TOOL: {"name": "read", "args": {"path": "a"}}\n'

test('returns calls at the end, in the order of their lines', async () => {
  const model = canned([text('First. \nTO'), text(line.slice(2)), text(line), usage, end()])
  const reply = await ask(wrapTextModel(model), request)
  expect(reply.text).toBe('First. \n')
  expect(reply.calls).toEqual([
    { id: 't1_1', name: 'read', args: { path: 'a' } },
    { id: 't1_2', name: 'read', args: { path: 'a' } },
  ])
  expect(reply.events.map(({ type }) => type)).toEqual(['text', 'call', 'call', 'usage', 'end'])
  expect(reply.end?.reason).toBe('calls')
  expect(model.asked[0]?.tools).toEqual([])
  expect(model.asked[0]?.messages[0]?.content).toContain('### read')
})

test('an invalid call line becomes a call that cannot run', async () => {
  const reply = await ask(wrapTextModel(canned([text('TOOL: {"name": "read", args: {}}'), end()])), request)
  expect(reply.calls).toMatchObject([{ name: 'read', args: undefined, malformed: { position: 17 } }])
  expect(reply.end?.reason).toBe('calls')
})

test('a response that is truncated by length keeps its reason', async () => {
  const reply = await ask(wrapTextModel(canned([text('TOOL: {"name": "re'), end('length')])), request)
  expect(reply.calls).toMatchObject([{ malformed: { error: expect.stringMatching(/output limit/) } }])
  expect(reply.end?.reason).toBe('length')
})

test('returns no calls after a failure', async () => {
  const broken: ModelEvent = { type: 'failure', failure: { kind: 'broken', message: 'x' } }
  const reply = await ask(wrapTextModel(canned([text(line), text(line), broken])), request)
  expect(reply.calls).toEqual([])
})

test('ignores a discarded beginning', async () => {
  const discarded: ModelEvent = {
    type: 'discarded',
    attempt: 2,
    waitMs: 0,
    failure: { kind: 'broken', message: 'x' },
  }
  const reply = await ask(wrapTextModel(canned([text('```\n'), discarded, text(line), end()])), request)
  expect(reply.calls).toHaveLength(1)
})

test('switches to tools as text after the first rejection and keeps that form', async () => {
  const model = canned([unsupported], [text(line), end()], [text(line), end()])
  const both = wrapAdaptiveModel(model)
  expect((await ask(both, request)).calls).toHaveLength(1)
  expect((await ask(both, request)).calls).toHaveLength(1)
  expect(model.asked.map((asked) => asked.tools.length)).toEqual([1, 0, 0])
})

test('a response under way is not requested again if another request detects that tools do not arrive', async () => {
  let asked = 0
  let goOn: () => void = () => undefined
  const model: Model = {
    ...canned([]),
    async *stream() {
      const number = ++asked
      if (number === 1)
        await new Promise<void>((resolve) => {
          goOn = resolve
        })
      if (number === 2) return yield unsupported
      yield text(`reply ${number}`)
      yield end()
    },
  }
  const both = wrapAdaptiveModel(model)
  const slow = ask(both, request)
  expect((await ask(both, request)).text).toBe('reply 3')
  goOn()
  expect((await slow).text).toBe('reply 1')
  expect(asked).toBe(3)
})

test('native calls pass untouched, and text that looks like a call stays text', async () => {
  const call: ModelEvent = { type: 'call', id: 'c', name: 'read', args: {} }
  const reply = await ask(wrapAdaptiveModel(canned([text(line), call, end()])), request)
  expect(reply).toMatchObject({ text: line, calls: [{ id: 'c' }] })
})

test('without tools there is nothing to switch', async () => {
  const model = canned([unsupported])
  expect(await ask(wrapAdaptiveModel(model), { ...request, tools: [] })).toMatchObject({
    failure: { kind: 'tools_unsupported' },
  })
})

test('keeps an answer for any count of the endpoint, and the next request has tools as text', async () => {
  const schema = { type: 'object', description: 'word '.repeat(600) }
  const large = { ...request, messages: [user('look '.repeat(200))], tools: [{ ...tools[0], schema }] }
  const few: ModelEvent = { type: 'usage', input: 210, output: 1, usd: null }
  const model = canned([text('answer'), few, end()], [text('next'), end()])
  const both = wrapAdaptiveModel(model)
  const reply = await ask(both, large as ModelRequest)
  expect(reply.text).toBe('answer')
  expect(reply.events.map(({ type }) => type)).toEqual(['text', 'usage', 'notice', 'end'])
  await ask(both, large as ModelRequest)
  expect(model.asked.map((asked) => asked.tools.length)).toEqual([1, 0])
})
