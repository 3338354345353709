// Words: quote removal, and what is only known at run time.
import { expect, test } from 'vitest'
import { parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import type { SyntaxNode } from '../../../../../internal/policy/shell/syntax/syntax-tree.ts'
import {
  type ReadWord,
  readWord,
  wordKinds,
} from '../../../../../internal/policy/shell/syntax/word-reader.ts'

/** Returns the first argument of the command `x`. */
async function word(text: string): Promise<ReadWord> {
  const line = `x ${text}`
  const tree = await parseShell(line)
  if (typeof tree === 'string') throw new Error(tree)
  const command = tree.root.namedChildren[0] as SyntaxNode
  const node = command.namedChildren.find((child) => wordKinds.has(child.type)) as SyntaxNode
  const found = readWord(node, line, { home: '/home/ada' })
  return found
}

test.each([
  ['abc', 'abc'],
  ['a\\ b', 'a b'],
  ['\\$x', '$x'],
  ["'a b'", 'a b'],
  ["'a'\\''b'", "a'b"],
  ['"a b"', 'a b'],
  ['"a\\"b\\$c\\`d\\\\e\\f"', 'a"b$c`d\\e\\f'],
  ['"a\\\nb"', 'ab'],
  ['"two\nlines"', 'two\nlines'],
  ['a"b"\'c\'d', 'abcd'],
  ["$'a\\tb\\x41\\102\\u00e4\\''", "a\tbABä'"],
  ['12', '12'],
  ['-5', '-5'],
  ['{}', '{}'],
  ['stash@{1}', 'stash@{1}'],
  ['a{b', 'a{b'],
  ['~', '/home/ada'],
  ['~/a', '/home/ada/a'],
  ['a~b', 'a~b'],
  ["'~/a'", '~/a'],
  ['b$', 'b$'],
  ['"b$"', 'b$'],
  ['a#b', 'a#b'],
  ['ümlaut', 'ümlaut'],
])('%j is %j', async (text, value) => {
  expect(await word(text)).toMatchObject({ text: value, known: true, doubt: undefined })
})

test.each([
  '$x',
  '"$x"',
  'a$x',
  '${x}',
  '$1',
  '$@',
  '$?',
  '$(a)',
  '`a`',
  '<(a)',
  '$((1+2))',
  '{a,b}',
  '{1..3}',
  '~root',
])('%j is only known at run time', async (text) => {
  expect((await word(text)).known).toBe(false)
})

test.each([
  ['$x', false],
  ['${x}', false],
  ['${x:-y}', true],
  ['${!x}', true],
  ['${x@P}', true],
  ['$((1+2))', false],
  ['$((x))', true],
])('expanding %j may run code: %s', async (text, unseen) => {
  expect((await word(text)).unseen).toBe(unseen)
})

test.each([
  ['*', true],
  ['a?', true],
  ['[ab]', true],
  ["'*'", false],
  ['\\*', false],
  ['"a*"', false],
  ['"a"*', true],
])('%j is a glob: %s', async (text, glob) => expect((await word(text)).glob).toBe(glob))

test.each(["$'a\\\\' b'", "$'\\x00'", "$'\\xff'"])('%j is not trusted', async (text) => {
  const found = await word(text)
  expect(found.known && found.doubt === undefined).toBe(false)
})

test('returns the substitutions inside of a word', async () => {
  expect((await word('"a $(b) ${c:-$(d)}"')).inside.map((node) => node.type)).toHaveLength(2)
})
