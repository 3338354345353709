// Checks that calls only come out when their arguments are what the model wrote.
import { describe, expect, test } from 'vitest'
import {
  type CallDraft,
  checkReplySize,
  finalizeCalls,
  readJson,
} from '../../../internal/model/tool-calls.ts'

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

// Checks strict JSON and the position of the first mistake.

/** Text, position of the first mistake, a word of the message. */
const broken: [string, number, RegExp][] = [
  ['', 0, /a value.*end/],
  ['{', 1, /quoted key.*end/],
  ['{"a"', 4, /":"/],
  ['{"a":', 5, /a value/],
  ['{"a":1', 6, /","/],
  ['{"a":1,}', 7, /quoted key/],
  ["{'a':1}", 1, /quoted key/],
  ['{a:1}', 1, /quoted key/],
  ['[1,2', 4, /"," or "]"/],
  ['[1,]', 3, /a value/],
  ['{"a":01}', 6, /","/],
  ['{"a":.5}', 5, /a value/],
  ['{"a":tru}', 5, /a value/],
  ['{"a":"x', 7, /starts at 5 is not closed/],
  ['{"a":"x\ny"}', 7, /line break/],
  ['{"a":"\\x"}', 6, /not an escape/],
  ['{"a":"\\u12"}', 6, /not an escape/],
  ['{"a":1} trailing', 8, /after the end/],
  ['{"a":1}{"b":2}', 7, /after the end/],
  ['// note\n{}', 0, /a value/],
  ['NaN', 0, /a value/],
  ['{"a":1 "b":2}', 7, /","/],
]

describe('broken JSON', () => {
  test.each(broken)('is rejected with its position: %j', (raw, position, message) => {
    const read = readJson(raw)
    if (read.ok) throw new Error('read as JSON')
    expect(read.malformed).toMatchObject({ raw, position })
    expect(read.malformed.error).toMatch(message)
  })
})

const sound = [
  '{}',
  ' { "a" : [ 1 , -2.5e+3 , true , false , null , "\\u00e9\\n\\"" ] } ',
  '"text"',
  '0',
  '[[[[]]]]',
  '{"path":"src/ä.ts","content":"a\\tb"}',
]

test.each(sound)('accepts %s', (raw) => {
  expect(readJson(raw)).toEqual({ ok: true, value: JSON.parse(raw) })
})

test('rejects every proper prefix of an object at its end', () => {
  const whole = '{"path":"a\\"b","list":[1,-2.5,true,null],"deep":{"x":{}}}'
  for (let cut = 0; cut < whole.length; cut++) {
    const read = readJson(whole.slice(0, cut))
    if (read.ok) throw new Error(`cut at ${cut} was read as JSON`)
    expect(read.malformed.position).toBeLessThanOrEqual(cut)
  }
})

test('rejects endless nesting without a crash', () => {
  const read = readJson('['.repeat(100_000))
  expect(read).toMatchObject({ ok: false, malformed: { error: 'nested too deeply' } })
})
