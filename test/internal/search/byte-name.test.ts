// Names as bytes, and foreign text made visible.
import { expect, test } from 'vitest'
import { bytesOfText, textOfBytes } from '../../../internal/base/text/text-encoding.ts'
import { escapeControls, isPassable, shownName } from '../../../internal/search/byte-name.ts'

test('converts a text to bytes and back without a change', () => {
  for (const text of ['a/b', 'é', '😀/ü', '']) expect(textOfBytes(bytesOfText(text))).toBe(text)
  expect(bytesOfText('é')).toBe('\xc3\xa9')
  expect(isPassable(bytesOfText('é'))).toBe(true)
  expect(isPassable('\xff')).toBe(false)
})

test.each([
  ['a\nb', 'a\\x0ab'],
  ['\x1b[31m', '\\x1b[31m'],
  ['\u009b31m', '\\x9b31m'],
  ['a\u202eb', 'a\\u202eb'],
  ['a\u2028b', 'a\\u2028b'],
  ['tab\tstays', 'tab\tstays'],
  ['plain é 😀', 'plain é 😀'],
])('%j is shown as %s', (text, shown) => {
  expect(escapeControls(text)).toBe(shown)
})

test.each([
  ['a\tb', 'a\\tb'],
  [bytesOfText('é\n'), 'é\\x0a'],
  ['\xff\xfe.txt', '\\xff\\xfe.txt'],
  [`${bytesOfText('é')}\xc3`, 'é\\xc3'],
  [`${bytesOfText('\ufffd')}\xff`, '\ufffd\\xff'],
  ['\xe2\x82', '\\xe2\\x82'],
])('the name %j is shown as %s', (name, shown) => {
  expect(shownName(name)).toBe(shown)
})
