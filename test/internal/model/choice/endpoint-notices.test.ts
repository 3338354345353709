// Checks what is concluded from a server's own count of the input.
import { describe, expect, test } from 'vitest'
import { findPromptLoss } from '../../../../internal/model/choice/endpoint-notices.ts'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { pickModel } from '../../../../internal/model/model-choice.ts'
import { estimateRequest } from '../../../../internal/model/tokens.ts'
import { ask, user } from '../../../support/ask-model.ts'
import { llamaCpp } from '../../../support/local-servers.ts'
import { serveModel } from '../../../support/model-server.ts'

const words = (tokens: number) => 'four'.repeat(tokens)
const toolsOf = (tokens: number) => [{ name: 'read', description: words(tokens), schema: { type: 'object' } }]
const requestOf = (text: number, tools: number) => ({
  messages: [user(words(text))],
  tools: tools === 0 ? [] : toolsOf(tools),
})

const cases: [string, number, number, number, 'tools' | 'text' | undefined][] = [
  ['the whole was counted', 200, 850, 1000, undefined],
  ['a tokenizer that needs fewer', 200, 850, 620, undefined],
  ['a template without tools', 200, 850, 217, 'tools'],
  ['a template without tools, dense text', 200, 850, 340, 'tools'],
  ['few tools', 400, 100, 300, undefined],
  ['no tools', 1000, 0, 300, undefined],
  ['a prompt cut to the window', 30_000, 2_000, 4_096, 'text'],
  ['a count that is no count', 700, 2_000, 10, undefined],
  ['tools small beside a long text', 20_000, 1_000, 19_000, undefined],
]
test.each(cases)('%s', (_, text, tools, counted, lost) => {
  expect(findPromptLoss(requestOf(text, tools), counted)).toBe(lost)
})

test('images do not count as lost', () => {
  const picture: ModelMessage = {
    role: 'user',
    content: [{ type: 'image', mime: 'image/png', base64: 'AA' }],
  }
  expect(findPromptLoss({ messages: Array(20).fill(picture), tools: toolsOf(900) }, 1_100)).toBeUndefined()
})

describe('against a server', () => {
  const request = { messages: [user(words(200))], tools: toolsOf(850) }
  const model = async (url: string) =>
    (await pickModel('lab/m', { env: {}, cwd: '/', config: { providers: { lab: { baseUrl: url } } } })).model

  test('whose template drops the tools: reported, the answer is kept, and the next request has tools as text', async () => {
    const call = 'TOOL: {"name": "read", "args": {"path": "a"}}'
    const server = await serveModel(
      [
        { text: 'It says hello.', usage: { in: 217, out: 5 } },
        { text: call, usage: { in: 1100, out: 20 } },
        { text: call, usage: { in: 1100, out: 20 } },
      ],
      llamaCpp(),
    )
    try {
      const asked = await model(server.url)
      const reply = await ask(asked, request)
      expect(reply.text).toBe('It says hello.')
      const kinds = reply.events.map(({ type }) => type)
      expect(kinds).toContain('notice')
      expect(kinds).not.toContain('discarded')
      const next = await ask(asked, request)
      expect(next.calls).toMatchObject([{ name: 'read', args: { path: 'a' } }])
      expect(server.requests[0]?.body.tools).toHaveLength(1)
      expect(server.requests[1]?.body.tools).toBeUndefined()
      expect(JSON.stringify(server.requests[1]?.body.messages)).toContain('### read')
      await ask(asked, request)
      expect(server.requests[2]?.body.tools).toBeUndefined()
    } finally {
      await server.close()
    }
  })

  test('that truncate the prompt: reported once, with both figures', async () => {
    const long = { messages: [user(words(9_000))], tools: [] }
    const cut = { text: 'short', usage: { in: 2_048, out: 5 } }
    // it reports more than one of its slots has
    const server = await serveModel([cut, cut], llamaCpp({ window: 16_384 }))
    try {
      const asked = await model(server.url)
      const events = [...(await ask(asked, long)).events, ...(await ask(asked, long)).events]
      const notices = events.filter(({ type }) => type === 'notice')
      expect(notices).toMatchObject([{ code: 'prompt_cut', text: expect.stringContaining('2,048') }])
      expect(estimateRequest(long)).toBe(9_000)
    } finally {
      await server.close()
    }
  })
})
