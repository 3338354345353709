// Names in headers: quoted, prefixed, with dates, and written back.
import { expect, it } from 'vitest'
import { fromPair, quoteName, readGitLine, readName } from '../../../internal/patch/patch-file-name.ts'
import { refusalOf } from '../../support/refusal.ts'

it.each([
  ['a/x', 'a/x'],
  ['a/with space\t2024-01-01 00:00:00 +0000', 'a/with space'],
  ['/dev/null', undefined],
  ['/dev/null\t1970-01-01', undefined],
  ['"a/q\\"uote\\t\\\\ \\303\\274 🙂"', 'a/q"uote\t\\ ü 🙂'],
  ['"new\\nline"', 'new\nline'],
])('reads %j', (text, name) => {
  expect(readName(text, 1)).toBe(name)
})

it.each(['', '"open', '"bad \\q"', '"half \\30'])('rejects %j', async (text) => {
  expect(await refusalOf(() => readName(text, 7))).toMatchObject({ code: 'bad_patch', detail: { line: 7 } })
})

it.each([
  ['a/x b/x', { name: 'x', prefixed: true }],
  ['x x', { name: 'x', prefixed: false }],
  ['a/b c b/b c', { name: 'b c', prefixed: true }],
  ['a/a b/a b/a b/a', { name: 'a b/a', prefixed: true }],
  ['"a/\\303\\274" "b/\\303\\274"', { name: 'ü', prefixed: true }],
  ['a/x "b/y\\t"', undefined],
  ['a/old b/new', undefined],
])('splits %j', (text, expected) => {
  expect(readGitLine(text, 1)).toEqual(expected)
})

it.each([
  ['a/x', 'b/x', 'x'],
  ['i/x', 'w/x', 'x'],
  ['x', 'x', 'x'],
  ['a/x', 'a/x', 'a/x'],
  ['a/x', 'x', 'x'],
  ['x.orig', 'x', 'x'],
  [undefined, 'b/x', 'x'],
  [undefined, 'src/x', 'src/x'],
  ['a/x', undefined, 'x'],
  ['b/x', undefined, 'b/x'],
])('takes %j and %j for %j', (old, fresh, name) => {
  expect(fromPair(old, fresh)).toBe(name)
})

it.each(['plain', 'with space', 'q"uote', 'tab\tnew\nline', 'back\\slash', '\x01\x7f', 'ü🙂'])(
  'writes %j so that it is read back',
  (name) => {
    expect(readName(quoteName(name), 1)).toBe(name)
  },
)
