// Ends of runs and remarks.
import { expect, test } from 'vitest'
import { drawNotice, drawRunEnd, formatCost } from '../../../../internal/tui/run-view/run-end.ts'
import { lookOf } from '../../../support/session-view.ts'

const end = { kind: 'end', id: 'e', end: 'done' } as const

test('an end tells time and cost, and of another one than done why', () => {
  expect(drawRunEnd({ ...end, ms: 8_200, usd: 0.041 }, lookOf())).toEqual([' done  8.2 s  $0.04'])
  expect(drawRunEnd({ ...end, usd: null }, lookOf())).toEqual([' done'])
  const failed = { ...end, end: 'failed', reason: 'rate_limited', message: 'wait a while' }
  expect(drawRunEnd(failed, lookOf())).toEqual([' failed: rate limited', ' wait a while'])
})

test.each([
  ['failed', 'auth', '/model'],
  ['failed', 'not_found', '/model'],
  ['failed', 'context_too_long', '/compact'],
  ['failed', 'unreachable', 'continue'],
  ['limit', 'turns', 'continue'],
])('of an end that is %s by %s the last rows are the next step, within the screen', (kind, reason, step) => {
  const rows = drawRunEnd({ ...end, end: kind, reason, message: 'why' }, lookOf(40))
  expect(rows.slice(rows.indexOf(' why') + 1).join(' ')).toContain(step)
  expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(40)
})

test('an end that needs nothing names no next step', () => {
  expect(drawRunEnd({ ...end, end: 'cancelled', reason: 'interrupted' }, lookOf())).toHaveLength(1)
  expect(drawRunEnd({ ...end, reason: 'turns' }, lookOf())).toHaveLength(1)
})

test.each([
  [0, '$0.00'],
  [0.0018, '$0.0018'],
  [0.42, '$0.42'],
])('%s is %s', (usd, text) => {
  expect(formatCost(usd)).toBe(text)
})

test('a remark hangs behind its mark', () => {
  expect(drawNotice({ text: 'one two three', tone: 'warning' }, lookOf(12))).toEqual([
    ' ! one two',
    '   three',
  ])
  expect(drawNotice({ text: 'a', tone: 'plain' }, lookOf())).toEqual([' - a'])
})
