// Texts that look alike: named in the error of an exact edit, accepted by a tolerant one.
import { describe, expect, test } from 'vitest'
import { applyEdits } from '../../../internal/patch/text-edits.ts'
import { describeUnseen, foldUnseen, showUnseen } from '../../../internal/patch/unseen-characters.ts'

/** What the file has, what the model writes, and how the difference is named. */
const variants: [string, string, string, RegExp][] = [
  ...['\u00a0', '\u202f', '\u2003', '\u3000', '\u205f', '\u1680'].map(
    (space): [string, string, string, RegExp] => [
      `U+${space.charCodeAt(0).toString(16)}`,
      `const a${space}= 1`,
      'const a = 1',
      new RegExp(`U\\+${space.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
    ],
  ),
  ...['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u200e', '\ufe0f'].map(
    (char): [string, string, string, RegExp] => [
      `U+${char.charCodeAt(0).toString(16)}`,
      `const ab${char}cd = 1`,
      'const abcd = 1',
      new RegExp(`U\\+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`),
    ],
  ),
  ['decomposed in the file', 'name = "cafe\u0301"', 'name = "caf\u00e9"', /U\+00E9/],
  ['composed in the file', 'name = "caf\u00e9"', 'name = "cafe\u0301"', /U\+00E9/],
  ['Hangul', 'x = "\u1112\u1161\u11ab"', 'x = "\ud55c"', /U\+D55C/],
  ['full width', 'call\uff08a\uff0cb\uff09', 'call(a,b)', /U\+FF08/],
  ['half width', 'x = "ｶﾞ"', 'x = "ガ"', /U\+FF76/],
  ['ligature', 'the ﬁrst one', 'the first one', /U\+FB01/],
]
const contexts = ['%', 'one\n%\ntwo\n', '  %;\n', '日本 % 語\n']
const rows = variants.flatMap(([name, found, wanted, names]) =>
  contexts.map((context): [string, string, string, string, RegExp] => [name, context, found, wanted, names]),
)

describe.each(rows)('%s in %j', (_, context, found, wanted, names) => {
  const text = context.replace('%', found)
  const edit = { name: 'old_str', old: context.replace('%', wanted), new: 'fresh', occurrence: 0 }

  test('rejects an exact edit, and the error contains the character', () => {
    expect(() => applyEdits(text, [edit])).toThrow(names)
  })

  test('a tolerant edit replaces it', () => {
    const { text: after, applied } = applyEdits(text, [{ ...edit, old: wanted }], 'tolerant')
    expect(after).toBe(context.replace('%', 'fresh'))
    expect(applied[0]?.match).not.toBe('exact')
  })
})

test('does not describe texts that look different as alike', () => {
  expect(describeUnseen('a b', 'a  b')).toBeUndefined()
  expect(describeUnseen('abc', 'abd')).toBeUndefined()
  expect(describeUnseen('abc', 'abc')).toBeUndefined()
})

test('rejects an edit if two positions look alike', () => {
  const edit = { name: 'old_str', old: 'a b', new: 'x', occurrence: 0 }
  expect(() => applyEdits('a\u200b\u00a0b\na\u3000\u200bb\n', [edit], 'tolerant')).toThrow(/2 times/)
})

test('each folded unit has the position of its original text', () => {
  const text = 'a\u200bｆｕｌｌ\u00a0e\u0301'
  const folded = foldUnseen(text)
  expect(folded.text).toBe('afull \u00e9')
  expect(folded.from).toEqual([0, 2, 3, 4, 5, 6, 7, 9])
  expect(showUnseen('a\u00a0b')).toBe('a\\u{a0}b')
})

test('an edit that quotes a hidden character in its escaped form matches and keeps the character', () => {
  const text = 'one\nrun\u200btests here\n'
  const edit = { name: 'old_str', old: 'run\\u{200b}tests', new: 'ran\\u{200b}tests', occurrence: 0 }
  expect(applyEdits(text, [edit], 'tolerant').text).toBe('one\nran\u200btests here\n')
})
