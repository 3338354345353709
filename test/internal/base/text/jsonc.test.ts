// Error messages for every kind of syntax error, with line and column.
import { type ParseError, type ParseErrorCode, parse, printParseErrorCode } from 'jsonc-parser'
import { expect, test } from 'vitest'
import { describeJsonErrors, parseJsonc } from '../../../../internal/base/text/jsonc.ts'

const errorsIn = (text: string) => {
  const errors: ParseError[] = []
  parse(text, errors, { allowTrailingComma: true })
  return describeJsonErrors(text, errors)
}

test.each([
  ['{"a": 1 "b": 2}', '1:9 a comma is missing'],
  ['{"a" 1}', '1:6 a colon is missing'],
  ['{"a": }', '1:7 a value is missing'],
  ['{\n  "a": 1', '2:9 a closing } is missing'],
  ['["a"', '1:5 a closing ] is missing'],
  ['{} {}', '1:4 nothing may follow the closing bracket'],
  ['{"a": foo}', '1:7 foo is not in double quotes'],
  ['{model: "x"}', '1:2 model is not in double quotes'],
  ["{'model': 1}", "1:2 'model' is not in double quotes"],
  ['{"a": True}', '1:7 True is written true'],
  ['{"a": "x', '1:7 a text has no closing quote'],
  ['{"a": "x\ny"}', '1:7 a text has no closing quote'],
  ['{"a": 1 /* x', '1:9 a comment has no end'],
  ['{"a": "\\q"}', '1:7 this character may not follow a backslash'],
  ['{"a": "\\u12"}', '1:7 after \\u four hexadecimal digits are needed'],
  ['{"a": "\u0001"}', '1:7 a text contains a control character; write it as \\n, \\t or \\u00xx'],
])('%j: %s', (text, expected) => {
  const [first] = errorsIn(text)
  expect(`${first?.line}:${first?.column} ${first?.what}`).toBe(expected)
})

test('no error message uses the wording of the parser', () => {
  for (let code: ParseErrorCode = 1; code <= 16; code++) {
    const [message] = describeJsonErrors('{a', [{ error: code, offset: 1, length: 1 }])
    expect(message?.what).toMatch(/ /)
    expect(message?.what).not.toContain(printParseErrorCode(code))
  }
})

test('reports one problem for each mistake', () => {
  expect(errorsIn('{a: b, c: d}')).toHaveLength(1)
  expect(errorsIn('{\n a: 1,\n b: 2,\n')).toHaveLength(3)
})

test('a text without errors has no problems', () => expect(errorsIn('{"a": [1, 2,],} // x')).toEqual([]))

test('the error of parseJsonc contains the line', async () => {
  await expect(parseJsonc('{\n "a": 1\n "b": 2\n}')).rejects.toThrow(
    'not valid JSON in line 3: a comma is missing',
  )
  expect(await parseJsonc('{"a": 1, /* b */}')).toEqual({ a: 1 })
})
