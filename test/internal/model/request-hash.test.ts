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
test.each(same)('equal but for %s', (_name, request) => expect(hash(request)).toBe(hash(base)))

test('equal in another directory', () => {
  const moved = JSON.parse(JSON.stringify(base).replaceAll('/home/me/repo', '/tmp/x')) as ModelRequest
  expect(hash(moved, '/tmp/x')).toBe(hash(base))
  expect(hash(moved)).not.toBe(hash(base))
})

const different: [string, ModelRequest][] = [
  ['a word', replace(1, { role: 'user', content: 'look at b' })],
  ['a date of the person', replace(1, { role: 'user', content: '2026-01-02' })],
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
test.each(different)('different by %s', (_name, request) => expect(hash(request)).not.toBe(hash(base)))

test('parts tell where two requests differ', () => {
  const a = identifyRequest(base, '').parts
  const b = identifyRequest(
    replace(3, { role: 'tool', callId: 'c', name: 'read', content: 'other' }),
    '',
  ).parts
  expect(a).toHaveLength(6)
  expect(a.map((part, i) => part === b[i])).toEqual([true, true, true, true, true, false])
})

test('canonical JSON', () => {
  expect(canonicalJson({ b: [{ d: 1, c: undefined }], a: null })).toBe('{"a":null,"b":[{"d":1}]}')
})
