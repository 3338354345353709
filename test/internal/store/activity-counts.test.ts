// Counts of what was recorded between two readings: forks, removed threads, and what was there before.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../internal/event/event.ts'
import { createActivityReader } from '../../../internal/store/activity-counts.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()

const turn: EventDraft[] = [
  { type: 'usage', payload: { input: 100, output: 7, cached: 60, cacheWrite: 10 } },
  { type: 'message', payload: { role: 'assistant', text: 'x' } },
  {
    type: 'tool.call',
    payload: { call: 'call_1', tool: 'read', args: {}, effect: 'read', scope: [], decision: 'allow' },
  },
  { type: 'tool.result', payload: { call: 'call_1', tool: 'read', ok: true, text: 'y', ms: 250 } },
  { type: 'tool.result', payload: { call: 'call_2', tool: 'read', ok: false, code: 'denied', text: 'z' } },
  { type: 'run.ended', payload: { end: 'done', ms: 2_000 } },
] as EventDraft[]

test('counts each new event once, and does not count the copies in a fork', () => {
  const { threads } = place.store
  const create = () => threads.create({ workspace: '/w', title: 't', profile: 'craft', model: 'a/one' }).id
  const before = create()
  threads.append(before, 'run', turn)
  const read = createActivityReader(place.db)
  expect(read()).toMatchObject({ turns: 0, tokens: { input: 0 }, queued: { mail: 0, study: 0 } })
  const id = create()
  threads.append(id, 'run', turn)
  const counts = read()
  expect(counts).toMatchObject({
    turns: 1,
    tokens: { input: 30, cacheRead: 60, cacheWrite: 10, output: 7 },
    callSeconds: [0.25],
    runSeconds: [2],
  })
  expect([...counts.calls]).toEqual([
    ['ok', 1],
    ['denied', 1],
  ])
  expect([...counts.ends]).toEqual([['done', 1]])
  expect(read().turns).toBe(0)
  // copies at the beginning of a fork are as old as what they were made from
  const copied = threads.events(id).map(({ id: _, ...event }) => ({ ...event, ts: event.ts - 60_000 }))
  threads.append(create(), 'run', copied)
  expect(read().turns).toBe(0)
  // their numbers are given out again
  threads.delete(id)
  read()
  threads.append(create(), 'run', turn)
  expect(read().turns).toBe(1)
})
