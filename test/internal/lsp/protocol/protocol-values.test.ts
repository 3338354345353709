// Values of servers, well formed and not.
import { expect, it } from 'vitest'
import {
  callOf,
  maxValues,
  pathOf,
  pointOf,
  proseOf,
  spotsOf,
  symbolsOf,
  textOf,
} from '../../../../internal/lsp/protocol/protocol-values.ts'

const range = (line: number, character: number) => ({
  start: { line, character },
  end: { line, character: character + 1 },
})
const uri = 'file:///w/a%20b.ts'

it.each([
  ['file:///w/a%20b.ts', '/w/a b.ts'],
  ['file:///w/%40scope/a.ts', '/w/@scope/a.ts'],
  ['untitled:one', 'untitled:one'],
  ['file://host/share', undefined],
  ['file:///a%2Fb', undefined],
  ['file:///a%00b', undefined],
  ['no uri', undefined],
  [`file:///${'x'.repeat(5000)}`, undefined],
  [7, undefined],
])('path of %s', (value, path) => {
  expect(pathOf(value)).toBe(path)
})

it('reads positions in each of their forms and skips the rest', () => {
  const link = { targetUri: uri, targetRange: range(0, 0), targetSelectionRange: range(2, 3) }
  expect(spotsOf({ uri, range: range(1, 2) })).toEqual([{ path: '/w/a b.ts', line: 1, character: 2 }])
  expect(spotsOf([link, { uri, range: range(4, 5) }]).map((spot) => [spot.line, spot.character])).toEqual([
    [2, 3],
    [4, 5],
  ])
  for (const bad of [
    null,
    undefined,
    7,
    'x',
    [null, [], {}, { uri }, { uri, range: { start: { line: -1 } } }],
  ]) {
    expect(spotsOf(bad)).toEqual([])
  }
  expect(
    spotsOf(Array.from({ length: maxValues.items + 5 }, () => ({ uri, range: range(0, 0) }))).length,
  ).toBe(maxValues.items)
})

it('flattens trees of symbols, as deep as they may be', () => {
  const leaf = { name: 'leaf', kind: 12, selectionRange: range(2, 4), range: range(2, 0) }
  const tree = [{ name: 'Top', kind: 5, selectionRange: range(1, 6), children: [leaf, { kind: 3 }, 'x'] }]
  expect(symbolsOf(tree, '/w/a.ts')).toEqual([
    { path: '/w/a.ts', line: 1, character: 6, name: 'Top', kind: 'class', depth: 0 },
    { path: '/w/a.ts', line: 2, character: 4, name: 'leaf', kind: 'function', depth: 1, container: 'Top' },
  ])
  let deep: unknown = leaf
  for (let i = 0; i < 500; i++) deep = { ...leaf, children: [deep] }
  expect(symbolsOf([deep], '/w/a.ts').length).toBe(maxValues.depth + 1)
})

it('reads symbols with a separate position', () => {
  const flat = [
    { name: 'one', kind: 13, location: { uri, range: range(3, 1) }, containerName: 'mod' },
    { name: 'two', kind: 99, location: { uri } },
    { name: 'three', location: { uri: 'x' } },
    { name: 'four' },
  ]
  expect(symbolsOf(flat)).toEqual([
    { path: '/w/a b.ts', line: 3, character: 1, name: 'one', kind: 'variable', depth: 0, container: 'mod' },
    { path: '/w/a b.ts', line: 0, character: 0, name: 'two', kind: 'symbol', depth: 0 },
  ])
})

it('sends items back to the server unchanged', () => {
  const item = {
    name: 'f',
    kind: 12,
    uri,
    range: range(1, 0),
    selectionRange: range(1, 9),
    data: { secret: 1 },
  }
  expect(callOf(item)).toEqual({
    ...{ path: '/w/a b.ts', line: 1, character: 9, name: 'f', kind: 'function', depth: 0 },
    item,
  })
  expect(callOf({ name: 'f' })).toBe(undefined)
})

it.each([
  ['plain', 'plain'],
  [{ kind: 'markdown', value: ' text ' }, 'text'],
  [[{ language: 'ts', value: 'let a' }, 'more', { value: '' }, 7], '```ts\nlet a\n```\n\nmore'],
  [null, ''],
])('prose of %j', (value, text) => {
  expect(proseOf(value, 100)).toBe(text)
})

it('limits the length of texts', () => {
  expect(textOf('x'.repeat(9), 5)).toBe('xxxxx…')
  expect(textOf(5)).toBe(undefined)
  expect(pointOf({ line: 1.5, character: 0 })).toBe(undefined)
})
