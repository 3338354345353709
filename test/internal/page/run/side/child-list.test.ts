// Agents of a run from its events.
import { expect, it } from 'vitest'
import { foldChild, type ShownChild } from '../../../../../internal/page/run/side/child-list.ts'
import type { SessionEvent } from '../../../../../internal/session/client.ts'

const event = (type: string, payload: object) => ({ type, ts: 5, payload }) as unknown as SessionEvent
const fold = (events: readonly SessionEvent[]) =>
  events.reduce<readonly ShownChild[]>((children, one) => foldChild(children, one), [])
const started = (thread: string) => event('child.started', { thread, title: `T ${thread}` })
const end = { end: 'partial', reason: 'turns', thread: 'a', turns: 2, calls: 1, tokens: 30, usd: 0.5, ms: 9 }

it('lists each agent with its end', () => {
  const ended = event('child.ended', { thread: 'a', end })
  expect(fold([started('a'), started('b'), ended])).toEqual([
    {
      ...{ thread: 'a', title: 'T a', profile: '', since: 5 },
      ended: { end: 'partial: no turns left', turns: 2, tokens: 30, usd: 0.5 },
    },
    { thread: 'b', title: 'T b', profile: '', since: 5 },
  ])
})

it('ends open agents with their run, and lists an agent with two start events once', () => {
  const [one, ...rest] = fold([started('a'), started('a'), event('run.ended', {})])
  expect(one?.ended?.end).toBe('interrupted')
  expect(rest).toEqual([])
  const list = fold([started('a')])
  expect(foldChild(list, event('usage', {}))).toBe(list)
})
