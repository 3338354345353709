// Checks that calls only come out when their arguments are what the model wrote.
import { expect, test } from 'vitest'
import { type CallDraft, checkReplySize, finalizeCalls } from '../../../internal/model/tool-calls.ts'

const mint = (i: number) => `minted${i}`
const draft = (raw: string, id = 'a', name = 'read'): CallDraft => ({ id, name, raw })

test('parses valid arguments', () => {
  expect(finalizeCalls([draft('{"path":"x"}')], false, mint)).toEqual([
    { id: 'a', name: 'read', args: { path: 'x' } },
  ])
})

test('missing arguments are read as an empty object', () => {
  expect(finalizeCalls([draft(''), draft('  ', 'b')], false, mint).map((call) => call.args)).toEqual([{}, {}])
})

test('broken arguments have their text and position, but no value', () => {
  const [call] = finalizeCalls([draft('{"path": "x",}')], false, mint)
  expect(call).toMatchObject({ args: undefined, malformed: { raw: '{"path": "x",}', position: 13 } })
})

test('at the output limit the last call is accepted only if it is complete', () => {
  const calls = finalizeCalls([draft('{"a":1'), draft('{"b":2', 'b')], true, mint)
  expect(calls[0]?.malformed?.error).not.toMatch(/output limit/)
  expect(calls[1]?.malformed).toMatchObject({ error: expect.stringMatching(/output limit/), position: 6 })
  expect(finalizeCalls([draft('')], true, mint)[0]?.malformed?.error).toMatch(/output limit/)
  expect(finalizeCalls([draft('{}')], true, mint)[0]).toEqual({ id: 'a', name: 'read', args: {} })
})

test('two different calls with the same id get two ids, and equal calls are one', () => {
  const ids = (...drafts: CallDraft[]) =>
    finalizeCalls(drafts, false, mint).map((call) => [call.id, call.name, call.args])
  expect(ids(draft('{}'), draft('{}', 'a', 'grep'))).toEqual([
    ['a', 'read', {}],
    ['minted1', 'grep', {}],
  ])
  expect(ids(draft('{"n":1}'), draft('{"n":2}'), draft('{ "n": 1 }'), draft('{"n":2}'))).toEqual([
    ['a', 'read', { n: 1 }],
    ['minted1', 'read', { n: 2 }],
  ])
  expect(ids(draft('', 'a', 'todo_read'), draft('{}', 'a', 'todo_read'))).toEqual([['a', 'todo_read', {}]])
})

test('rejects values that cannot be stored or sent: half a surrogate pair, too deep nesting, a late value', () => {
  const errors = (one: CallDraft) => finalizeCalls([one], false, mint)[0]?.malformed?.error
  expect(errors(draft('{"path":"\\ud800"}'))).toMatch(/half of a surrogate pair/)
  expect(errors(draft('{"\\udc00":1}'))).toMatch(/half of a surrogate pair/)
  expect(errors(draft('{"path":"\\ud83d\\ude00"}'))).toBeUndefined()
  expect(errors(draft(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`))).toMatch(/nested too deeply/)
  expect(errors(draft(`{"a":"${'['.repeat(5000)}"}`))).toBeUndefined()
  expect(errors({ ...draft('{}'), isLate: true })).toMatch(/after the provider had ended/)
})

test('does not return an id that is too long', () => {
  expect(finalizeCalls([draft('{}', 'i'.repeat(10_000))], false, mint)[0]?.id).toBe('minted0')
})

test('a response above the limits fails', () => {
  expect(() => checkReplySize(1e9, 0)).toThrow(/characters/)
  expect(() => checkReplySize(0, 5000)).toThrow(/calls/)
  checkReplySize(1e6, 100)
})

test('creates a missing id', () => {
  expect(finalizeCalls([draft('{}', ''), draft('{}', '')], false, mint).map((call) => call.id)).toEqual([
    'minted0',
    'minted1',
  ])
})
