// Folding a thread's events gives the conversation that the run itself had.
import { describe, expect, it } from 'vitest'
import { appendReply, appendUserMessage } from '../../../internal/agent/messages.ts'
import { openCalls, replayEvent } from '../../../internal/agent/replay.ts'
import type { EventDraft } from '../../../internal/event/event.ts'
import type { ModelMessage } from '../../../internal/model/model.ts'

function folded(drafts: EventDraft[]) {
  const messages: ModelMessage[] = []
  const answered = new Set<string>()
  for (const draft of drafts) replayEvent(messages, draft, answered)
  return { messages, answered }
}

const result = (call: string, text: string): EventDraft => ({
  type: 'tool.result',
  payload: { call, tool: 'echo', ok: true, text },
})

/** As it is recorded since calls have ids of the program's own. */
const numbered = (call: string, modelCall: string, text: string): EventDraft => ({
  type: 'tool.result',
  payload: { call, model_call: modelCall, tool: 'echo', ok: true, text },
})

describe('fold', () => {
  it('treats an id that an endpoint repeats in each response as another call each time', () => {
    const reply = (): EventDraft[] => [
      ...appendReply([], { text: '', calls: [{ id: 'call_0', name: 'echo', args: {} }], carry: undefined }),
    ]
    const one = [...reply(), numbered('call_1', 'call_0', 'a'), ...reply()]
    expect(openCalls(folded(one).messages, folded(one).answered).map((call) => call.id)).toEqual(['call_0'])
    const both = folded([...one, numbered('call_2', 'call_0', 'b')])
    expect(openCalls(both.messages, both.answered)).toEqual([])
    expect(both.messages.flatMap((one) => (one.role === 'tool' ? [[one.callId, one.content]] : []))).toEqual([
      ['call_0', 'a'],
      ['call_0', 'b'],
    ])
  })

  it('restores messages, calls and answers', () => {
    const messages: ModelMessage[] = []
    const drafts = [
      ...appendUserMessage(messages, { role: 'user', content: 'task' }),
      ...appendReply(messages, {
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
    const drafts = [...appendReply(messages, { text: '', calls, carry: undefined }), result('c1', 'out')]
    const again = folded(drafts)
    expect(openCalls(again.messages, again.answered).map((call) => call.id)).toEqual(['c2'])
  })
})
