// Sums of what requests have used: by every key, over children, forks, studies and databases of old events.
import { expect, test } from 'vitest'
import type { EventDraft } from '../../../internal/event/event.ts'
import { sumUsage, type UsageKey } from '../../../internal/store/usage-totals.ts'
import { leastCost } from '../../support/cost.ts'
import { shelf } from '../../support/store.ts'

const place = shelf()

type Used = Extract<EventDraft, { type: 'usage' }>['payload']

const request = (payload: Used, ...tools: string[]): EventDraft[] => [
  { type: 'usage', payload },
  {
    type: 'message',
    payload: {
      role: 'assistant',
      text: 'x',
      ...(tools.length > 0 && { calls: tools.map((name, i) => ({ id: `c${i}`, name, args: {} })) }),
    },
  },
]

const thread = (title: string, more: { parent?: string; profile?: string; model?: string } = {}) =>
  place.store.threads.create({ workspace: '/w', title, profile: 'craft', model: 'a/one', ...more }).id

const append = (id: string, ...events: EventDraft[]) => place.store.threads.append(id, 'run', events)

const sums = (by: UsageKey, since?: number) =>
  sumUsage(place.db, { by, since }).map(({ key, requests, fresh, cacheRead, cacheWrite, output }) => [
    key,
    requests,
    fresh,
    cacheRead,
    cacheWrite,
    output,
  ])

/** Adds a study with one step, as its journal stores it. */
function addStudy(id: string, usage: object) {
  const { db, clock } = place
  const { rowid } = db.run('INSERT INTO study (id, created) VALUES (?, ?)', id, clock.now)
  const line = (seq: number, kind: string, key: string | null, data: object) =>
    db.run(
      'INSERT INTO study_line (study, seq, ts, kind, key, data) VALUES (?, ?, ?, ?, ?, ?)',
      rowid,
      seq,
      clock.now,
      kind,
      key,
      JSON.stringify(data),
    )
  line(1, 'study', null, { question: 'How?', model: { name: 'a/one' } })
  line(2, 'step', 'step:t1:1', { usage, reply: { calls: [{ name: 'grep' }, { name: 'grep' }] } })
  line(3, 'evidence', 'evidence:1', { usage: { input: 5 } })
}

test('splits input by kind, and reports an unknown price next to a known one', () => {
  const id = thread('t')
  append(
    id,
    ...request({ input: 100, output: 7, cached: 60, cacheWrite: 30, usd: 0.5 }),
    ...request({ input: 10, output: 3, usd: null, estimated: true }),
  )
  expect(sumUsage(place.db, { by: 'model' })).toEqual([
    {
      key: 'a/one',
      title: null,
      requests: 2,
      fresh: 20,
      cacheRead: 60,
      cacheWrite: 30,
      output: 10,
      usd: 0.5,
      unpriced: 1,
      estimated: 1,
    },
  ])
})

test('counts usage for the model that answered, or for the model of the thread in old events', () => {
  append(
    thread('t', { model: 'a/one,b/two' }),
    ...request({ input: 1, output: 0 }),
    ...request({ input: 2, output: 0, model: 'b/two' }),
  )
  expect(sums('model').map(([key, , fresh]) => [key, fresh])).toEqual([
    ['b/two', 2],
    ['a/one,b/two', 1],
  ])
})

test('adds the usage of subagents to the root thread, at any depth and without the root', () => {
  const root = thread('root')
  const child = thread('child', { parent: root, profile: 'finder' })
  const grandchild = thread('grandchild', { parent: child })
  const orphan = thread('orphan', { parent: 'sess_gone' })
  for (const id of [root, child, grandchild, orphan]) append(id, ...request({ input: 10, output: 1 }))
  expect(sums('thread')).toEqual([
    [root, 3, 30, 0, 0, 3],
    [orphan, 1, 10, 0, 0, 1],
  ])
  expect(sumUsage(place.db, { by: 'thread' })[0]?.title).toBe('root')
  expect(sums('profile').map(([key, requests]) => [key, requests])).toEqual([
    ['craft', 3],
    ['finder', 1],
  ])
})

test('counts the events that a fork copies only once', () => {
  const from = thread('t')
  const events = append(from, ...request({ input: 10, output: 1 }))
  place.clock.now += 1000
  const fork = thread('fork', { parent: from })
  place.store.threads.append(
    fork,
    'run',
    events.map(({ id: _, ...event }) => event),
  )
  append(fork, ...request({ input: 5, output: 1 }))
  expect(sums('thread')).toEqual([[from, 2, 15, 0, 0, 2]])
})

test('counts a study as one root with the usage of its workers', () => {
  append(thread('t'), ...request({ input: 10, output: 1 }))
  addStudy('01STUDY', { input: 50, cached: 40, output: 5, usd: 0.25 })
  expect(sums('thread').map(([key, requests, fresh]) => [key, requests, fresh])).toEqual([
    ['01STUDY', 1, 10],
    [expect.stringMatching(/^sess_/), 1, 10],
  ])
  expect(sums('profile').map(([key]) => key)).toEqual(['study', 'craft'])
})

test('divides a request among the calls of its response without a remainder', () => {
  append(
    thread('t'),
    ...request({ input: 90, output: 6, usd: 3 }, 'read', 'read', 'grep'),
    ...request({ input: 9, output: 1, usd: 1 }),
    // failed: no reply followed
    { type: 'usage', payload: { input: 1, output: 0, usd: 0 } },
  )
  addStudy('01STUDY', { input: 10, output: 2, usd: 0 })
  const rows = sumUsage(place.db, { by: 'tool' })
  expect(rows.map(({ key, fresh, usd }) => [key, Math.round(fresh), Math.round(usd)])).toEqual([
    ['read', 60, 2],
    ['grep', 40, 1],
    ['', 10, 1],
  ])
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBeCloseTo(4)
})

test('skips usage before the start time, and sorts days', () => {
  const id = thread('t')
  append(id, ...request({ input: 1, output: 0 }))
  place.clock.now += 86_400_000 * 2
  const since = place.clock.now
  append(id, ...request({ input: 2, output: 0 }))
  addStudy('01STUDY', { input: 4, output: 0 })
  expect(sums('model', since)[0]?.[2]).toBe(6)
  const days = sums('day')
  expect(days.map(([, , fresh]) => fresh)).toEqual([1, 6])
  expect(days[0]?.[0]).toMatch(/^2023-11-1[45]$/)
})

test('10,000 events are summed at once by every key', () => {
  const text = 'x'.repeat(200)
  for (let t = 0; t < 50; t++) {
    const events = Array.from({ length: 50 }, () => [
      ...request({ input: 1000, cached: 900, output: 10, usd: 0.01 }, 'read'),
      { type: 'tool.result', payload: { call: 'c', tool: 'read', ok: true, text } } as EventDraft,
      { type: 'message', payload: { role: 'user', text } } as EventDraft,
    ])
    append(thread(`t${t}`), ...events.flat())
  }
  for (const by of ['day', 'model', 'profile', 'thread', 'tool'] as const) {
    // 10 to 40 ms; a quadratic query takes seconds
    expect(
      leastCost(250, () => sumUsage(place.db, { by })),
      by,
    ).toBeLessThan(250)
  }
})
