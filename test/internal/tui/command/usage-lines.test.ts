// What a thread has taken, by model, agent and tool.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../../internal/event/event.ts'
import type { SessionEvent } from '../../../../internal/session/client.ts'
import { sumUse } from '../../../../internal/tui/command/usage-lines.ts'

const eventsOf = (drafts: readonly EventDraft[]) =>
  drafts.map((draft, i) => ({ ...draft, id: `${i}`, run_id: 'r', seq: i, ts: i, pos: i + 1 }) as SessionEvent)

test('a request counts for the model that was asked, and an unknown price stays unknown', () => {
  const result = (ok: boolean): EventDraft => ({
    type: 'tool.result',
    payload: { call: 'c', tool: 'bash', ok, text: '', ms: 20 },
  })
  const use = sumUse(
    eventsOf([
      { type: 'usage', payload: { input: 5, output: 1, model: 'a/one', usd: 0.5 } },
      { type: 'model.notice', payload: { code: 'next', text: 'another', model: 'b/two' } },
      { type: 'usage', payload: { input: 7, output: 2, usd: null } },
      { type: 'usage', payload: { input: 1, output: 1, usd: 1 } },
      result(true),
      result(false),
    ]),
  )
  expect([...use.models]).toEqual([
    ['a/one', { requests: 1, input: 5, output: 1, usd: 0.5 }],
    ['b/two', { requests: 2, input: 8, output: 3, usd: null }],
  ])
  expect([...use.tools]).toEqual([['bash', { calls: 2, failed: 1, ms: 40 }]])
})
