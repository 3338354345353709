// The stable request from turn to turn, and the markers that keep it in the provider's cache.
import { expect, test } from 'vitest'
import type { ModelMessage } from '../../../../internal/model/model.ts'
import type { CacheLifetime } from '../../../../internal/model/wire/cache-mark.ts'
import {
  messagesCarry,
  messagesTools,
  messagesWriter,
} from '../../../../internal/model/wire/messages-blocks.ts'
import { listTexts } from '../../../../internal/model/wire/request-body.ts'
import { user } from '../../../support/ask-model.ts'
import { rng } from '../../../support/rng.ts'

const write = messagesWriter('test/m')
const turnsOf = (messages: ModelMessage[], cache?: CacheLifetime) =>
  JSON.parse(listTexts(write(messages, cache).messages).join(''))
const text = (words: string) => ({ type: 'text', text: words })

test('puts results first, in one turn with messages of the user', () => {
  const messages: ModelMessage[] = [
    user('go'),
    { role: 'assistant', content: '', calls: [{ id: 'a', name: 'read', args: {} }] },
    user('wait'),
    { role: 'tool', callId: 'a', name: 'read', content: 'r' },
  ]
  expect(turnsOf(messages)[2]).toEqual({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'a', content: [text('r')] }, text('wait')],
  })
})

test('skips empty text, and a turn without other content', () => {
  expect(turnsOf([user('go'), { role: 'assistant', content: ' ' }, user('on')])).toEqual([
    { role: 'user', content: [text('go')] },
    { role: 'user', content: [text('on')] },
  ])
})

test.each([
  [undefined, {}],
  ['x', { value: 'x' }],
  [[1], { value: [1] }],
  [{ a: 1 }, { a: 1 }],
])('arguments %j are sent back as an object', (args, input) => {
  const message: ModelMessage = { role: 'assistant', content: '', calls: [{ id: 'a', name: 'r', args }] }
  expect(turnsOf([message])[0].content[0].input).toEqual(input)
})

test('makes ids and names of other providers valid, the same each time', () => {
  const id = 'call:1/ü'
  const [turn, result] = turnsOf([
    { role: 'assistant', content: '', calls: [{ id, name: 'a.b', args: {} }] },
    { role: 'tool', callId: id, name: 'a.b', content: 'r' },
  ])
  expect(turn.content[0]).toMatchObject({ name: 'a_b', id: expect.stringMatching(/^[\w-]{1,64}$/) })
  expect(result.content[0].tool_use_id).toBe(turn.content[0].id)
})

test('reasoning between text and calls keeps its position', () => {
  const sealed = { type: 'redacted_thinking', data: 'x' } as const
  const value = messagesCarry(
    [
      { type: 'text', text: 'One.' },
      sealed,
      { type: 'tool_use', id: 'a', name: 'read', raw: '' },
      sealed,
      { type: 'tool_use', id: 'b', name: 'read', raw: '' },
    ],
    ['a', 'b'],
  )
  const calls = ['a', 'b'].map((id) => ({ id, name: 'read', args: {} }))
  const message = { role: 'assistant', content: 'One.', calls, carry: { from: 'test/m', value } } as const
  const types = (messages: ModelMessage[]) =>
    turnsOf(messages)[0].content.map(({ type }: { type: string }) => type)
  const placed = ['text', 'redacted_thinking', 'tool_use', 'redacted_thinking', 'tool_use']
  expect(types([message])).toEqual(placed)
  // truncated blocks take no position, and new blocks come before the calls
  expect(types([{ ...message, calls: calls.slice(1) }])).toEqual(placed.toSpliced(2, 1))
  expect(types([{ ...message, content: 'One. Two.' }])).toEqual(placed.toSpliced(2, 0, 'text'))
})

interface SentBlock {
  text: string
  isMarked: boolean
}

/** Returns all blocks of a request in the order in which the provider stores them. */
function blocksOf(system: string, messages: string, tools: string): SentBlock[] {
  const lists = [JSON.parse(tools), JSON.parse(system)]
  for (const turn of JSON.parse(messages)) lists.push(turn.content)
  const blocks = lists.flat().map(({ cache_control, ...block }) => ({
    text: JSON.stringify(block),
    isMarked: cache_control !== undefined,
  }))
  const last = blocks.at(-1)
  // the field of the whole request
  if (last) last.isMarked = true
  return blocks
}

/**
 * Simulates the provider: at each marker it searches a stored prefix up to 20 blocks
 * back. Returns characters.
 */
function createCache() {
  const kept = new Set<string>()
  return (blocks: readonly SentBlock[]): { read: number; all: number } => {
    const ends: string[] = []
    for (const { text } of blocks) ends.push(`${ends.at(-1) ?? ''}${text}\n`)
    const marks = blocks.flatMap(({ isMarked }, i) => (isMarked ? [i] : []))
    expect(marks.length).toBeLessThanOrEqual(4)
    let found = ''
    for (const mark of marks) {
      for (let i = mark; i >= Math.max(0, mark - 20); i--) {
        const prefix = ends[i] as string
        if (kept.has(prefix) && prefix.length > found.length) found = prefix
      }
    }
    for (const mark of marks) kept.add(ends[mark] as string)
    return { read: found.length, all: (ends.at(-1) ?? '').length }
  }
}

test.each([1, 4, 30])('100 turns of up to %i calls: at least 95 %% comes from the cache', (most) => {
  const next = rng(most)
  const lookUp = createCache()
  const tools = [{ name: 'read', description: 'd'.repeat(3000), schema: {} }]
  const messages: ModelMessage[] = [{ role: 'system', content: 's'.repeat(2000) }, user('go')]
  const sum = { read: 0, all: 0 }
  let before: SentBlock[] = []
  for (let turn = 0; turn < 100; turn++) {
    const sent = write(messages, '5m')
    const blocks = blocksOf(sent.system, listTexts(sent.messages).join(''), messagesTools(tools, '5m'))
    expect(blocks.slice(0, before.length).map((block) => block.text)).toEqual(
      before.map((block) => block.text),
    )
    before = blocks
    const { read, all } = lookUp(blocks)
    if (turn > 0) {
      sum.read += read
      sum.all += all
    }
    const count = turn % 10 === 9 ? most : 1 + Math.floor(next() * most)
    const calls = Array.from({ length: count }, (_, i) => ({
      id: `c${turn}_${i}`,
      name: 'read',
      args: { i },
    }))
    messages.push({ role: 'assistant', content: 'I look.', calls })
    for (const { id } of calls) {
      messages.push({ role: 'tool', callId: id, name: 'read', content: 'r'.repeat(Math.floor(next() * 900)) })
    }
  }
  console.log(
    `up to ${most} calls: ${((100 * sum.read) / sum.all).toFixed(1)} % of the prompt from the cache`,
  )
  expect(sum.read / sum.all).toBeGreaterThanOrEqual(0.95)
})
