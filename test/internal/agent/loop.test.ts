// Every way a run can end, with scripted responses: its typed end, the texts for the model, and the records.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import type { Agent } from '../../../internal/agent/agent.ts'
import { type BudgetCaps, createBudget } from '../../../internal/agent/budget.ts'
import { agentLoop } from '../../../internal/agent/loop.ts'
import type { RunEnd } from '../../../internal/agent/run-end.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import type { ModelMessage } from '../../../internal/model/model.ts'
import { createScriptModel } from '../../../internal/model/script-model.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription as describeTool } from '../../../internal/tool/describe.ts'
import { defineTool, type ToolInput } from '../../../internal/tool/tool.ts'
import { ctxWith } from '../../support/ctx.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'anode-loop-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

/** A compaction that does nothing, because these conversations are short. */
async function* nothingToShorten(): AsyncGenerator<EventDraft, boolean> {
  const none: EventDraft[] = []
  yield* none
  return false
}

const settled: string[] = []
const echo = defineTool({
  name: 'echo',
  about: 'Says it again.',
  level: 'auto_read',
  input: z.object({ word: z.string() }) as ToolInput,
  example: { word: 'a' },
  run: async (args) => ({
    text: `echo ${(args as { word: string }).word}`,
    data: null,
    settle: async () => {
      settled.push('settled')
    },
  }),
})
const registry = createCatalog([
  { ...describeTool(echo, 'native'), load: async () => echo, hidden: undefined },
])

interface Setup {
  maxTurns?: number
  caps?: BudgetCaps
  inbox?: ModelMessage[][]
  signal?: AbortSignal
  commitOverdue?: () => void
}

async function go(replies: object[], setup: Setup = {}) {
  settled.length = 0
  const file = join(dir, 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const drafts: EventDraft[] = []
  const order: string[] = []
  const inbox = [...(setup.inbox ?? [])]
  const ctx = ctxWith(
    {},
    {
      ...(setup.signal && { signal: setup.signal }),
      log: {
        append: async (draft) => {
          drafts.push(draft)
        },
        keep: async () => '',
      },
    },
  )
  const agent: Agent = {
    model: createScriptModel(file, dir),
    catalog: registry,
    ctx,
    system: 'You test.',
    tools: [],
    maxTurns: setup.maxTurns ?? 20,
    effort: 'medium',
    budget: createBudget(setup.caps ?? {}),
    inbox: async () => inbox.shift() ?? [],
    compact: nothingToShorten,
    commit: () => order.push(`commit ${settled.length}`),
    commitOverdue: setup.commitOverdue ?? (() => undefined),
  }
  const messages: ModelMessage[] = [{ role: 'user', content: 'the task' }]
  const run = agentLoop(agent, messages)
  let end: RunEnd | undefined
  while (!end) {
    const step = await run.next()
    if (step.done) end = step.value
    else drafts.push(step.value)
  }
  return { end, messages, drafts, order, budget: agent.budget }
}

const calls = (word: string, id?: string) => ({
  calls: [{ name: 'echo', args: { word }, ...(id && { id }) }],
})
const results = (messages: ModelMessage[]) => messages.flatMap((m) => (m.role === 'tool' ? [m.content] : []))

describe('loop', () => {
  it('ends done with the answer', async () => {
    const { end, messages } = await go([{ text: 'hello' }])
    expect(end).toEqual({ end: 'done', text: 'hello' })
    expect(messages.map((m) => m.role)).toEqual(['user', 'assistant'])
  })

  it('runs calls and continues with their results', async () => {
    const {
      end,
      messages,
      budget: spent,
    } = await go([
      { ...calls('a'), usage: { in: 10, out: 5 } },
      { text: 'ok', usage: { in: 20, out: 1 } },
    ])
    expect(end.end).toBe('done')
    expect(results(messages)).toEqual(['echo a'])
    expect(spent.spent).toMatchObject({ input: 30, output: 6, calls: 1, requests: 2 })
  })

  it('tells the model and the user once that most of a limit is used', async () => {
    const usage = (input: number) => ({ usage: { in: input, out: 0 } })
    const { messages, drafts } = await go(
      [
        { ...calls('a'), ...usage(80) },
        { ...calls('b'), ...usage(5) },
        { text: 'ok', ...usage(5) },
      ],
      { caps: { tokens: 100 } },
    )
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      ...['assistant', 'tool', 'user'],
      ...['assistant', 'tool'],
      'assistant',
    ])
    expect(messages[3]).toMatchObject({
      origin: 'note',
      content: expect.stringContaining('80 of 100 tokens'),
    })
    const near = drafts.filter(({ type }) => type === 'limit')
    expect(near).toEqual([
      {
        type: 'limit',
        status: 'near',
        payload: { limit: 'tokens', message: expect.stringContaining('80 %') },
      },
    ])
  })

  it('settles a result only after the record is on disk', async () => {
    const { order } = await go([calls('a'), { text: 'ok' }])
    expect(order).toEqual(['commit 0'])
    expect(settled).toHaveLength(1)
  })

  it('sends no request once the record cannot be stored', async () => {
    let asked = 0
    const commitOverdue = () => {
      if (++asked === 2) throw new Error('the disk is full')
    }
    await expect(go([calls('a'), { text: 'ok' }], { commitOverdue })).rejects.toThrow('the disk is full')
    expect(asked).toBe(2)
  })

  it('requests one last response without tools when the turns are used up', async () => {
    const { end, drafts } = await go([calls('a'), calls('b'), { text: 'so far' }], { maxTurns: 2 })
    expect(end).toEqual({ end: 'partial', reason: 'turns', text: 'so far' })
    expect(drafts.some((d) => d.type === 'limit' && d.payload.limit === 'turns')).toBe(true)
  })

  it('is never done with an empty answer: asks once more, then fails', async () => {
    expect((await go([{ text: '' }, { text: 'now' }])).end).toEqual({ end: 'done', text: 'now' })
    expect((await go([{ text: '' }, { text: ' ' }])).end).toMatchObject({
      end: 'failed',
      reason: 'empty_reply',
    })
  })

  it('notices a model that repeats itself', async () => {
    const { end, messages } = await go(Array.from({ length: 6 }, () => calls('same')))
    expect(end).toMatchObject({ end: 'partial', reason: 'loop' })
    expect(results(messages)).toHaveLength(5)
    expect(messages.some((m) => m.role === 'user' && String(m.content).includes('three times'))).toBe(true)
  })

  it('runs nothing from broken arguments and reports where they break', async () => {
    const { end, messages } = await go([{ calls: [{ name: 'echo', raw: '{"word": "a' }] }, { text: 'sorry' }])
    expect(end.end).toBe('done')
    expect(results(messages)[0]).toMatch(/error bad_args: the arguments are not valid JSON.*at character \d+/)
  })

  it('runs nothing from a truncated response', async () => {
    const { messages } = await go([{ ...calls('a'), end: 'length' }, { text: 'ok' }])
    expect(results(messages)[0]).toContain('cut at the output limit')
  })

  it('runs nothing from a response that a filter ended, and does not report it as done', async () => {
    const { messages, end, budget: spent } = await go([{ ...calls('a'), end: 'filter' }, { text: 'ok' }])
    expect(results(messages)[0]).toMatch(/^error denied: .*none of its calls ran/)
    expect(spent.spent.calls).toBe(0)
    expect(end.end).toBe('done')
    expect((await go([{ text: 'half', end: 'filter' }])).end).toEqual({
      end: 'partial',
      reason: 'filter',
      text: 'half',
    })
    expect((await go([{ text: '', end: 'filter' }])).end).toMatchObject({ end: 'failed', reason: 'filter' })
  })

  it('reports all errors of a call at once', async () => {
    const { messages } = await go([
      {
        calls: [
          { name: 'ecko', raw: '{"word": ' },
          { name: '', args: {} },
          { name: '', raw: '{' },
        ],
      },
      { text: 'ok' },
    ])
    const [both, nameless, neither] = results(messages)
    expect(both).toMatch(/unknown_tool: unknown tool ecko, and the arguments are not valid JSON/)
    expect(both).toContain('nearest: echo')
    expect(nameless).toMatch(/unknown_tool: the call names no tool\n/)
    expect(neither).toMatch(/unknown_tool: the call names no tool, and the arguments are not valid JSON/)
  })

  it('answers an unknown tool with the most similar name', async () => {
    const { messages } = await go([{ calls: [{ name: 'ecko', args: {} }] }, { text: 'ok' }])
    expect(results(messages)[0]).toContain('nearest: echo')
  })

  it('returns one result for every call of a response, in order', async () => {
    const { messages } = await go([
      {
        calls: [
          { name: 'echo', args: { word: '1' } },
          { name: 'nope', args: {} },
          { name: 'echo', raw: '{' },
          { name: 'echo', args: { word: '2' } },
        ],
      },
      { text: 'ok' },
    ])
    expect(results(messages).map((text) => String(text).split(' ').slice(0, 2).join(' '))).toEqual([
      'echo 1',
      'error unknown_tool:',
      'error bad_args:',
      'echo 2',
    ])
  })

  it.each<[string, BudgetCaps]>([
    ['tokens', { tokens: 12 }],
    ['usd', { usd: 0.5 }],
    ['time', { deadline: 1 }],
  ])('ends at the limit on %s', async (reason, caps) => {
    const reply = { ...calls('a'), usage: { in: 10, out: 5, usd: 1 } }
    expect((await go([reply, reply, { text: 'x' }], { caps })).end).toMatchObject({ end: 'limit', reason })
  })

  it('makes no more calls than allowed and then concludes', async () => {
    const reply = {
      calls: [
        { name: 'echo', args: { word: '1' } },
        { name: 'echo', args: { word: '2' } },
      ],
    }
    const { end, messages } = await go([reply, { text: 'enough' }], { caps: { calls: 1 } })
    expect(results(messages)).toEqual(['echo 1', expect.stringContaining('limit on tool calls')])
    expect(end).toEqual({ end: 'partial', reason: 'calls', text: 'enough' })
  })

  it('accepts messages of the user between turns', async () => {
    const { end, messages } = await go([{ text: 'first' }, { text: 'second' }], {
      inbox: [[], [{ role: 'user', content: 'also this' }]],
    })
    expect(end).toEqual({ end: 'done', text: 'second' })
    expect(messages.map((m) => m.content)).toEqual(['the task', 'first', 'also this', 'second'])
  })

  it('ends cancelled, with the text so far', async () => {
    const stop = new AbortController()
    const pending = go(
      [
        { text: 'thinking', ...calls('a') },
        { text: 'late', delay_ms: 60_000 },
      ],
      { signal: stop.signal },
    )
    setTimeout(() => stop.abort(new Error('SIGINT')), 150)
    expect((await pending).end).toEqual({ end: 'cancelled', reason: 'SIGINT', text: 'thinking' })
  })

  it('fails with the message of the model when the retries are used up', async () => {
    const { end } = await go([{ error: { status: 401, message: 'bad key' } }])
    expect(end).toMatchObject({ end: 'failed', reason: 'auth', message: expect.stringContaining('bad key') })
  })
})
