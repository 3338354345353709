// Numbers of lists in other scripts and in words, above forty.
import { expect, test } from 'vitest'
import { writeScriptNumber } from '../../../../internal/document/office/script-numbers.ts'

test.each([
  ['chineseCounting', 10, '十'],
  ['chineseCounting', 11, '十一'],
  ['chineseCounting', 100, '一百'],
  ['chineseCounting', 105, '一百〇五'],
  ['chineseCounting', 110, '一百一十'],
  ['chineseCounting', 1_001, '一千〇一'],
  ['chineseLegalSimplified', 10, '壹拾'],
  ['ordinalText', 12, 'Twelfth'],
  ['ordinalText', 20, 'Twentieth'],
  ['ordinalText', 100, 'One hundredth'],
  ['ordinalText', 121, 'One hundred twenty-first'],
  ['cardinalText', 412, 'Four hundred twelve'],
  ['decimalEnclosedCircle', 20, '⑳'],
  ['decimalEnclosedCircle', 21, '21'],
  ['decimal', 5, undefined],
  ['constructor', 5, undefined],
  ['chineseCounting', 0, undefined],
])('%s %i is %s', (format, n, text) => {
  expect(writeScriptNumber(n, format)).toBe(text)
})
