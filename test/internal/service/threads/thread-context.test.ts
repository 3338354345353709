// The parts of a context window, computed from the records of a thread, also of older threads.
import { expect, test } from 'vitest'
import { measureContext } from '../../../../internal/agent/system-prompt.ts'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { readThreadContext } from '../../../../internal/service/threads/thread-context.ts'
import { shelf } from '../../../support/store.ts'

const place = shelf()

const message = (role: 'user' | 'assistant', chars: number, more: object = {}): EventDraft => ({
  type: 'message',
  payload: { role, text: 'x'.repeat(chars), ...more },
})
const result = (tool: string, chars: number): EventDraft => ({
  type: 'tool.result',
  payload: { call: 'c1', tool, ok: true, text: 'x'.repeat(chars) },
})
const init: EventDraft = {
  type: 'system.init',
  payload: {
    profile: 'craft',
    model: 'a/one',
    cwd: '/w',
    tools: ['read'],
    context: { window: 1000, system: 50, instructions: 25, tools: { native: 200, 'mcp github': 100 } },
  },
}

function read(...events: EventDraft[]) {
  const { id } = place.store.threads.create({ workspace: '/w', title: 't', profile: 'craft', model: 'a/one' })
  place.store.threads.append(id, 'r', events)
  const thread = place.store.threads.get(id)
  if (!thread) throw new Error('no thread')
  const found = readThreadContext(place.store, thread)
  return { ...found, parts: found.parts.map(({ part, name, tokens }) => [part, name, tokens]) }
}

test('lists system, instructions, tools by origin, messages by author, results by tool', () => {
  const found = read(
    init,
    message('user', 40),
    message('user', 20, { origin: 'note' }),
    message('assistant', 80),
    result('read', 400),
    result('grep', 800),
    result('read', 100),
    { type: 'usage', payload: { input: 777, output: 1 } },
  )
  expect(found).toEqual({
    model: 'a/one',
    window: 1000,
    estimated: 735,
    counted: 777,
    parts: [
      ['system', null, 50],
      ['instructions', null, 25],
      ['tools', 'native', 200],
      ['tools', 'mcp github', 100],
      ['messages', 'model', 20],
      ['messages', 'person', 10],
      ['messages', 'note', 5],
      ['results', 'grep', 200],
      ['results', 'read', 125],
    ],
  })
})

test('messages that a summary replaced count nothing', () => {
  const before = [
    message('user', 40),
    message('assistant', 4000),
    result('read', 4000),
    message('assistant', 40),
  ]
  const summary: EventDraft = {
    type: 'message',
    payload: { role: 'summary', text: 'x'.repeat(20), replaced: 2, kept: 1 },
  }
  expect(read(...before, summary).parts).toEqual([
    ['messages', 'person', 10],
    ['messages', 'model', 10],
    ['messages', 'note', 5],
  ])
})

test('returns the known parts of a thread of an earlier version, and does not count estimated usage', () => {
  const { context: _, ...old } = init.type === 'system.init' ? init.payload : ({} as never)
  const usage: EventDraft = { type: 'usage', payload: { input: 5, output: 1, estimated: true } }
  expect(read({ type: 'system.init', payload: old }, message('user', 40), usage)).toMatchObject({
    window: null,
    counted: null,
    parts: [['messages', 'person', 10]],
  })
})

test('measures tools by their origin', () => {
  const tool = (name: string) => ({ name, description: 'x'.repeat(400), schema: {} })
  const agent = {
    model: { window: 9 },
    system: 'x'.repeat(400),
    instructionTokens: 30,
    tools: ['read', 'grep', 'mcp__a__b', 'late'].map(tool),
  }
  const entries = [
    { name: 'read', origin: 'native' },
    { name: 'grep', origin: 'native' },
    { name: 'mcp__a__b', origin: 'mcp a' },
  ]
  const { tools, ...rest } = measureContext(agent, entries)
  expect(rest).toEqual({ window: 9, system: 70, instructions: 30 })
  expect(Object.keys(tools)).toEqual(['native', 'mcp a', 'other'])
  expect(tools.native).toBeGreaterThan(2 * (tools['mcp a'] as number) - 10)
})
