// Checks when the next model of a list is asked and when not, against servers that fail in every way.
import { afterEach, describe, expect, test } from 'vitest'
import { splitModelList } from '../../../../internal/model/choice/fallback-model.ts'
import { pickModel } from '../../../../internal/model/model-choice.ts'
import { ask, user } from '../../../support/ask-model.ts'
import { type ModelServer, type ServedReply, serveModel } from '../../../support/model-server.ts'
import { scratch } from '../../../support/scratch.ts'

const open: ModelServer[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

async function start(script: readonly ServedReply[] | (() => ServedReply)): Promise<ModelServer> {
  const server = await serveModel(script)
  open.push(server)
  return server
}

const settings = (server: ModelServer, rest = {}) => ({
  baseUrl: server.url,
  window: 50_000,
  maxConcurrent: 9,
  price: { input: 1, output: 2 },
  ...rest,
})

async function pair(first: ModelServer, second: ModelServer, rest = {}) {
  const providers = {
    a: settings(first, { timeouts: { idle: 700 } }),
    b: settings(second, { window: 20_000, price: { input: 3, output: 1 } }),
  }
  const config = { model: 'a/x, b/y', providers }
  const options = { env: { ANODE_DATA_DIR: scratch() }, cwd: '/', config, retry: { tries: 2, baseMs: 1 } }
  return (await pickModel(undefined, { ...options, ...rest })).model
}

const refusal = (status: number, message: string): ServedReply => ({
  status,
  body: JSON.stringify({ error: { message } }),
})
const silent: ServedReply = { text: 'x', fault: { at: 0, how: 'silence' } }

const switching: [string, ServedReply][] = [
  ['overloaded', refusal(529, 'Overloaded')],
  ['rate limit', refusal(429, 'slow down')],
  ['out of quota', refusal(429, 'You exceeded your current quota')],
  ['no money', refusal(402, 'Payment required')],
  ['silent', silent],
  ['broken off', { text: 'half a reply', fault: { at: 200, how: 'reset' } }],
]
describe('the next model gets the request', () => {
  test.each(switching)('%s', async (_, failing) => {
    const [first, second] = [await start(() => failing), await start([{ text: 'mine' }, { text: 'again' }])]
    const model = await pair(first, second)
    const reply = await ask(model)
    expect(reply.text).toBe('mine')
    expect(reply.events.filter(({ type }) => type === 'notice')).toMatchObject([
      {
        code: 'model_switched',
        model: 'b/y',
        text: expect.stringMatching(/^a\/x cannot serve .*b\/y is asked/),
      },
    ])
    const before = first.requests.length
    expect((await ask(model)).text).toBe('again')
    expect(first.requests).toHaveLength(before)
  })

  test('if the first model is unreachable', async () => {
    const gone = await start([])
    await gone.close()
    open.splice(0)
    expect((await ask(await pair(gone, await start([{ text: 'mine' }])))).text).toBe('mine')
  })

  test('after all attempts of the first model, without its reasoning', async () => {
    const first = await start([
      { text: 'one', reasoning: 'secret' },
      refusal(500, 'oops'),
      refusal(500, 'oops'),
    ])
    const second = await start([{ text: 'two' }])
    const model = await pair(first, second)
    const reply = await ask(model)
    const messages = [
      user('hello'),
      { role: 'assistant' as const, content: 'one', ...(reply.end?.carry && { carry: reply.end.carry }) },
      user('more'),
    ]
    expect((await ask(model, { messages })).text).toBe('two')
    expect(first.requests).toHaveLength(3)
    expect(second.requests[0]?.raw).not.toContain('secret')
  })
})

const staying: [string, ServedReply, string][] = [
  ['a bad request', refusal(400, 'what is that'), 'bad_request'],
  ['a wrong key', refusal(401, 'no'), 'auth'],
  ['a filter', refusal(400, 'content_filter'), 'filter'],
  ['a long prompt', refusal(400, 'prompt is too long'), 'context_too_long'],
]
describe('the first model stays', () => {
  test.each(staying)('%s', async (_, failing, kind) => {
    const [first, second] = [await start(() => failing), await start([{ text: 'mine' }])]
    expect((await ask(await pair(first, second))).failure?.kind).toBe(kind)
    expect(second.requests).toEqual([])
  })

  test('after a cancellation', async () => {
    const [first, second] = [
      await start(() => ({ text: 'x', delayMs: 5_000 })),
      await start([{ text: 'mine' }]),
    ]
    const leaving = new AbortController()
    setTimeout(() => leaving.abort(), 30)
    expect((await ask(await pair(first, second), 'hello', leaving.signal)).failure?.kind).toBe('cancelled')
    expect(second.requests).toEqual([])
  })

  test('if the result must name its model', async () => {
    const [first, second] = [await start(() => refusal(529, 'Overloaded')), await start([{ text: 'mine' }])]
    const model = await pair(first, second, { isSwitchBarred: true })
    expect(model.id).toBe('a/x')
    expect((await ask(model)).failure?.kind).toBe('server')
    expect(second.requests).toEqual([])
  })
})

test('the failure of the last model is the failure of the run', async () => {
  const [first, second] = [
    await start(() => refusal(529, 'Overloaded')),
    await start(() => refusal(503, 'down')),
  ]
  expect((await ask(await pair(first, second))).failure?.message).toContain('503 down')
})

test('window and price are those that fit every model, and the name contains all names', async () => {
  const model = await pair(await start([]), await start([]))
  expect(model).toMatchObject({ id: 'a/x,b/y', window: 20_000, rates: { input: 3, output: 2 } })
})

test('a comma in a file name does not split the list', () => {
  expect(splitModelList('record:r.jsonl,openai/gpt-5')).toEqual(['record:r.jsonl,openai/gpt-5'])
  expect(splitModelList(' a/x ,b/y,')).toEqual(['a/x', 'b/y'])
})
