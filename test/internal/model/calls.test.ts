// Checks that calls only come out when their arguments are what the model wrote.
import { expect, test } from 'vitest'
import { type Draft, settle } from '../../../internal/model/calls.ts'

const mint = (i: number) => `minted${i}`
const draft = (raw: string, id = 'a', name = 'read'): Draft => ({ id, name, raw })

test('sound arguments are parsed', () => {
  expect(settle([draft('{"path":"x"}')], false, mint)).toEqual([
    { id: 'a', name: 'read', args: { path: 'x' } },
  ])
})

test('no arguments at all mean an empty object', () => {
  expect(settle([draft(''), draft('  ', 'b')], false, mint).map((call) => call.args)).toEqual([{}, {}])
})

test('broken arguments keep their text and position and have no value', () => {
  const [call] = settle([draft('{"path": "x",}')], false, mint)
  expect(call).toMatchObject({ args: undefined, malformed: { raw: '{"path": "x",}', position: 13 } })
})

test('at the output limit the last call counts only when it is whole', () => {
  const calls = settle([draft('{"a":1'), draft('{"b":2', 'b')], true, mint)
  expect(calls[0]?.malformed?.error).not.toMatch(/output limit/)
  expect(calls[1]?.malformed).toMatchObject({ error: expect.stringMatching(/output limit/), position: 6 })
  expect(settle([draft('')], true, mint)[0]?.malformed?.error).toMatch(/output limit/)
  expect(settle([draft('{}')], true, mint)[0]).toEqual({ id: 'a', name: 'read', args: {} })
})

test('of two calls with one id the second cannot run and gets an id of its own', () => {
  const calls = settle([draft('{}'), draft('{}', 'a', 'grep')], false, mint)
  expect(calls.map((call) => call.id)).toEqual(['a', 'minted1'])
  expect(calls[1]).toMatchObject({
    name: 'grep',
    args: undefined,
    malformed: { error: expect.stringContaining('id a') },
  })
})

test('a missing id is made up', () => {
  expect(settle([draft('{}', ''), draft('{}', '')], false, mint).map((call) => call.id)).toEqual([
    'minted0',
    'minted1',
  ])
})
