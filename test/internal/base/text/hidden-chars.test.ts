// Hidden characters are written out one by one; emoji, variants and joiners that belong to a script survive.
import { expect, test } from 'vitest'
import { readBackHidden, writeOutHidden } from '../../../../internal/base/text/hidden-chars.ts'

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
/** All that a font may leave out, apart from the control characters of the list. */
const ignorable = range(0x80, 0xe0fff).filter((code) =>
  /\p{Default_Ignorable_Code_Point}/u.test(String.fromCodePoint(code)),
)
const hidden = [
  ...ignorable,
  ...range(0xe0000, 0xe007f),
  ...range(0xe0100, 0xe01ef),
  ...range(0xfe00, 0xfe0f),
  ...range(0x200b, 0x200f),
  ...range(0x202a, 0x202e),
  ...range(0x2060, 0x2069),
  ...range(0x80, 0x9f),
  ...[0x1b, 0x07, 0x7f, 0x061c, 0xfeff],
]

test(`each of ${hidden.length} hidden characters is written out in a word`, () => {
  for (const code of hidden) {
    const given = `run${String.fromCodePoint(code)}tests`
    expect(writeOutHidden(given)).toEqual({ text: `run\\u{${code.toString(16)}}tests`, count: 1 })
  }
})

test('selectors of a script carry no text after its letters', () => {
  expect(writeOutHidden(`\u1820${'\u180b\u180c'.repeat(20)}`).count).toBe(39)
  expect(writeOutHidden(`e\u0301${'\u034f'.repeat(20)}\u0301`).count).toBe(20)
})

test('a text in tags is written out as a whole', () => {
  const tags = [...'delete all'].map((char) => String.fromCodePoint(0xe0000 + char.charCodeAt(0))).join('')
  expect(writeOutHidden(`Be kind.${tags}`).count).toBe(10)
  // after an emoji too, unless it belongs to an emoji sequence
  expect(writeOutHidden(`\u{1f600}${tags}`).count).toBe(10)
  expect(writeOutHidden(`\u{1f600}${'\u{e0101}'.repeat(40)}`).count).toBe(40)
  expect(writeOutHidden(`\u{1f600}${'\ufe00\ufe01\ufe02'.repeat(9)}`).count).toBe(27)
  expect(writeOutHidden('\u{1f600}\u{e0061}\u{e0062}\u{e007f}').count).toBe(3)
})

test.each([
  ...[
    '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ...[
    '\u2764\ufe0f',
    '1\ufe0f\u20e3',
    '\u{1f1e9}\u{1f1ea}',
    '\u{1f44d}\u{1f3fd}',
    '\u{1f9d1}\u{1f3fd}\u200d\u{1f680}',
  ],
  ...['\u845b\u{e0100}', '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645', '\u0915\u094d\u200d\u0937'],
  // a Mongolian word whose first letter has a variant
  ...['\u182a\u180b\u1822', '\u1820\u180e\u1821'],
  ...['\ufefffirst', 'caf\u00e9\n\ttab', '\u65e5\u672c\u8a9e', '\u05e9\u05dc\u05d5\u05dd'],
])('%j survives', (text) => {
  expect(writeOutHidden(text)).toEqual({ text, count: 0 })
})

test('escapes of hidden characters are replaced by the characters', () => {
  for (const code of hidden) {
    const given = `run${String.fromCodePoint(code)}tests`
    expect(readBackHidden(writeOutHidden(given).text)).toBe(given)
  }
  for (const plain of ['\\u{41}', '\\u{1f600}', '\\u{}', '\\u{fffff}', 'C:\\users'])
    expect(readBackHidden(plain)).toBe(plain)
})
