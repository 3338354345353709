// Checks strict JSON and the position of the first mistake.
import { describe, expect, test } from 'vitest'
import { readJson } from '../../../internal/model/strict-json.ts'

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
