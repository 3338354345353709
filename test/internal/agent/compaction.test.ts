// Compaction of conversations of many shapes to fit a window, with the same result in a resumed thread.
import { describe, expect, it } from 'vitest'
import { createBudget } from '../../../internal/agent/budget.ts'
import { createCompactor } from '../../../internal/agent/compaction.ts'
import { appendReply, appendUserMessage } from '../../../internal/agent/messages.ts'
import { replayEvent } from '../../../internal/agent/replay.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import type { Model, ModelFailure, ModelMessage, ModelRequest } from '../../../internal/model/model.ts'
import { createTokenScale, estimateTokens } from '../../../internal/model/tokens.ts'
import { rng } from '../../support/rng.ts'

/** Anything but a language model is summed up by rule. */
const modelOf = (window: number): Model => ({
  id: 'script:none',
  kind: 'script',
  window,
  async *stream() {
    yield { type: 'end', reason: 'stop' }
  },
})

const setup = (window: number, overhead = 0) => ({
  model: modelOf(window),
  signal: new AbortController().signal,
  overhead,
  thread: 'sess_1',
  budget: createBudget({}),
})

function talk(task: string, turns: number, resultChars: number, argumentChars = 1) {
  const messages: ModelMessage[] = []
  const drafts: EventDraft[] = [...appendUserMessage(messages, { role: 'user', content: task })]
  for (let i = 0; i < turns; i++) {
    const id = `c${i}`
    const call = { id, name: 'echo', args: { word: 'a'.repeat(argumentChars), list: [{ deep: i }] } }
    const text = `${i} ${'x'.repeat(resultChars)}`
    drafts.push(...appendReply(messages, { text: `turn ${i}`, calls: [call], carry: undefined }))
    drafts.push({ type: 'tool.result', payload: { call: id, tool: 'echo', ok: true, text } })
    messages.push({ role: 'tool', callId: id, name: 'echo', content: text, failed: false })
  }
  return { messages, drafts }
}

function folded(drafts: readonly EventDraft[]) {
  const messages: ModelMessage[] = []
  for (const draft of drafts) replayEvent(messages, draft, new Set())
  return messages
}

async function run(steps: AsyncGenerator<EventDraft, boolean>, drafts: EventDraft[]): Promise<boolean> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
    drafts.push(step.value)
  }
}

const notesOf = (drafts: readonly EventDraft[]) =>
  drafts.flatMap((draft) => (draft.type === 'model.notice' ? [draft.payload.text] : []))

const refusal = (message: string): ModelFailure => ({ kind: 'context_too_long', message })

describe('before a refusal', () => {
  it('leaves a short conversation alone', async () => {
    const { messages, drafts } = talk('task', 1, 10)
    expect(await run(createCompactor(setup(2_000))(messages, undefined), drafts)).toBe(false)
  })

  it('keeps the task and the last turns whole, and a resumed thread has the same conversation', async () => {
    const { messages, drafts } = talk('the task', 12, 700)
    expect(await run(createCompactor(setup(2_000))(messages, undefined), drafts)).toBe(true)
    expect(messages[0]).toMatchObject({ content: 'the task' })
    expect(messages[1]?.content).toContain('read_thread')
    expect(messages[2]?.role).toBe('assistant')
    expect(messages.at(-1)).toMatchObject({ role: 'tool', callId: 'c11' })
    expect(messages.length).toBeLessThan(14)
    expect(folded(drafts)).toEqual(messages)
    const told = drafts.find((draft) => draft.type === 'message' && draft.payload.role === 'summary')
    const before = estimateTokens(talk('the task', 12, 700).messages)
    expect(told?.payload).toMatchObject({ tokens: { before, after: estimateTokens(messages) } })
  })
})

/** What the conversation is made of: task, turns, characters of each result and of each argument. */
const shapes: [string, string, number, number, number][] = [
  ['one giant task', 'y'.repeat(60_000), 0, 0, 1],
  ['one giant result', 'task', 1, 60_000, 1],
  ['two giant results', 'task', 2, 30_000, 1],
  ['one giant call', 'task', 1, 10, 60_000],
  ['many middling turns', 'task', 20, 3_000, 1],
  ['many small turns', 'task', 300, 100, 1],
  ['a giant task and many turns', 'y'.repeat(30_000), 20, 2_000, 500],
]
const words = ['does not fit', 'request (15000 tokens) exceeds the available context size (4096 tokens)']

describe.each(shapes)('rejected once: %s', (_name, task, turns, resultChars, argumentChars) => {
  it.each(words)('is truncated to fit any assumed window: %s', async (message) => {
    for (const window of [128_000, 8_000, 1_000]) {
      const { messages, drafts } = talk(task, turns, resultChars, argumentChars)
      const before = estimateTokens(messages)
      expect(await run(createCompactor(setup(window))(messages, refusal(message)), drafts)).toBe(true)
      expect(estimateTokens(messages)).toBeLessThan(before * (message === words[0] ? 0.5 : 0.28))
      // every call has its result after it, and the task still comes first
      expect(messages[0]?.role).toBe('user')
      const calls = messages.flatMap((one) => (one.role === 'assistant' ? (one.calls ?? []) : []))
      const results = messages.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))
      expect(results).toEqual(calls.map(({ id }) => id))
      expect(folded(drafts)).toEqual(messages)
    }
  })
})

it('uses the rejected size as the window from then on', async () => {
  const compact = createCompactor(setup(128_000))
  const first = talk('task', 12, 700)
  expect(await run(compact(first.messages, undefined), first.drafts)).toBe(false)
  expect(await run(compact(first.messages, refusal('does not fit')), first.drafts)).toBe(true)
  const second = talk('task', 12, 700)
  expect(await run(compact(second.messages, undefined), second.drafts)).toBe(true)
})

it('reports that nothing can be dropped', async () => {
  const { messages, drafts } = talk('task', 1, 10)
  expect(await run(createCompactor(setup(128_000, 50_000))(messages, refusal('does not fit')), drafts)).toBe(
    false,
  )
})

it('omits images', async () => {
  const messages: ModelMessage[] = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'look' },
        { type: 'image', mime: 'image/png', base64: 'AAAA' },
      ],
    },
    { role: 'assistant', content: 'x'.repeat(4000) },
  ]
  expect(await run(createCompactor(setup(128_000))(messages, refusal('does not fit')), [])).toBe(true)
  expect(messages[0]?.content).toContain('(image omitted)')
})

it('says that a model made no summary, and lists what was done instead', async () => {
  const model: Model = {
    ...{ id: 'near/one', kind: 'llm', window: 2_000 },
    async *stream() {
      yield { type: 'failure', failure: { kind: 'server', message: '503 overloaded' } }
    },
  }
  const { messages, drafts } = talk('the task', 12, 700)
  expect(await run(createCompactor({ ...setup(2_000), model })(messages, 'asked'), drafts)).toBe(true)
  expect(notesOf(drafts)).toEqual([expect.stringContaining('no summary (503 overloaded)')])
  expect(messages[1]?.content).toContain('call echo')
})

it('changes nothing once it is stopped', async () => {
  const stop = new AbortController()
  const model: Model = {
    ...{ id: 'near/one', kind: 'llm', window: 2_000 },
    async *stream() {
      stop.abort()
      yield { type: 'failure', failure: { kind: 'cancelled', message: 'stopped' } }
    },
  }
  const { messages, drafts } = talk('the task', 12, 700)
  const compact = createCompactor({ ...setup(2_000), model, signal: stop.signal })
  expect(await run(compact(messages, 'asked'), drafts)).toBe(false)
  expect(notesOf(drafts)).toEqual([])
  expect(messages).toEqual(talk('the task', 12, 700).messages)
})

it('does nothing that a hook forbids', async () => {
  const { messages, drafts } = talk('task', 1, 60_000)
  const compact = createCompactor({ ...setup(128_000), permit: async () => ({ deny: 'keep it' }) })
  expect(await run(compact(messages, refusal('does not fit')), drafts)).toBe(false)
  expect(messages[2]?.content).toHaveLength(60_002)
  const long = talk('task', 12, 700)
  for (let i = 0; i < 2; i++) expect(await run(compact(long.messages, 'asked'), long.drafts)).toBe(false)
  expect(notesOf(long.drafts)).toEqual(['the conversation was not shortened: keep it'])
  expect(long.messages).toEqual(talk('task', 12, 700).messages)
})

describe('the count of the provider', () => {
  const request = { messages: [{ role: 'user' as const, content: 'x'.repeat(4000) }], tools: [] }

  it.each([
    [1800, 1.8],
    // a server that cut the prompt, and a figure that nothing explains
    [200, 1],
    [90_000, 2.5],
  ])('%d tokens for 1,000 estimated scale by %d', (counted, scale) => {
    const tokens = createTokenScale()
    expect(tokens.value()).toBe(1)
    tokens.measured(request, counted)
    expect(tokens.value()).toBe(scale)
  })
})

describe('random conversations', () => {
  const rows = Array.from({ length: 120 }, (_, seed) => [seed] as const)

  it.each(rows)(
    'conversation %d keeps the latest task, the order of messages and every result after its call',
    async (seed) => {
      const next = rng(seed)
      const pick = (most: number) => Math.floor(next() * most)
      const window = [4_000, 22_000, 128_000][pick(3)] as number
      const isRefused = pick(3) === 0
      const messages: ModelMessage[] = []
      const drafts: EventDraft[] = []
      const compact = createCompactor({ ...setup(window), facts: async () => 'Todo list:\n[ ] 1. go on' })
      let latest = ''
      for (let turn = 0; turn < 40; turn++) {
        if (turn === 0 || pick(9) === 0) {
          latest = `order ${turn}: ${'RULE "q"\n\ttab '.repeat(pick(isRefused ? 4 : window / 80))}`
          drafts.push(...appendUserMessage(messages, { role: 'user', content: latest }))
        }
        if (pick(8) === 0) drafts.push(...appendUserMessage(messages, `note ${turn}`))
        const calls = Array.from({ length: pick(3) }, (_, i) => ({
          id: `c${turn}.${i}`,
          name: 'echo',
          args: { i },
        }))
        drafts.push(...appendReply(messages, { text: `turn ${turn}`, calls, carry: undefined }))
        for (const { id } of calls) {
          const text = 'r'.repeat(pick(window / 2))
          drafts.push({ type: 'tool.result', payload: { call: id, tool: 'echo', ok: true, text } })
          messages.push({ role: 'tool', callId: id, name: 'echo', content: text, failed: false })
        }
        const refused = isRefused && turn % 10 === 9 ? refusal('does not fit') : undefined
        const before = estimateTokens(messages)
        if (await run(compact(messages, refused), drafts))
          expect(estimateTokens(messages)).toBeLessThan(before)
        expect(messages.some(({ content }) => content === latest)).toBe(true)
        const asked = messages.flatMap((one) => (one.role === 'assistant' ? (one.calls ?? []) : []))
        expect(messages.flatMap((one) => (one.role === 'tool' ? [one.callId] : []))).toEqual(
          asked.map(({ id }) => id),
        )
      }
      expect(folded(drafts)).toEqual(messages)
    },
  )
})

/** Returns a language model that answers the request for a summary, and its requests. */
function summaryModel(window: number, reply: string) {
  const sent: ModelRequest[] = []
  const model: Model = {
    ...{ id: 'near/one', kind: 'llm', window },
    async *stream(request) {
      sent.push(request)
      if (reply !== '') yield { type: 'text', text: reply }
      yield { type: 'end', reason: 'stop' }
    },
  }
  return { model, sent }
}

describe('the summary of a language model', () => {
  const frame = () => ({ system: 'You test.', tools: [{ name: 'echo', description: '', schema: {} }] })
  const headed = '## Task\nt\n## Decisions\nd\n## Commands\nc\n## Open points\no'

  it('is made from the conversation with its prefix, and is stored with the facts of the program', async () => {
    const { model, sent } = summaryModel(4_000, headed)
    const { messages, drafts } = talk('the task', 11, 1_150)
    const whole = [...messages]
    const facts = async () => 'Todo list:\n[ ] 1. x'
    expect(
      await run(createCompactor({ ...setup(4_000), model, frame, facts })(messages, undefined), drafts),
    ).toBe(true)
    expect(sent[0]?.messages.slice(1, -1)).toEqual(whole)
    expect(sent[0]?.tools).toEqual(frame().tools)
    expect(messages[1]?.content).toContain(headed)
    expect(messages[1]?.content).toContain('[ ] 1. x')
    expect(messages[1]?.content).not.toContain('call echo')
  })

  it('is followed by a list of the calls if the summary has another form', async () => {
    const { model } = summaryModel(4_000, 'Reading lib/request.js.')
    const { messages, drafts } = talk('the task', 11, 1_150)
    await run(createCompactor({ ...setup(4_000), model, frame })(messages, undefined), drafts)
    expect(messages[1]?.content).toMatch(/Reading lib\/request\.js\.[\s\S]*call echo/)
  })

  it('is made from the earlier summary and the messages of the user if the conversation does not fit', async () => {
    const { model, sent } = summaryModel(4_000, `${headed}\n${'fact '.repeat(500)}`)
    const compact = createCompactor({ ...setup(4_000), model, frame })
    const { messages, drafts } = talk('the task', 11, 1_150)
    await run(compact(messages, undefined), drafts)
    const earlier = String(messages[1]?.content)
    for (const one of talk('unused', 12, 1_200).messages.slice(1)) messages.push(one)
    await run(compact(messages, refusal('does not fit')), drafts)
    expect(sent.at(-1)?.messages).toHaveLength(2)
    const material = String(sent.at(-1)?.messages[1]?.content)
    expect(material).toContain(earlier)
    expect(material).toContain('the task')
  })

  it('asks once more without tools where the model only called one', async () => {
    const { model, sent } = summaryModel(4_000, '')
    const { messages, drafts } = talk('the task', 11, 1_150)
    await run(createCompactor({ ...setup(4_000), model, frame })(messages, undefined), drafts)
    expect(sent.map(({ toolChoice }) => toolChoice)).toEqual([undefined, 'none'])
    expect(messages[1]?.content).toContain('call echo')
  })
})
