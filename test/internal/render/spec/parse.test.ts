// Where JSON or UTF-8 stops being valid.
import { expect, test } from 'vitest'
import { faultOf, parseBytes, parseText } from '../../../../internal/render/spec/parse.ts'
import { below, pick, random } from '../random.ts'

const bad: [string, string][] = [
  ['', 'it is empty; a spec is a JSON object with root and elements'],
  [' \n', 'it is empty; a spec is a JSON object with root and elements'],
  ['{', 'line 1, column 2: it ends too early'],
  ['{"a":1,}', 'line 1, column 8: unexpected "}"'],
  ['{"a":1\n "b":2}', 'line 2, column 2: unexpected "\\""'],
  ['[1,\n2,\n,3]', 'line 3, column 1: unexpected ","'],
  ['{a:1}', 'line 1, column 2: unexpected "a"'],
  ["{'a':1}", 'line 1, column 2: unexpected "\'"'],
  ['{"a" 1}', 'line 1, column 6: unexpected "1"'],
  ['[1}', 'line 1, column 3: unexpected "}"'],
  ['01', 'line 1, column 2: unexpected "1"'],
  ['[1,]', 'line 1, column 4: unexpected "]"'],
  ['nul', 'line 1, column 1: unexpected "n"'],
  ['{} {}', 'line 1, column 4: unexpected "{"'],
  ['"a\nb"', 'line 1, column 3: unexpected "\\n"'],
  ['"\\x"', 'line 1, column 2: unexpected "\\\\"'],
  ['"\\u12g4"', 'line 1, column 2: unexpected "\\\\"'],
  ['"abc', 'line 1, column 5: it ends too early'],
  ['NaN', 'line 1, column 1: unexpected "N"'],
  ['{"a":1} // no', 'line 1, column 9: unexpected "/"'],
]

test.each(bad)('rejects the JSON %j', (text, message) => {
  expect(parseText(text)).toEqual({ ok: false, issue: { code: 'bad_json', path: '', message } })
})

test('accepts a byte order mark and duplicate keys', () => {
  expect(parseText('\ufeff{"a":1,"a":2}')).toEqual({ ok: true, spec: { a: 2 } })
  expect(parseBytes(new TextEncoder().encode('\ufeff[1]'))).toEqual({ ok: true, spec: [1] })
})

test('rejects a million brackets', () => {
  expect(faultOf('['.repeat(1_000_000))).toBe(1_000_000)
  expect(parseText('['.repeat(1_000_000)).ok).toBe(false)
})

test('of 2,000 damaged texts, rejects exactly those that JSON.parse rejects', () => {
  const rng = random(14)
  const whole = JSON.stringify({ a: [1, -2.5e3, true, null, 'x"\\\u0001é'], b: { c: {}, d: [] } })
  for (let i = 0; i < 2000; i++) {
    const at = below(rng, whole.length)
    const text =
      whole.slice(0, at) +
      pick(rng, ['', '"', ',', '}', '1', '\\', ' ', ':', '[']) +
      whole.slice(at + below(rng, 3))
    let valid = true
    try {
      JSON.parse(text)
    } catch {
      valid = false
    }
    expect(faultOf(text) === -1, text).toBe(valid)
  }
})

const broken: [string, number[], number][] = [
  ['a lone continuation', [0x22, 0x61, 0x80, 0x22], 2],
  ['a sequence that is not continued', [0x22, 0xc3, 0x28, 0x22], 1],
  ['a sequence cut off at the end', [0x22, 0x61, 0xe6, 0xbc], 2],
  ['an overlong form', [0x22, 0xc0, 0xaf, 0x22], 1],
  ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22], 1],
  ['Latin-1', [0x22, 0xc3, 0xa9, 0xe9, 0x22], 3],
]

test.each(broken)('rejects bytes that are not UTF-8: %s', (_, bytes, offset) => {
  expect(parseBytes(Uint8Array.from(bytes))).toEqual({
    ok: false,
    issue: { code: 'bad_json', path: '', message: `not UTF-8 from byte ${offset} on` },
  })
})
