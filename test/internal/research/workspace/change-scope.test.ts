// The border around a candidate: a table of changes and where each of them falls.
import { expect, it } from 'vitest'
import { findOutOfScope, matchesEntry } from '../../../../internal/research/workspace/change-scope.ts'

const file = { mode: '100644', id: 'a' }
const link = { mode: '120000', id: 'b' }
const module = { mode: '160000', id: 'c' }

it.each([
  [['src'], 'src/deep/a.ts', true],
  [['src'], 'src', true],
  [['src'], 'srcs/a.ts', false],
  [['src/*.ts'], 'src/a.ts', true],
  [['src/*.ts'], 'src/deep/a.ts', false],
  [['**/*.ts'], 'src/deep/a.ts', true],
  [['a[1].txt'], 'a[1].txt', true],
  [['{a,b}.txt'], 'b.txt', true],
  [['.hidden'], '.hidden/x', true],
  [[], 'anything', false],
])('%j contains %s: %s', async (entries, path, expected) => {
  expect(await matchesEntry(entries, path)).toBe(expected)
})

interface Case {
  what: string
  change: Parameters<typeof findOutOfScope>[0][number]
  bounds?: Partial<Parameters<typeof findOutOfScope>[1]>
  target?: string
  out: boolean
}

const cases: Case[] = [
  { what: 'a file in scope', change: { path: 'src/a', from: file, to: file }, out: false },
  { what: 'a file beside it', change: { path: 'b', from: undefined, to: file }, out: true },
  {
    what: 'anything without a scope',
    change: { path: 'b', from: undefined, to: file },
    bounds: { scope: [] },
    out: false,
  },
  {
    what: 'a locked file in scope',
    change: { path: 'src/l', from: file, to: file },
    bounds: { locked: ['src/l'] },
    out: true,
  },
  {
    what: 'a new file that a lock means',
    change: { path: 'src/x.lock', from: undefined, to: file },
    bounds: { locked: ['**/*.lock'] },
    out: true,
  },
  {
    what: 'the folder of the session',
    change: { path: '.auto/x', from: undefined, to: file },
    bounds: { scope: [] },
    out: true,
  },
  { what: 'attributes', change: { path: 'src/.gitattributes', from: undefined, to: file }, out: true },
  {
    what: 'attributes named in the scope',
    change: { path: 'src/.gitattributes', from: undefined, to: file },
    bounds: { scope: ['src', 'src/.gitattributes'] },
    out: false,
  },
  {
    what: 'modules',
    change: { path: '.gitmodules', from: file, to: file },
    bounds: { scope: [] },
    out: true,
  },
  { what: 'a submodule', change: { path: 'src/m', from: undefined, to: module }, out: true },
  {
    what: 'a link within the scope',
    change: { path: 'src/l', from: undefined, to: link },
    target: 'a',
    out: false,
  },
  {
    what: 'a link out of the scope',
    change: { path: 'src/l', from: undefined, to: link },
    target: '../b',
    out: true,
  },
  {
    what: 'a link out of the tree',
    change: { path: 'l', from: undefined, to: link },
    bounds: { scope: [] },
    target: '../../etc',
    out: true,
  },
  {
    what: 'an absolute link',
    change: { path: 'l', from: undefined, to: link },
    bounds: { scope: [] },
    target: '/etc/passwd',
    out: true,
  },
  {
    what: 'a link to a locked file',
    change: { path: 'l', from: undefined, to: link },
    bounds: { scope: [], locked: ['bench'] },
    target: 'bench/x',
    out: true,
  },
  {
    what: 'a file in scope of a package',
    change: { path: 'pkg/src/a', from: file, to: undefined },
    bounds: { prefix: 'pkg/' },
    out: false,
  },
  {
    what: 'a file outside of the package',
    change: { path: 'src/a', from: file, to: undefined },
    bounds: { prefix: 'pkg/', scope: [] },
    out: true,
  },
]

it.each(cases)('$what', async ({ change, bounds, target = '', out }) => {
  const found = await findOutOfScope(
    [change],
    { scope: ['src'], locked: [], prefix: '', ...bounds },
    async () => target,
  )
  expect(found).toEqual(out ? [change.path] : [])
})
