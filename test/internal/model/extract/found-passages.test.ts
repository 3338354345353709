// The results of a passage search, read from the data of the tool finder.
import { expect, test } from 'vitest'
import {
  planQuestion,
  readFiledPassages,
  readSearchOutcome,
  searchedWords,
  synthesiseInput,
  workObjective,
} from '../../../../internal/model/extract/found-passages.ts'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { finder } from '../../../../internal/tools/search/finder.ts'
import { user } from '../../../support/ask-model.ts'
import { call, ctxWith } from '../../../support/ctx.ts'
import { run } from '../../../support/run.ts'
import { plant } from '../../../support/search.ts'

const corpus = {
  'doc/lock (old).md':
    '# Locks\n\n## Lease\n\nThe lease of the lock lasts 30 seconds.\n12\tis no line number\n',
  'lock.conf': '# How long the lease of a lock lasts.\nlease-time 45\n',
}
const args = { mode: 'passage', query: 'How long does the lease of the lock last?' }

async function conversation(query = args.query, files: Record<string, string> = corpus) {
  const { data, failed } = await call(
    finder,
    { ...args, query },
    ctxWith({ processes: { run } }, { cwd: plant(files) }),
  )
  const evidence = [
    { id: 'E1.1', path: 'doc/lock (old).md' },
    { id: 'E1.2', path: 'lock.conf' },
  ]
  const messages: ModelMessage[] = [
    user(query),
    { role: 'assistant', content: '', calls: [{ id: 'x1', name: 'finder', args }] },
    {
      role: 'tool',
      callId: 'x1',
      name: 'finder',
      content: 'unread',
      data,
      evidence,
      failed: failed !== undefined,
    },
  ]
  return messages
}

test('reads passages with their lines, best stretch and evidence', async () => {
  const { hits, verdict, read, missing } = readSearchOutcome(await conversation(), 0)
  expect(verdict).toBe('found')
  expect(missing).toEqual([])
  expect(read).toMatch(/^2 files, 1 kB, \d+\.\d s$/)
  expect(
    hits.map(({ path, line, heading, kind, evidence }) => [path, line, heading, kind, evidence]),
  ).toEqual([
    ['doc/lock (old).md', 1, 'Locks > Lease', 'prose', 'E1.1'],
    ['lock.conf', 1, 'lease-time', 'config', 'E1.2'],
  ])
  expect(hits[0]?.lines).toEqual([
    '# Locks',
    '',
    '## Lease',
    '',
    'The lease of the lock lasts 30 seconds.',
    '12\tis no line number',
  ])
  expect(hits[0]?.best).toEqual({ from: 1, to: 6, key: 5, tells: [0] })
})

test('a question without search words is reported, without a count of read files', async () => {
  const { read, remarks } = readSearchOutcome(await conversation('what is this?'), 0)
  expect([read, remarks]).toEqual(['', ['the question has no word that can be searched for']])
})

test('returns the missing words and the nearest sections', async () => {
  const outcome = readSearchOutcome(
    await conversation('Does the lease of the lock speak Kafka, QUIX and SOAP?'),
    0,
  )
  expect(outcome.verdict).not.toBe('found')
  expect(outcome.missing).toEqual(expect.arrayContaining(['Kafka', 'QUIX', 'SOAP']))
  const none = readSearchOutcome(await conversation('Which zebras migrate?'), 0)
  expect(none).toMatchObject({ called: true, verdict: 'nothing', hits: [] })
})

test('returns a second stretch, a missing number, and words without a match', async () => {
  const filler = Array.from({ length: 14 }, () => 'Another line speaks of other things, at some length.')
  const tail = 'A lease of the lock is renewed by whoever holds it, as long as that program runs and answers.'
  const long = ['The lease of the lock lasts as long as its holder wants.', '', ...filler, '', tail]
  const messages = await conversation(args.query, { 'a.md': long.join('\n') })
  const { data } = messages.at(-1) as { data: { results: object[] } }
  // only a passage with a line of more than 1,500 characters has another quote
  Object.assign(data.results[0] as object, { second: { line: 16, end_line: 17, key: 17, share: 0.6 } })
  const outcome = readSearchOutcome(messages, 0)
  expect(outcome.hits[0]?.second).toMatchObject({ from: 16, to: 17, share: 0.6 })
  expect(outcome).toMatchObject({
    verdict: 'partial',
    lacking: [expect.stringMatching(/^no quote gives a number for: /)],
  })
  const files = { ...corpus, 'test/golden/a.json': '{ "text": "soap: cannot be spoken" }\n' }
  const { mentions } = readSearchOutcome(await conversation('Does it speak SOAP?', files), 0)
  const place = 'test/golden/a.json:1, which refuses it'
  expect(mentions).toEqual([`SOAP occurs only in tests, data or URLs, such as ${place}`])
})

test('uses only the search after the question', async () => {
  const messages = await conversation()
  expect(readSearchOutcome(messages, 3).called).toBe(false)
  expect(readSearchOutcome([], 0).called).toBe(false)
})

test('a failed search contains the reason, and another tool is ignored', async () => {
  const messages = await conversation()
  const failed = messages.map((message) =>
    message.role === 'tool'
      ? { ...message, failed: true, content: 'error timeout: too slow\nmore' }
      : message,
  )
  expect(readSearchOutcome(failed, 0).failure).toBe('error timeout: too slow')
  const other = messages.map(
    (message): ModelMessage =>
      message.role === 'assistant' ? { ...message, calls: [{ id: 'x1', name: 'grep', args: {} }] } : message,
  )
  expect(readSearchOutcome(other, 0).called).toBe(false)
})

test('repeats a search whose result has lost its data, once', async () => {
  const [question, reply, result] = await conversation()
  const bare = { ...result, data: undefined } as ModelMessage
  const messages = [question, reply, bare] as ModelMessage[]
  expect(readSearchOutcome(messages, 0).called).toBe(false)
  expect(readSearchOutcome([...messages, reply, result] as ModelMessage[], 0).hits).toHaveLength(2)
  expect(readSearchOutcome([...messages, reply, bare] as ModelMessage[], 0).failure).toBe(
    'the result of finder has no data',
  )
})

const odd: [string, unknown][] = [
  ['a number', 3],
  ['a list', []],
  ['no results', { remarks: [] }],
  ['results that are no list', { results: 'x', remarks: [] }],
  ['no remarks', { results: [] }],
]
test.each(odd)('data that are %s do not count as a search', (_, data) => {
  expect(readFiledPassages(data)).toMatchObject({ hits: [], verdict: 'nothing' })
})

test('reads a passage with fields of other types as far as possible', () => {
  const data = { results: [{ path: 7, line: 'x', second: 4 }, null], remarks: [4, {}], coverage: 5 }
  expect(readFiledPassages(data).hits).toEqual([
    {
      ...{ path: '', line: 0, lines: [''], heading: '', kind: '', score: 0, part: 0 },
      best: { from: 0, to: 0, key: 0 },
    },
  ])
})

// The careful reading of input from a study.

test('reads the question of a plan and the objective of a task', () => {
  expect(planQuestion(undefined)).toBeUndefined()
  expect(planQuestion({ question: 'own', workers: 2 })).toBe('own')
  expect(workObjective({ terms: ['a'] })).toBeUndefined()
  expect(workObjective({ objective: 'o', terms: ['a', 5] })).toBe('o')
})
test('searches for a follow-up question with the words of the previous question', () => {
  const before = 'What is the default timeout of a command?'
  expect(searchedWords('And for a study?', { before })).toBe(
    'And for a study (also: default timeout command)?',
  )
  expect(searchedWords('And for a study?', {})).toBe('And for a study?')
  expect(searchedWords('Who may change the budget limit?', { before })).toBe(
    'Who may change the budget limit?',
  )
})
test('reads the tasks and claims of a synthesis', () => {
  const input = {
    question: 'q',
    tasks: [{ id: 't1', objective: 'o', gaps: ['g', 1] }, 7],
    claims: [
      { id: 'C1.1', task: 't1', text: 't', quote: 'the quote', verified: true },
      { id: 'C1.2', text: 'only text' },
      { text: 'no id' },
    ],
  }
  expect(synthesiseInput(input)).toEqual({
    question: 'q',
    tasks: [{ id: 't1', objective: 'o', gaps: ['g'] }],
    claims: [
      { id: 'C1.1', task: 't1', text: 't', quote: 'the quote', verified: true },
      { id: 'C1.2', task: '', text: 'only text', quote: '' },
    ],
  })
  expect(synthesiseInput(null)).toEqual({ question: '', tasks: [], claims: [] })
})
