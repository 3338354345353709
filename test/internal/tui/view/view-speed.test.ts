// Long conversations: folding and drawing 10,000 events stays fast, and what is finished is laid out once.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { drawConversation, partConversation } from '../../../../internal/tui/run-view/conversation.ts'
import { cartDrafts, foldDrafts, lookOf, startedAt } from '../../../support/session-view.ts'

const answer = `Some words about **it**.\n\n- one\n- two\n\n\`\`\`ts\nconst a = 1\n\`\`\``
const turn = (i: number): EventDraft[] => [
  { type: 'message', payload: { role: 'user', text: `question ${i}` } },
  { type: 'tool.call', payload: { call: `c${i}`, tool: 'bash', args: { command: `make ${i}` } } },
  {
    type: 'tool.result',
    payload: { call: `c${i}`, tool: 'bash', ok: true, text: 'a\nb\nc', ms: 3, data: { exit: 0 } },
  },
  { type: 'message', payload: { role: 'assistant', text: answer } },
]

test('10,000 events are folded and drawn in seconds even on a busy machine, and a frame costs little of that', () => {
  const drafts = [...cartDrafts, ...Array.from({ length: 2_500 }, (_, i) => turn(i)).flat()]
  const look = lookOf()
  const started = performance.now()
  const view = foldDrafts(drafts)
  const first = drawConversation(partConversation(view.blocks, true), startedAt, look)
  const firstMs = performance.now() - started
  expect(view.blocks).toHaveLength(500)
  const frames = Array.from({ length: 30 }, () => {
    const again = performance.now()
    drawConversation(partConversation(view.blocks, true), startedAt, look)
    return performance.now() - again
  })
  expect(first.length).toBeGreaterThan(1_000)
  expect(firstMs).toBeLessThan(10_000)
  // the others may have been interrupted
  expect(Math.min(...frames)).toBeLessThan(firstMs / 20)
})
