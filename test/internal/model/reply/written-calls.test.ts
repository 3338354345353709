// Checks which texts count as calls that were only written.
import { expect, test } from 'vitest'
import { findWrittenCalls } from '../../../../internal/model/reply/written-calls.ts'

const tools = [{ name: 'read', description: '', schema: {} }]
const names = (text: string) => findWrittenCalls(text, tools).map(({ name }) => name)

test('a call of an unknown tool counts only at the end of a text', () => {
  expect(names('<tool_call>{"name": "other"}</tool_call>')).toEqual(['other'])
  expect(names('<tool_call>{"name": "other"}</tool_call> is an example')).toEqual([])
  expect(names('<function=functions.read></function> and more')).toEqual(['read'])
})

const shapes = {
  arguments: { name: 'read', arguments: { path: 'a' } },
  'arguments as text': { name: 'read', arguments: '{"path":"a"}' },
  args: { tool: 'read', args: {} },
  parameters: { name: 'read', parameters: { path: 'a' } },
  input: { type: 'tool_use', id: 'x', name: 'read', input: { path: 'a' } },
  function: { type: 'function', id: 'x', function: { name: 'read', arguments: { path: 'a' } } },
  'a prefix': { name: 'functions.read', arguments: { path: 'a' } },
  list: [{ name: 'read', arguments: { path: 'a' } }],
}
const frames: Record<string, (json: string) => string> = {
  bare: (json) => json,
  spaced: (json) => `\n\n${json}\n`,
  fenced: (json) => `\`\`\`json\n${json}\n\`\`\``,
  'fenced without a language': (json) => `\`\`\`\n${json}\n\`\`\`\n`,
  tildes: (json) => `~~~ json\n${json}\n~~~`,
}
const bare = Object.entries(shapes).flatMap(([shape, value]) =>
  Object.entries(frames).flatMap(([frame, wrap]) =>
    [0, 2].map((indent) => ({ shape, frame, indent, text: wrap(JSON.stringify(value, null, indent)) })),
  ),
)

test.each(bare)('a text that is only a call counts: $shape, $frame, indent $indent', ({ text }) => {
  expect(names(text)).toEqual(['read'])
})

test.each([
  ['{"name": "other", "arguments": {}}'],
  ['{"name": "read"}'],
  ['{"name": "read", "arguments": [1]}'],
  ['{"name": "read", "arguments": {}, "severity": "low"}'],
  ['[{"name": "read", "arguments": {}}, {"title": "x"}]'],
  ['Call it like this:\n{"name": "read", "arguments": {}}'],
  ['```json\n{"name": "read", "arguments": {}}\n```\nThis is the form.'],
  ['{"findings": []}'],
  ['[]'],
  ['{"name": "read", "arguments": {}'],
  ['null'],
])('an answer in JSON, or about calls, is an answer: %s', (text) => {
  expect(names(text)).toEqual([])
})
