// builtin/extract as a model: its turns, its purposes, and its deterministic output.
import { expect, test } from 'vitest'
import {
  closingReply,
  createExtractModel,
  noWordsAnswer,
  plainAnswer,
  readVerdict,
} from '../../../../internal/model/extract/extract-model.ts'
import type { SearchOutcome, ShownHit } from '../../../../internal/model/extract/found-passages.ts'
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
  expect(last.text).toContain('quotes found')
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

// Answers of builtin/extract: quotes with positions, endings, a study's closing JSON, and open parts.

const hit = (path: string, line: number, text: string, rest: Partial<ShownHit> = {}): ShownHit => ({
  path,
  line,
  lines: text.split('\n'),
  heading: 'Leases',
  kind: 'prose',
  score: 8,
  best: { from: line, to: line + text.split('\n').length - 1, key: line },
  part: 0,
  ...rest,
})
const outcome = (rest: Partial<SearchOutcome> = {}): SearchOutcome => ({
  called: true,
  hits: [
    hit('doc/a.md', 7, 'The lease of a lock lasts 30 seconds.', { evidence: 'E1.3' }),
    hit('doc/b.md', 1, 'The lease of a lock lasts 45\nseconds in all.', { score: 4, heading: '' }),
  ],
  verdict: 'found',
  coverage: '0.90',
  missing: [],
  lacking: [],
  mentions: [],
  nearest: ['Locks (doc/a.md)', 'Leases (doc/b.md)'],
  read: '2 files, 1 kB, 0.1 s',
  remarks: [],
  ...rest,
})

test('an ordinary answer quotes, lists the positions, and reports the number of files', () => {
  expect(
    plainAnswer('How long is the lease?', outcome({ remarks: ['1 file skipped: binary'] })),
  ).toBe(`builtin/extract (deterministic extraction, not a language model): quotes found.

> The lease of a lock lasts 30 seconds.

doc/a.md:7  Leases

> **The lease of a lock lasts 45**${'  '}
> **seconds in all.**

doc/b.md:1-2

Possible contradiction:
- doc/a.md:7  Leases
- doc/b.md:1-2

read 2 files, 1 kB, 0.1 s${'  '}
1 file skipped: binary`)
})

test('groups the quotes by the parts of the question', () => {
  const hits = [hit('a.md', 1, 'Locks are taken.'), hit('b.md', 1, 'Stale files go.', { part: 1 })]
  const text = plainAnswer('How are locks taken, and what removes stale files?', outcome({ hits }))
  expect(text).toContain('How are locks taken:\n\n> Locks are taken.')
  expect(text).toContain('what removes stale files:\n\n> Stale files go.')
})

test('a partial answer lists the missing words', () => {
  const partial = outcome({ verdict: 'partial', missing: ['Kafka'], coverage: '0.54' })
  expect(plainAnswer('q', partial).split('\n')[0]).toMatch(/: partial, no passage contains "Kafka"\.$/)
  expect(plainAnswer('q', { ...partial, missing: [] }).split('\n')[0]).toMatch(
    /the passages cover 54 % of the question/,
  )
  expect(closingReply('q', partial).gaps).toEqual(['no passage contains "Kafka"'])
  const open = { ...partial, lacking: ['no quote for: why'] }
  expect(plainAnswer('q', open).split('\n')[0]).toMatch(/no passage contains "Kafka"; no quote for: why\.$/)
  expect(closingReply('q', open).gaps).toEqual(['no passage contains "Kafka"', 'no quote for: why'])
  const uncounted = outcome({ verdict: 'partial', lacking: ['no quote gives a number for: why'] })
  expect(plainAnswer('q', uncounted)).toMatch(/^[^\n]*: partial, no quote gives a number for: why\.\n/)
  expect(closingReply('q', uncounted).gaps).toEqual(['no quote gives a number for: why'])
  expect(closingReply('q', { ...partial, missing: [] }).gaps).toEqual(['no quote for: q'])
  const apart = { ...partial, missing: [], coverage: '1.00' }
  expect(plainAnswer('q', apart).split('\n')[0]).toMatch(/cover 100 % of the question/)
  expect(closingReply('q', apart).gaps).toEqual(['no quote for: q'])
})

test('without a match quotes nothing and lists the nearest sections', () => {
  const nothing = outcome({ verdict: 'nothing', missing: ['QUIX'] })
  const text = plainAnswer('Does it speak QUIX?', nothing)
  expect(text).toContain('nothing found: no passage contains "QUIX".')
  expect(text).toContain('- Locks (doc/a.md)\n- Leases (doc/b.md)')
  expect(text).not.toContain('>')
  expect(closingReply('Does it speak QUIX?', nothing)).toEqual({
    claims: [],
    gaps: [
      'nothing found on: Does it speak QUIX?',
      'no passage contains "QUIX"',
      'nearest sections: Locks (doc/a.md); Leases (doc/b.md)',
    ],
  })
})

test('a failed search differs from a search without results', () => {
  const failed = outcome({ failure: 'error timeout: too slow', hits: [], verdict: 'nothing' })
  expect(plainAnswer('q', failed)).toContain('could not search: error timeout: too slow')
  expect(closingReply('q', failed).gaps).toEqual(['not searched: error timeout: too slow'])
})

test('a task closes with quotes and their evidence', () => {
  expect(closingReply('the lease', outcome())).toEqual({
    claims: [
      {
        text: 'The lease of a lock lasts 30 seconds.',
        evidence: 'E1.3',
        quote: 'The lease of a lock lasts 30 seconds.',
        key: 'The lease of a lock lasts 30 seconds.',
        stance: 'supports',
        confidence: 1,
      },
      {
        text: 'The lease of a lock lasts 45\nseconds in all.',
        quote: 'The lease of a lock lasts 45\nseconds in all.',
        key: 'The lease of a lock lasts 45 seconds in all.',
        stance: 'supports',
        confidence: 0.5,
      },
    ],
    gaps: [],
  })
})

test.each(['found', 'partial', 'nothing'] as const)('an answer reports that it is %s', (verdict) => {
  const hits = [hit('a.md', 1, 'Locks are taken.')]
  expect(readVerdict(plainAnswer('q', outcome({ hits, verdict })))).toBe(verdict)
})

test('a failed search and a missing search count as nothing found', () => {
  expect(readVerdict(plainAnswer('q', outcome({ failure: 'no such folder' })))).toBe('nothing')
  expect(readVerdict(noWordsAnswer)).toBe('nothing')
})

test('other texts have no verdict', () => {
  expect(readVerdict('quotes found')).toBeUndefined()
  expect(readVerdict('')).toBeUndefined()
})

test('escapes control characters of a quote for a terminal and keeps them in a claim', () => {
  const red = outcome({ hits: [hit('a.md', 1, 'The \u001b[31mlease\u001b[0m lasts 30 seconds.')] })
  expect(plainAnswer('How long is the lease?', red)).toContain('The \\x1b[31mlease')
  expect(JSON.stringify(closingReply('How long is the lease?', red))).toContain('\\u001b[31mlease')
})
