// A runner of the real agent loop against a server that rejects what the strictest endpoint rejects.
import * as z from 'zod/mini'
import type { Agent } from '../../../internal/agent/agent.ts'
import { createBudget } from '../../../internal/agent/budget.ts'
import { agentLoop } from '../../../internal/agent/loop.ts'
import type { RunEnd } from '../../../internal/agent/run-end.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import { createMessagesModel } from '../../../internal/model/messages.ts'
import type { ModelMessage, ToolSpec } from '../../../internal/model/model.ts'
import { createChatModel } from '../../../internal/model/openai.ts'
import { createResponsesModel } from '../../../internal/model/responses.ts'
import { retryModel } from '../../../internal/model/stream-retry.ts'
import type { EndpointQuirks } from '../../../internal/model/wire/endpoint-quirks.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription } from '../../../internal/tool/describe.ts'
import { defineTool } from '../../../internal/tool/tool.ts'
import { ctxWith } from '../ctx.ts'
import { type Received, type ServedFormat, type ServedReply, serveModel } from '../model-server.ts'
import { strictFaults } from './strict-endpoint.ts'

const makers = { chat: createChatModel, responses: createResponsesModel, messages: createMessagesModel }
export const formats = Object.keys(makers) as ServedFormat[]

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const echo = defineTool({
  ...{ name: 'echo', about: 'Returns a word.', level: 'auto_read', example: { word: 'a' } },
  input: z.object({ word: z.string() }),
  run: async ({ word }) => ({ text: word, data: null }),
})
const picture = defineTool({
  ...{ name: 'picture', about: 'Returns an image without text.', level: 'auto_read', example: {} },
  input: z.object({}),
  run: async () => ({ text: '', data: null, media: [{ type: 'image', mime: 'image/png', base64: png }] }),
})
const catalog = createCatalog(
  [echo, picture].map((tool) => ({
    ...toToolDescription(tool as never, 'native'),
    load: async () => tool as never,
    hidden: undefined,
  })),
)
export const nativeSpecs: readonly ToolSpec[] = catalog.entries.map(({ name, about, schema }) => ({
  ...{ name, description: about, schema },
}))

export interface StrictSetup {
  quirks?: EndpointQuirks
  tools?: readonly ToolSpec[]
  history?: readonly ModelMessage[]
  /** Says why a request is refused that has no fault; `n` counts requests. */
  refuse?: (received: Received, n: number) => string | undefined
}

export interface StrictRun {
  end: RunEnd
  /** Faults of all requests, each with the number of its request. */
  faults: string[]
  messages: ModelMessage[]
  drafts: EventDraft[]
  requests: Received[]
}

/** Serves `replies` in order, then a last answer; a request with a fault gets a 400. */
export async function runStrict(
  format: ServedFormat,
  replies: readonly ServedReply[],
  setup: StrictSetup = {},
): Promise<StrictRun> {
  const faults: string[] = []
  let served = 0
  const server = await serveModel((received, n) => {
    const found = strictFaults(format, received.body)
    faults.push(...found.map((fault) => `request ${n}: ${fault}`))
    const why = found[0] ?? setup.refuse?.(received, n)
    if (why !== undefined) return { status: 400, body: JSON.stringify({ error: { message: why } }) }
    const reply = replies[served++] ?? { text: 'The end.' }
    return JSON.stringify(reply).length > 20_000 ? { ...reply, piece: 5000 } : reply
  })
  try {
    const model = makers[format]({
      ...{ id: 'lab/m', provider: 'lab', model: 'm', window: 90_000, price: undefined, keys: [] },
      quirks: setup.quirks ?? {},
      endpoint: { baseUrl: server.url, key: 'k', headers: {}, idleMs: 5000 },
    })
    const drafts: EventDraft[] = []
    const log = { append: async (draft: EventDraft) => void drafts.push(draft), keep: async () => '' }
    const agent: Agent = {
      model: retryModel(model, { tries: 3, baseMs: 1 }),
      ...{ catalog, ctx: ctxWith({}, { log }), system: 'You test.', tools: setup.tools ?? nativeSpecs },
      ...{ maxTurns: 20, effort: 'medium', budget: createBudget({}) },
      inbox: async () => [],
      compact: neverCompact,
      commit: () => undefined,
      commitOverdue: () => undefined,
    }
    const messages: ModelMessage[] = [...(setup.history ?? []), { role: 'user', content: 'the task' }]
    const run = agentLoop(agent, messages)
    for (;;) {
      const step = await run.next()
      if (step.done) return { end: step.value, faults, messages, drafts, requests: server.requests }
      drafts.push(step.value)
    }
  } finally {
    await server.close()
  }
}

async function* neverCompact(): AsyncGenerator<EventDraft, boolean> {
  yield* [] as EventDraft[]
  return false
}

/** Calls of the conversation without exactly one result after them, and results without a call. */
export function unpaired(messages: readonly ModelMessage[]): string[] {
  const calls = messages.flatMap((one) =>
    one.role === 'assistant' ? (one.calls ?? []).map(({ id }) => id) : [],
  )
  const results = messages.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
  const count = (ids: string[], id: string) => ids.filter((one) => one === id).length
  return [...new Set([...calls, ...results])].filter(
    (id) => count(calls, id) !== 1 || count(results, id) !== 1,
  )
}
