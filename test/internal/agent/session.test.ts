// One session over a record: notes and responses are declared events, open calls run first, limits apply
// to one run.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { createBudget } from '../../../internal/agent/budget.ts'
import { openAgentSession } from '../../../internal/agent/session.ts'
import { type EventDraft, payloadSchemas } from '../../../internal/event/event.ts'
import type { ModelMessage } from '../../../internal/model/model.ts'
import { createScriptModel } from '../../../internal/model/script-model.ts'
import { createCatalog } from '../../../internal/tool/catalog.ts'
import { toToolDescription } from '../../../internal/tool/describe.ts'
import { defineTool, type ToolInput } from '../../../internal/tool/tool.ts'
import { ctxWith } from '../../support/ctx.ts'
import { scratch } from '../../support/scratch.ts'

const echo = defineTool({
  name: 'echo',
  about: 'Returns its word.',
  level: 'auto_read',
  input: z.object({ word: z.string() }) as ToolInput,
  example: { word: 'a' },
  run: async (args) => ({ text: `echo ${(args as { word: string }).word}`, data: null }),
})
const call = (id: string, word: string) => ({ id, name: 'echo', args: { word } })

function open(replies: object[], messages: ModelMessage[], openReply?: { id: string; word: string }) {
  const file = join(scratch(), 'replies.jsonl')
  writeFileSync(file, replies.map((reply) => JSON.stringify(reply)).join('\n'))
  const drafts: EventDraft[] = []
  const record = {
    append: async (draft: EventDraft) => void drafts.push(draft),
    keep: async () => '',
    flush: () => undefined,
    flushOverdue: () => undefined,
  }
  const calls = openReply ? [call(openReply.id, openReply.word)] : []
  const session = openAgentSession({
    record,
    messages,
    thread: 'sess_1',
    model: createScriptModel(file, dirname(file)),
    catalog: () =>
      createCatalog([{ ...toToolDescription(echo, 'native'), load: async () => echo, hidden: undefined }]),
    tools: () => [],
    ctx: ctxWith({}, { log: record }),
    system: '',
    maxTurns: 5,
    effort: 'medium',
    budget: createBudget({}),
    inbox: async () => [],
    ...(openReply && {
      openReply: { text: '', calls, usage: undefined, end: 'calls', failure: undefined, carry: undefined },
    }),
  })
  return { session, drafts }
}

test('the event union declares every recorded event', async () => {
  const { session, drafts } = open([{ calls: [call('c1', 'hi')] }, { text: 'done' }], [])
  await session.addMessage('a note')
  expect(await session.run()).toMatchObject({ end: 'done', text: 'done' })
  expect(drafts.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['message', 'tool.call', 'tool.result', 'message.delta']),
  )
  expect(drafts[0]).toMatchObject({ payload: { role: 'user', text: 'a note', origin: 'note' } })
  for (const { type, payload } of drafts) {
    z.parse(payloadSchemas[type], payload)
    const declared = Object.keys(payloadSchemas[type].shape)
    expect(declared, type).toEqual(expect.arrayContaining(Object.keys(payload)))
  }
})

test('runs calls that were open before it sends a request', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: '', calls: [call('c9', 'late')] },
  ]
  const { session } = open([{ text: 'read it' }], messages, { id: 'c9', word: 'late' })
  expect(await session.run()).toMatchObject({ end: 'done', text: 'read it' })
  expect(messages[2]).toMatchObject({ role: 'tool', callId: 'c9', content: 'echo late' })
})

test('limits of one run do not apply to the next run', async () => {
  const { session } = open(
    [{ calls: [call('c1', 'a')] }, { text: 'cut short' }, { text: 'whole' }],
    [{ role: 'user', content: 'go' }],
  )
  expect(await session.run({ maxTurns: 1 })).toMatchObject({
    end: 'partial',
    reason: 'turns',
    text: 'cut short',
  })
  expect(session.agent.maxTurns).toBe(5)
  expect(await session.run()).toMatchObject({ end: 'done', text: 'whole' })
})
