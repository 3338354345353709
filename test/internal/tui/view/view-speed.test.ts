// Long conversations: folding and drawing 10,000 events stays fast, and what is finished is laid out once.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import { drawConversation, partConversation } from '../../../../internal/tui/run-view/conversation.ts'
import { costRatio, leastCost } from '../../../support/cost.ts'
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
  const draw = () => {
    const view = foldDrafts(drafts)
    expect(view.blocks).toHaveLength(500)
    const draws = () => drawConversation(partConversation(view.blocks, true), startedAt, look)
    expect(draws().length).toBeGreaterThan(1_000)
    return draws
  }
  expect(leastCost(10_000, draw)).toBeLessThan(10_000)
  expect(costRatio(0.05, draw, draw())).toBeLessThan(0.05)
})
