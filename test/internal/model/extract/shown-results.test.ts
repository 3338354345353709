// Checks what is read out of tool results, from their data and from their text alone.
import { expect, test } from 'vitest'
import { readToolResults } from '../../../../internal/model/extract/shown-results.ts'
import type { ModelMessage } from '../../../../internal/model/model.ts'

const call = (id: string, name: string, args: unknown): ModelMessage => ({
  role: 'assistant',
  content: '',
  calls: [{ id, name, args }],
})
const result = (callId: string, name: string, content: string, data?: unknown): ModelMessage => ({
  role: 'tool',
  callId,
  name,
  content,
  data,
})
const grepText = 'src/a.ts:3:the lock here\nsrc/a.ts:9:LOCK and lease\n[src/b.ts: 20 of 31 matching lines]'
const grepData = {
  matches: [
    { path: 'src/a.ts', line: 3, column: 5, text: 'the lock here' },
    { path: 'src/a.ts', line: 9, column: 1, text: 'LOCK and lease' },
  ],
}
const hits = [
  { path: 'src/a.ts', line: 3, term: 'lock' },
  { path: 'src/a.ts', line: 9, term: 'lock' },
  { path: 'src/a.ts', line: 9, term: 'lease' },
]
const terms = ['lock', 'lease']

test.each([
  ['data', grepData],
  ['text', undefined],
])('searches, by %s', (_name, data) => {
  const messages = [call('1', 'grep', { pattern: 'lock' }), result('1', 'grep', grepText, data)]
  expect(readToolResults(messages, 0, terms).hits).toEqual(hits)
})

test('a pattern whose search failed is unsearched until one gets to its end', () => {
  const grep = (id: string, pattern: string, failed: boolean): ModelMessage[] => [
    call(id, 'grep', { pattern }),
    { role: 'tool', callId: id, name: 'grep', content: '', failed },
  ]
  const look3 = (...messages: ModelMessage[][]) => [...readToolResults(messages.flat(), 0, terms).unsearched]
  expect(look3(grep('1', 'lock', true), grep('2', 'lease', false))).toEqual(['lock'])
  expect(look3(grep('1', 'lock', true), grep('2', 'lock', false))).toEqual([])
  expect(look3(grep('1', 'lock', false), grep('2', 'lock', true))).toEqual([])
})

test('a hit that two searches find counts once', () => {
  const messages = [
    call('1', 'grep', { pattern: 'lock' }),
    result('1', 'grep', grepText, grepData),
    call('2', 'finder', { query: 'lock lease' }),
    result('2', 'finder', grepText, grepData),
  ]
  expect(readToolResults(messages, 0, terms).hits).toEqual(hits)
})

test('the pattern counts where the line is cut before it', () => {
  const data = { matches: [{ path: 'a', line: 1, text: '…' }] }
  const messages = [call('1', 'grep', { pattern: 'lease' }), result('1', 'grep', '', data)]
  expect(readToolResults(messages, 0, terms).hits).toEqual([{ path: 'a', line: 1, term: 'lease' }])
})

test('listings', () => {
  const text = 'a.ts\nb.ts\n[2 of 5,000 matches, the first in order]'
  const of = (data?: unknown) =>
    readToolResults([call('1', 'glob', {}), result('1', 'glob', text, data)], 0, []).files
  expect(of({ matches: ['a.ts', 'b.ts'], total: 5000 })).toBe(5000)
  expect(of()).toBe(2)
})

test('what was read, with gaps, remarks and evidence', () => {
  const text = '9\tline nine\n10\tline\tten\n20\ttwenty\n[lines 9 to 20 of 40]'
  const messages = [
    call('1', 'read', { path: 'a.ts' }),
    { ...result('1', 'read', text, { path: './a.ts' }), evidence: [{ id: 'E1.1' }] } as ModelMessage,
    call('2', 'read', { path: 'b.ts' }),
    result('2', 'read', '1\tone'),
  ]
  expect(readToolResults(messages, 0, []).passages).toEqual([
    { path: './a.ts', line: 9, lines: ['line nine', 'line\tten'], evidence: [{ id: 'E1.1' }] },
    { path: './a.ts', line: 20, lines: ['twenty'], evidence: [{ id: 'E1.1' }] },
    { path: 'b.ts', line: 1, lines: ['one'] },
  ])
})

test('failed results show nothing, and what came before does not count', () => {
  const messages = [
    call('0', 'read', { path: 'old' }),
    result('0', 'read', '1\told'),
    call('1', 'grep', { pattern: 'lock' }),
    { ...result('1', 'grep', grepText, grepData), failed: true } as ModelMessage,
  ]
  const seen = readToolResults(messages, 2, terms)
  expect(seen.hits).toEqual([])
  expect(seen.passages).toEqual([])
  expect([...seen.called]).toEqual(['grep'])
})
