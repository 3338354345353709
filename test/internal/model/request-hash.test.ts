// Checks which requests are the same request.
import { expect, test } from 'vitest'
import type { ModelMessage, ModelRequest } from '../../../internal/model/model.ts'
import { canonicalJson, identifyRequest } from '../../../internal/model/request-hash.ts'

const base: ModelRequest = {
  messages: [
    { role: 'system', content: 'Today is 2026-01-02. Work in /home/me/repo.' },
    { role: 'user', content: 'look at /home/me/repo/a.ts' },
    { role: 'assistant', content: '', calls: [{ id: 'c', name: 'read', args: { path: 'a', n: 1 } }] },
    { role: 'tool', callId: 'c', name: 'read', content: 'text' },
  ],
  tools: [{ name: 'read', description: 'd', schema: { a: 1, b: 2 } }],
  effort: 'low',
  meta: { purpose: 'work', task: 't1' },
}
const hash = (request: ModelRequest, cwd = '/home/me/repo') => identifyRequest(request, cwd).hash
const replace = (at: number, message: ModelMessage): ModelRequest => ({
  ...base,
  messages: base.messages.map((old, i) => (i === at ? message : old)),
})

const same: [string, ModelRequest, string?][] = [
  ['another day', replace(0, { role: 'system', content: 'Today is 2027-11-30. Work in /home/me/repo.' })],
  ['a deadline', { ...base, deadline: 5 }],
  [
    'structured data',
    replace(3, { role: 'tool', callId: 'c', name: 'read', content: 'text', data: { ms: 5 } }),
  ],
  ['the order of keys', { ...base, tools: [{ schema: { b: 2, a: 1 }, description: 'd', name: 'read' }] }],
  [
    'what a provider carries',
    replace(2, {
      ...(base.messages[2] as ModelMessage & { role: 'assistant' }),
      carry: { from: 'x', value: 1 },
    }),
  ],
]
test.each(same)('the hash stays the same with %s', (_name, request) => expect(hash(request)).toBe(hash(base)))

test('the hash stays the same in another directory', () => {
  const moved = JSON.parse(JSON.stringify(base).replaceAll('/home/me/repo', '/tmp/x')) as ModelRequest
  expect(hash(moved, '/tmp/x')).toBe(hash(base))
  expect(hash(moved)).not.toBe(hash(base))
})

/** Parts of results that no two runs have alike; each row is one kind, in two runs. */
const varying: [string, string, string][] = [
  ['an id', 'sent 01M8C6N2QJ0KNJEGS2YZEX4P0C to me', 'sent 01M8C6N48DRNVYMVQF7TTSXSGE to me'],
  [
    'a thread',
    '[done; thread sess_01M8C6N2QJ0KNJEGS2YZEX4P0C]',
    '[done; thread sess_01M8C6N48DRNVYMVQF7TTSXSGE]',
  ],
  ['an id at the start of a line', 'a\n01M8C6N2QJ0KNJEGS2YZEX4P0C', 'a\n01M8C6N48DRNVYMVQF7TTSXSGE'],
  ['a UUID', 'job 0b0f5b9e-7f7c-4d5e-9a8b-1c2d3e4f5a6b', 'job 1b0f5b9e-7f7c-4d5e-9a8b-1c2d3e4f5a6c'],
  ['a duration', 'ended after 0.1 s', 'ended after 12.4 s'],
  ['milliseconds', 'exit_code: 0\nduration_ms: 119\nstdout:', 'exit_code: 0\nduration_ms: 4\nstdout:'],
  ['a process id', 'session_id: term_1\npid: 29903', 'session_id: term_1\npid: 7'],
  ['a time', '2026-11-26T15:09:28.123Z x', '2027-01-02T03:04:05Z x'],
  ['a time of the day', 'Thu Nov 26 15:09:28 UTC', 'Thu Nov 26 15:10:01 UTC'],
  ['a time of a listing', '-rw-r--r-- 1 a a 5 Nov 26 15:09 a', '-rw-r--r-- 1 a a 5 Nov 26 15:10 a'],
  ['milliseconds since 1970', 'at 1795705768169', 'at 1795705770824'],
  ['a port', 'http://127.0.0.1:43121/x', 'http://127.0.0.1:9999/x'],
  ['a report of the first run', 'a.md:1', 'a.md:1\n[1 file skipped: a report of a study]'],
  ['a temporary directory', 'in /tmp/tmp.rILBZHromF now', 'in /tmp/tmp.IabbaC0RmB now'],
]
const result = (content: string) => replace(3, { role: 'tool', callId: 'c', name: 'read', content })
const note = (content: string) => replace(1, { role: 'user', content, origin: 'note' })
const written = (content: string) => replace(1, { role: 'user', content })

test.each(varying)('%s in a result or a note does not count', (name, one, other) => {
  expect(hash(result(one))).toBe(hash(result(other)))
  expect(hash(note(one))).toBe(hash(note(other)))
  expect(hash(result(one))).not.toBe(hash(result(`${one} more`)))
  // of what a user writes only ids may differ
  const isId = /id|thread|UUID|port$|directory/.test(name) && !name.includes('process')
  expect(hash(written(one)) === hash(written(other))).toBe(isId)
})

test('lists ids in their order, for the responses that contain them', () => {
  const [first, second] = ['01M8C6N2QJ0KNJEGS2YZEX4P0C', '01M8C6N48DRNVYMVQF7TTSXSGE']
  const { ids } = identifyRequest(result(`sess_${first}\n${second} ${first} at 1795705768169`), '/x')
  expect(ids).toEqual([`sess_${first}`, second, first])
})

const different: [string, ModelRequest][] = [
  ['a word', replace(1, { role: 'user', content: 'look at b' })],
  ['a date of the user', replace(1, { role: 'user', content: '2026-01-02' })],
  [
    'arguments',
    replace(2, {
      role: 'assistant',
      content: '',
      calls: [{ id: 'c', name: 'read', args: { path: 'b', n: 1 } }],
    }),
  ],
  ['a result', replace(3, { role: 'tool', callId: 'c', name: 'read', content: 'other' })],
  ['tools', { ...base, tools: [] }],
  ['effort', { ...base, effort: 'high' }],
  ['the task', { ...base, meta: { purpose: 'work', task: 't2' } }],
  ['the purpose', { ...base, meta: { purpose: 'plan', task: 't1' } }],
]
test.each(different)('the hash differs with %s', (_name, request) =>
  expect(hash(request)).not.toBe(hash(base)),
)

test('the parts of a hash show the difference between two requests', () => {
  const a = identifyRequest(base, '').parts
  const b = identifyRequest(
    replace(3, { role: 'tool', callId: 'c', name: 'read', content: 'other' }),
    '',
  ).parts
  expect(a).toHaveLength(6)
  expect(a.map((part, i) => part === b[i])).toEqual([true, true, true, true, true, false])
})

test('canonicalJson sorts keys and skips undefined values', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}')
})
