// Simple commands as read from the tree.
import { expect, test } from 'vitest'
import { parseShell } from '../../../../../internal/policy/shell/syntax/grammar.ts'
import { readTree } from '../../../../../internal/policy/shell/syntax/tree-reader.ts'

async function read(line: string) {
  const tree = await parseShell(line)
  if (typeof tree === 'string') throw new Error(tree)
  const found = readTree(tree, line)
  return found
}

test('reads assignments, words and standard input', async () => {
  const { commands, doubt } = await read('A=1 B="x y" cmd a; C=2; cat <<< "in"; echo a b | sh')
  expect(doubt).toBeUndefined()
  expect(commands[0]?.sets.map(({ name, value }) => `${name}=${value.text}`)).toEqual(['A=1', 'B=x y'])
  expect(commands[1]).toMatchObject({ words: [], sets: [{ name: 'C' }] })
  expect(commands[2]?.stdin).toBe('in')
  expect(commands[4]?.stdin).toBe('a b')
})

test('redirections after a list belong to its last command', async () => {
  const { commands, doubt } = await read('a && b > x c')
  expect(doubt).toBeUndefined()
  expect(commands.map((one) => [one.words.map((word) => word.text), one.writes.length])).toEqual([
    [['a'], 0],
    [['b', 'c'], 1],
  ])
})

test.each([
  ['f() { a; }', 'it defines a function f'],
  ['((x))', 'it evaluates arithmetic'],
  ['[[ a ]]', 'it evaluates an expression'],
  ['for i in $x; do a; done', 'a value is only known at run time'],
  ['A=$x a', 'A gets a value that is only known at run time'],
  ['a <<E\n$x\nE', 'a here-document is only known at run time'],
])('%j is odd: %s', async (line, odd) => {
  expect((await read(line)).commands.map((one) => one.odd)).toContain(odd)
})

test.each([
  ['select i in a; do b; done', 'select'],
  ['A=(b c)', 'the assignment A=(b c)'],
  ['A[1]=b', 'the assignment A[1]=b'],
  ['time { a; }', '{'],
  ['time ! a', '!'],
  ['a ;; b', ';;'],
  ['{ a; } > x b', 'words behind a redirection'],
])('%j is doubted: %s', async (line, doubt) => expect((await read(line)).doubt).toBe(doubt))

test('deep and long lists need no deep stack', async () => {
  const { commands } = await read(Array.from({ length: 300 }, (_, i) => `c${i}`).join(' && '))
  expect(commands).toHaveLength(300)
  expect(commands[299]?.words[0]?.text).toBe('c299')
})
