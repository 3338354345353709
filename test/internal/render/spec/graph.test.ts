// Every way in which elements can fail to be a tree.
import { expect, test } from 'vitest'
import { checkGraph } from '../../../../internal/render/spec/graph.ts'
import { collectIssues } from '../../../../internal/render/spec/issues.ts'

function check(links: Record<string, string[]>, root = Object.keys(links)[0]) {
  const issues = collectIssues()
  const reached = checkGraph(new Map(Object.entries(links)), root, issues)
  return { reached: [...reached], issues: issues.list() }
}

const brief = (links: Record<string, string[]>) =>
  check(links).issues.map(({ code, path, message }) => `${code} ${path}: ${message}`)

const chain = (length: number, last: string[] = []) =>
  Object.fromEntries(Array.from({ length }, (_, i) => [`n${i}`, i < length - 1 ? [`n${i + 1}`] : last]))

const cases: [string, Record<string, string[]>, string[]][] = [
  ['a tree', { a: ['b', 'c'], b: [], c: ['d'], d: [] }, []],
  ['missing child', { a: ['b'] }, ['missing_child elements.a.children[0]: "b" is not in elements']],
  [
    'child listed twice',
    { a: ['b', 'b'], b: [] },
    ['duplicate_child elements.a.children[1]: "b" is listed twice'],
  ],
  [
    'two parents',
    { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] },
    ['multiple_parents elements.d: is a child of "b" and of "c"'],
  ],
  ['self reference', { a: ['a'] }, ['cycle elements.a.children[0]: a -> a']],
  ['cycle at the root', { a: ['b'], b: ['a'] }, ['cycle elements.a.children[0]: a -> b -> a']],
  [
    'cycle below the root',
    { a: ['x', 'b'], x: [], b: ['c'], c: ['b'] },
    ['cycle elements.b.children[0]: b -> c -> b'],
  ],
  [
    'cycle that nothing leads to',
    { a: [], b: ['c'], c: ['b'] },
    ['cycle elements.b.children[0]: b -> c -> b'],
  ],
  ['64 levels', chain(64), []],
  ['65 levels', chain(65), ['too_deep elements.n64: is below level 64']],
  ['1,000 levels', chain(1000), ['too_deep elements.n64: is below level 64']],
]

test.each(cases)('checks the links of elements: %s', (_, links, expected) => {
  expect(brief(links)).toEqual(expected)
})

test('the message for a cycle of a thousand elements lists all of them', () => {
  const { issues } = check(chain(1000, ['n0']))
  const cycle = issues.find((issue) => issue.code === 'cycle')
  expect(cycle?.message.split(' -> ')).toHaveLength(1001)
})

test('checks a graph that doubles at each level in time', () => {
  const links: Record<string, string[]> = {}
  for (let i = 0; i < 30; i++)
    for (const side of ['a', 'b']) links[side + i] = i < 29 ? [`a${i + 1}`, `b${i + 1}`] : []
  const { issues } = check(links)
  expect(issues.filter((issue) => issue.code === 'multiple_parents')).toHaveLength(58)
})

test('reaches all elements below the root, also in a cycle', () => {
  expect(check({ a: ['b'], b: [], c: ['d'], d: [] }).reached).toEqual(['b', 'a'])
  expect(check({ a: ['b'], b: ['a'] }).reached.sort()).toEqual(['a', 'b'])
})

test('checks all elements even without a root', () => {
  const issues = collectIssues()
  expect(checkGraph(new Map([['a', ['a']]]), undefined, issues).size).toBe(0)
  expect(issues.list().map((issue) => issue.code)).toEqual(['cycle'])
})
