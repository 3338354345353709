// Checks builtin/extract as a model: its turns, its purposes, and that it always says the same.
import { expect, test } from 'vitest'
import { createExtractModel } from '../../../../internal/model/extract/extract-model.ts'
import type { ModelMessage, ModelRequest } from '../../../../internal/model/model.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { finder } from '../../../../internal/tools/finder.ts'
import { glob } from '../../../../internal/tools/glob.ts'
import { grep } from '../../../../internal/tools/grep.ts'
import { read } from '../../../../internal/tools/read.ts'
import { ask, type Said, user } from '../../../support/ask-model.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run as start } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const tools = ['glob', 'grep', 'finder', 'read'].map((name) => ({ name, description: '', schema: {} }))

/** A corpus of two files, answered the way the tools answer. */
const corpus: Record<string, string> = {
  'doc/lock.md': '# Locks\n\nThe store holds one lock file. The lease of the lock lasts 30 seconds.\n',
  'src/store.ts': 'export const leaseMs = 45_000\n// the lease of the lock is renewed by the owner\n',
}

function answer(name: string, args: Record<string, unknown>): { content: string; data: unknown } {
  if (name === 'glob') {
    const matches = Object.keys(corpus)
    return { content: matches.join('\n'), data: { matches, total: matches.length } }
  }
  if (name === 'read') {
    const lines = (corpus[String(args.path)] ?? '').split('\n').slice(0, -1)
    return { content: lines.map((line, i) => `${i + 1}\t${line}`).join('\n'), data: { path: args.path } }
  }
  const words = name === 'grep' ? [String(args.pattern)] : String(args.query).split(' ')
  const matches = Object.entries(corpus).flatMap(([path, text]) =>
    text
      .split('\n')
      .map((line, i) => ({ path, line: i + 1, text: line }))
      .filter(({ text: line }) => words.some((word) => line.toLowerCase().includes(word))),
  )
  return {
    content: matches.map(({ path, line, text }) => `${path}:${line}:${text}`).join('\n'),
    data: { matches },
  }
}

/** The loop in small: asks, answers the calls, until there are none. */
async function run(
  request: Partial<ModelRequest>,
  structured = true,
): Promise<{ last: Said; names: string[] }> {
  const messages: ModelMessage[] = [...(request.messages ?? [])]
  const names: string[] = []
  for (let turn = 0; turn < 10; turn++) {
    const last = await ask(createExtractModel(), { tools, ...request, messages: [...messages] })
    if (last.calls.length === 0) return { last, names }
    names.push([...new Set(last.calls.map((call) => call.name))].join())
    messages.push({ role: 'assistant', content: last.text, calls: last.calls })
    for (const call of last.calls) {
      const { content, data } = answer(call.name, call.args as Record<string, unknown>)
      messages.push({
        role: 'tool',
        callId: call.id,
        name: call.name,
        content,
        ...(structured ? { data } : {}),
      })
    }
  }
  throw new Error('it does not come to an end')
}

const question = user('How long does the lease of the lock last?')

test('an ordinary run ends with quotations and their places', async () => {
  const { last, names } = await run({ messages: [{ role: 'system', content: 'about leases' }, question] })
  expect(names).toEqual(['glob', 'grep', 'finder', 'read'])
  expect(last.text).toContain('> The lease of the lock lasts 30 seconds.\ndoc/lock.md:3')
  expect(last.text).toContain('not a language model')
  expect(last.end?.reason).toBe('stop')
})

test('with the real tools', async () => {
  const ctx = ctxWith({ run: start }, { cwd: plant(corpus) })
  const real: Record<string, Tool> = { finder, glob, grep, read }
  const messages: ModelMessage[] = [question]
  const offered = tools.filter(({ name }) => name in real)
  for (;;) {
    const reply = await ask(createExtractModel(), { messages: [...messages], tools: offered })
    if (reply.calls.length === 0) {
      expect(reply.text).toContain('> The lease of the lock lasts 30 seconds.\ndoc/lock.md:3')
      break
    }
    messages.push({ role: 'assistant', content: '', calls: reply.calls })
    for (const { id, name, args } of reply.calls) {
      const { text, data, failed } = await call(real[name] as Tool, args, ctx)
      expect(failed, name).toBeUndefined()
      messages.push({ role: 'tool', callId: id, name, content: text, data })
    }
  }
  expect(messages.filter(({ role }) => role === 'assistant')).toHaveLength(4)
})

test('text alone gives the same as structured results', async () => {
  const messages = [question]
  expect((await run({ messages }, false)).last.text).toBe((await run({ messages })).last.text)
})

test('twice the same', async () => {
  const [a, b] = [await run({ messages: [question] }), await run({ messages: [question] })]
  expect(a.last.events).toEqual(b.last.events)
})

test('ids of calls are unique in a conversation, usage is estimated and free', async () => {
  const reply = await ask(createExtractModel(), { messages: [question], tools })
  expect(reply.usage).toMatchObject({ usd: 0, estimated: true })
  expect(reply.end?.reason).toBe('calls')
  const later = await ask(createExtractModel(), {
    messages: [question, { role: 'assistant', content: '', calls: reply.calls }, ...results(reply)],
    tools,
  })
  const ids = [...reply.calls, ...later.calls].map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

function results(reply: Said): ModelMessage[] {
  return reply.calls.map((call) => ({
    role: 'tool',
    callId: call.id,
    name: call.name,
    ...answer(call.name, call.args as Record<string, unknown>),
  }))
}

test('a later question is worked on anew, a note of the program is not one', async () => {
  const { last } = await run({ messages: [question] })
  const before: ModelMessage[] = [question, { role: 'assistant', content: last.text }]
  const anew = await ask(createExtractModel(), { messages: [...before, user('Who owns the store?')], tools })
  expect(anew.calls.map(({ name }) => name)).toEqual(['glob'])
  const note: ModelMessage = { role: 'user', content: 'You repeat yourself.', origin: 'note' }
  const noted = await ask(createExtractModel(), { messages: [question, note], tools: [] })
  expect(noted.text).toContain('searched for: long, lease, lock')
})

test('without tools it says what it has', async () => {
  const reply = await ask(createExtractModel(), {
    messages: [question],
    tools: [],
    meta: { purpose: 'conclude' },
  })
  expect(reply.text).toContain('Nothing that could be quoted was found.')
  expect(reply.end?.reason).toBe('stop')
})

test('a greeting is not searched for', async () => {
  const reply = await ask(createExtractModel(), { messages: [user('hi')], tools })
  expect(reply.calls).toEqual([])
  expect(reply.text).toMatch(/none it can search for/)
})

test('a study’s task ends with the closing JSON', async () => {
  const meta = { purpose: 'work' as const, task: 't1', input: { objective: 'lease of the lock' } }
  const { last, names } = await run({ messages: [user('Your task: …')], meta })
  expect(names).toEqual(['glob', 'grep', 'finder', 'read'])
  const closing = JSON.parse(last.text)
  expect(closing.claims[0]).toMatchObject({ quote: 'The lease of the lock lasts 30 seconds.', confidence: 1 })
  expect(closing.gaps).toEqual([])
})

test('a plan from parts needs no tool', async () => {
  const input = { question: 'How does the store lock files, and what happens on a crash?', workers: 2 }
  const reply = await ask(createExtractModel(), { messages: [], tools, meta: { purpose: 'plan', input } })
  expect(JSON.parse(reply.text)).toEqual({
    tasks: [
      { id: 't1', objective: 'How does the store lock files', terms: ['store', 'lock', 'file'] },
      { id: 't2', objective: 'what happens on a crash', terms: ['happen', 'crash'] },
    ],
  })
})

test('a plan from one piece asks grep how rare its words are', async () => {
  const meta = { purpose: 'plan' as const, input: { question: 'lease lock owner store', workers: 2 } }
  const { last, names } = await run({ messages: [], meta })
  expect(names).toEqual(['grep'])
  expect(JSON.parse(last.text).tasks).toHaveLength(2)
  // owner and store are in one file each, the others in two
  expect(JSON.parse(last.text).tasks.map((task: { terms: string[] }) => task.terms[0])).toEqual([
    'owner',
    'store',
  ])
})

test('a synthesis is composed by rule', async () => {
  const input = {
    question: 'q',
    tasks: [],
    claims: [{ id: 'C1.1', task: 't1', text: 'said', quote: 'quoted words' }],
  }
  const reply = await ask(createExtractModel(), {
    messages: [],
    tools: [],
    meta: { purpose: 'synthesise', input },
  })
  expect(reply.text).toContain('- said "quoted words" [C1.1]')
})

test('cancelled before it began', async () => {
  expect((await ask(createExtractModel(), 'x', AbortSignal.abort())).failure?.kind).toBe('cancelled')
})
