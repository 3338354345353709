// builtin/extract as a model: its turns, its purposes, and its deterministic output.
import { expect, test } from 'vitest'
import { createExtractModel } from '../../../../internal/model/extract/extract-model.ts'
import type { ModelMessage, ModelRequest } from '../../../../internal/model/model.ts'
import { finder } from '../../../../internal/tools/search/finder.ts'
import { ask, type Said, user } from '../../../support/ask-model.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run as start } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const tools = ['glob', 'grep', 'finder', 'read'].map((name) => ({ name, description: '', schema: {} }))

/** A corpus of two files, searched with the real tool. */
const corpus: Record<string, string> = {
  'doc/lock.md': '# Locks\n\nThe store holds one lock file. The lease of the lock lasts 30 seconds.\n',
  'src/store.ts': 'export const leaseMs = 45_000\n// the lease of the lock is renewed by the owner\n',
}
const ctx = ctxWith({ processes: { run: start } }, { cwd: plant(corpus) })

/** Runs a small agent loop: asks and answers calls until a response has no calls. */
async function run(request: Partial<ModelRequest>): Promise<{ last: Said; names: string[] }> {
  const messages: ModelMessage[] = [...(request.messages ?? [])]
  const names: string[] = []
  for (let turn = 0; turn < 10; turn++) {
    const last = await ask(createExtractModel(), { tools, ...request, messages: [...messages] })
    if (last.calls.length === 0) return { last, names }
    names.push(...last.calls.map((call) => call.name))
    messages.push({ role: 'assistant', content: last.text, calls: last.calls })
    for (const { id, name, args } of last.calls) {
      const { data } = await call(finder, args, ctx)
      messages.push({ role: 'tool', callId: id, name, content: 'unread', data })
    }
  }
  throw new Error('it does not come to an end')
}

const question = user('How long does the lease of the lock last?')

test('an ordinary run is one search and ends with quotes and their positions', async () => {
  const { last, names } = await run({ messages: [{ role: 'system', content: 'about leases' }, question] })
  expect(names).toEqual(['finder'])
  expect(last.text).toContain('The lease of the lock lasts 30 seconds.**\n\ndoc/lock.md:1-3  Locks')
  expect(last.text).toContain('quotations found')
  expect(last.text).toContain('read 2 files')
  expect(last.text).toContain('not a language model')
  expect(last.end?.reason).toBe('stop')
})

test('the answer contains the reading time, from the data alone', async () => {
  expect((await run({ messages: [question] })).last.text).toMatch(/^read 2 files, 1 kB, \d+\.\d s$/m)
})

test('gives the same answer twice', async () => {
  const [a, b] = [await run({ messages: [question] }), await run({ messages: [question] })]
  const untimed = (text: string) => text.replace(/, \d+\.\d s$/m, '')
  expect(untimed(a.last.text)).toBe(untimed(b.last.text))
  expect(a.names).toEqual(b.names)
})

test('uses no tokens', async () => {
  const reply = await ask(createExtractModel(), { messages: [question], tools })
  expect(reply.usage).toEqual({ input: 0, output: 0, usd: 0 })
  expect(reply.end?.reason).toBe('calls')
  expect((await run({ messages: [question] })).last.usage).toEqual({ input: 0, output: 0, usd: 0 })
})

test('searches again for a later question, but not for a note of the program', async () => {
  const { last } = await run({ messages: [question] })
  const before: ModelMessage[] = [question, { role: 'assistant', content: last.text }]
  const anew = await ask(createExtractModel(), { messages: [...before, user('Who owns the store?')], tools })
  expect(anew.calls.map(({ args }) => args)).toMatchObject([
    { mode: 'passage', query: 'Who owns the store?' },
  ])
  const note: ModelMessage = { role: 'user', content: 'You repeat yourself.', origin: 'note' }
  const noted = await ask(createExtractModel(), { messages: [question, note], tools })
  expect(noted.calls.map(({ args }) => args)).toMatchObject([{ query: question.content }])
})

test('answers from the available results if the request has no tools', async () => {
  const reply = await ask(createExtractModel(), {
    messages: [question],
    tools: [],
    meta: { purpose: 'conclude' },
  })
  expect(reply.text).toContain('could not search: the tool finder is not among its tools')
  expect(reply.end?.reason).toBe('stop')
})

test('does not search for a greeting', async () => {
  const reply = await ask(createExtractModel(), { messages: [user('hi')], tools })
  expect(reply.calls).toEqual([])
  expect(reply.text).toMatch(/this message has none/)
})

test('ends a task of a study with the closing JSON', async () => {
  const meta = { purpose: 'work' as const, task: 't1', input: { objective: 'lease of the lock' } }
  const { last, names } = await run({ messages: [user('Your task: …')], meta })
  expect(names).toEqual(['finder'])
  const closing = JSON.parse(last.text)
  expect(closing.claims[0]).toMatchObject({
    quote: expect.stringContaining('lasts 30 seconds.'),
    confidence: 1,
  })
  expect(closing.gaps).toEqual([])
})

test('plans one task, because the whole question is one search', async () => {
  const input = { question: 'How does the store lock files, and what happens on a crash?', workers: 2 }
  const reply = await ask(createExtractModel(), { messages: [], tools, meta: { purpose: 'plan', input } })
  expect(JSON.parse(reply.text)).toEqual({
    tasks: [{ id: 't1', objective: input.question, terms: ['store', 'lock', 'file', 'happen', 'crash'] }],
  })
})

test('composes a synthesis by rules', async () => {
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

test('stops if it is cancelled before it starts', async () => {
  expect((await ask(createExtractModel(), 'x', AbortSignal.abort())).failure?.kind).toBe('cancelled')
})
