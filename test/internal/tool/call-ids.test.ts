// Call numbers of the program, and the ids of responses next to them.
import { expect, it } from 'vitest'
import {
  callEventFields,
  createCallNumbering,
  modelCallOf,
  newCallIds,
  parseCallNumber,
} from '../../../internal/tool/call-ids.ts'

it('continues the numbers of a thread, separate from its subagents', () => {
  const next = createCallNumbering('call_', 7)
  expect([next(), next(), createCallNumbering('call_a1.')()]).toEqual(['call_8', 'call_9', 'call_a1.1'])
})

it.each([
  ['call_12', 12],
  ['call_0', 0],
  ['call_a1.2', 0],
  ['toolu_3', 0],
  ['call_99999999999999999999', 0],
  ['', 0],
])('reads the number of %s', (id, number) => {
  expect(parseCallNumber(id)).toBe(number)
})

it('gives a call without a thread a unique id', () => {
  const made = Array.from({ length: 1000 }, () => newCallIds({}, 'call_0'))
  expect(new Set(made.map(({ call }) => call)).size).toBe(1000)
  expect(made[0]?.modelCall).toBe('call_0')
})

it('omits the id of a response if it is missing, and finds it in old and new events', () => {
  expect(callEventFields({ call: 'call_1', modelCall: undefined }, 'read')).toEqual({
    call: 'call_1',
    tool: 'read',
  })
  expect(modelCallOf(callEventFields({ call: 'call_1', modelCall: 'x' }, 'read'))).toBe('x')
  expect(modelCallOf({ call: 'old' })).toBe('old')
})
