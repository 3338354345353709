// Checks how a conversation with tools reads as plain text.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import { flattenHistory, toolSection } from '../../../../internal/model/text/text-history.ts'
import { textReader } from '../../../../internal/model/text/text-protocol.ts'

const tools = [{ name: 'read', description: 'Reads a file.\nMore words.', schema: { type: 'object' } }]

test('the prompt lists every tool with its schema and shows the form of a call', () => {
  const section = toolSection(tools)
  expect(section).toContain('### read\nReads a file.\nMore words.\nargs: {"type":"object"}')
  const reader = textReader()
  const items = [...reader.push(section), ...reader.close(false)]
  // the example is what the parser takes for a call
  expect(items.filter((item) => item.kind === 'call')).toMatchObject([{ name: 'tool_name' }])
  expect(items.filter((item) => item.kind === 'broken')).toEqual([])
})

const conversation: ModelMessage[] = [
  { role: 'system', content: 'be brief' },
  { role: 'user', content: 'look' },
  {
    role: 'assistant',
    content: 'I look.',
    calls: [
      { id: 'a', name: 'read', args: { path: 'x' } },
      { id: 'b', name: 'read', args: undefined, malformed: { raw: '{"pa\nth', error: 'e', position: 1 } },
    ],
  },
  { role: 'tool', callId: 'a', name: 'read', content: 'line\n```\nfenced' },
  { role: 'tool', callId: 'b', name: 'read', content: 'no JSON' },
  { role: 'user', content: 'go on', origin: 'note' },
]

test('writes calls as lines and results in fences, and user and assistant alternate', () => {
  const flat = flattenHistory(conversation, tools)
  expect(flat.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(flat[0]?.content).toBe(`be brief\n\n${toolSection(tools)}`)
  expect(flat[2]).toEqual({
    role: 'assistant',
    content: 'I look.\n\nTOOL: {"name":"read","args":{"path":"x"}}\n\nTOOL: {"pa th',
  })
  expect(flat[3]?.content).toBe(
    'RESULT of read (a):\n````\nline\n```\nfenced\n````\n\nRESULT of read (b):\n```\nno JSON\n```\n\ngo on',
  )
})

test('does not mention tools if the request has no tools', () => {
  expect(flattenHistory(conversation, [])[0]).toEqual({ role: 'system', content: 'be brief' })
  expect(flattenHistory([{ role: 'user', content: 'x' }], tools)[0]).toMatchObject({ role: 'system' })
})

test('keeps images with their result', () => {
  const picture = { type: 'image', mime: 'image/png', base64: 'A' } as const
  const flat = flattenHistory(
    [
      { role: 'user', content: 'see' },
      { role: 'tool', callId: 'a', name: 'look_at', content: [{ type: 'text', text: 't' }, picture] },
    ],
    [],
  )
  expect(flat).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'text', text: 'RESULT of look_at (a):\n```\nt\n```' },
        picture,
      ],
    },
  ])
})
