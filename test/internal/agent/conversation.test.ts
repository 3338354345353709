// Folding a thread's events gives the conversation that the run itself had.
import { describe, expect, it } from 'vitest'
import { budget } from '../../../internal/agent/budget.ts'
import { compact } from '../../../internal/agent/compact.ts'
import { fold, openCalls } from '../../../internal/agent/conversation.ts'
import { keep, say } from '../../../internal/agent/speak.ts'
import type { Draft } from '../../../internal/event/event.ts'
import type { Model, ModelMessage } from '../../../internal/model/model.ts'

/** A window small enough to be filled; anything but a language model is summed up by rule. */
const small: Model = {
  id: 'script:none',
  kind: 'script',
  window: 2_000,
  async *stream() {
    yield { type: 'end', reason: 'stop' }
  },
}

function folded(drafts: Draft[]) {
  const messages: ModelMessage[] = []
  const answered = new Set<string>()
  for (const draft of drafts) fold(messages, draft, answered)
  return { messages, answered }
}

const result = (call: string, text: string): Draft => ({
  type: 'tool.result',
  payload: { call, tool: 'echo', ok: true, text },
})

describe('fold', () => {
  it('gives back what was said, called and answered', () => {
    const messages: ModelMessage[] = []
    const drafts = [
      ...say(messages, { role: 'user', content: 'task' }),
      ...keep(messages, {
        text: 'on it',
        calls: [{ id: 'c1', name: 'echo', args: { a: 1 } }],
        carry: undefined,
      }),
      result('c1', 'out'),
    ]
    const again = folded(drafts)
    expect(again.messages.slice(0, 2)).toEqual(messages)
    expect(again.messages[2]).toMatchObject({ role: 'tool', callId: 'c1', content: 'out', failed: false })
    expect(openCalls(again.messages, again.answered)).toEqual([])
  })

  it('names the calls that were open', () => {
    const messages: ModelMessage[] = []
    const calls = [
      { id: 'c1', name: 'echo', args: {} },
      { id: 'c2', name: 'echo', args: {} },
    ]
    const drafts = [...keep(messages, { text: '', calls, carry: undefined }), result('c1', 'out')]
    const again = folded(drafts)
    expect(openCalls(again.messages, again.answered).map((call) => call.id)).toEqual(['c2'])
  })
})

describe('compact', () => {
  const long = () => {
    const messages: ModelMessage[] = []
    const drafts: Draft[] = [...say(messages, { role: 'user', content: 'the task' })]
    for (let i = 0; i < 12; i++) {
      const call = { id: `c${i}`, name: 'echo', args: { i } }
      drafts.push(
        ...keep(messages, { text: `turn ${i}`, calls: [call], carry: undefined }),
        result(call.id, 'x'.repeat(700)),
      )
      messages.push({ role: 'tool', callId: call.id, name: 'echo', content: 'x'.repeat(700), failed: false })
    }
    return { messages, drafts }
  }
  const setup = {
    model: small,
    signal: new AbortController().signal,
    overhead: 0,
    thread: 'sess_1',
    budget: budget({}),
  }

  it('leaves a short conversation alone', async () => {
    const messages: ModelMessage[] = [{ role: 'user', content: 'task' }]
    expect((await compact(setup, messages, false).next()).value).toBe(false)
  })

  it('keeps the task and the last turns whole, and a resumed thread has the same conversation', async () => {
    const { messages, drafts } = long()
    const steps = compact(setup, messages, false)
    for (let step = await steps.next(); !step.done; step = await steps.next()) drafts.push(step.value)
    expect(messages[0]).toMatchObject({ content: 'the task' })
    expect(messages[1]?.content).toContain('read_thread')
    expect(messages[2]?.role).toBe('assistant')
    expect(messages.at(-1)).toMatchObject({ role: 'tool', callId: 'c11' })
    expect(messages.length).toBeLessThan(14)
    expect(folded(drafts).messages).toEqual(messages)
  })
})
