// The tool fs_list: order, depth, skipped directories, and rejected calls.
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fsList } from '../../../../internal/tools/files/fs_list.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const tree = () => {
  const dir = scratchWith({
    '.gitignore': 'out/\n',
    '.git/HEAD': 'ref',
    'b.txt': 'four',
    'a/x.ts': 'x',
    'a/deep/y.ts': 'yy',
    'a.md': '',
    'out/made.js': '1',
  })
  symlinkSync('a', join(dir, 'link'))
  return dir
}
const list = async (args: Record<string, unknown>, dir = tree()) => call(fsList, args, ctxIn(dir, scratch()))

test('lists one level in byte order, with sizes, and follows no link', async () => {
  const { text, data } = await list({})
  expect(text).toBe('.git/\n.gitignore  5\na/\na.md  0\nb.txt  4\nlink  link\nout/')
  expect(data).toMatchObject({ path: '.', count: 7, total: 7, truncated: false })
  expect(data).toHaveProperty('entries.4', { path: 'b.txt', type: 'file', size: 4 })
})

test('lists directories to the depth, without .git and ignored files', async () => {
  const { text } = await list({ depth: 5, hidden: false })
  expect(text).toBe('a/\na/deep/\na/deep/y.ts  2\na/x.ts  1\na.md  0\nb.txt  4\nlink  link\nout/')
  expect((await list({ depth: 2, path: 'a' })).text).toBe('a/deep/\na/deep/y.ts  2\na/x.ts  1')
})

test('nests the same entries as a tree', async () => {
  const { text, data } = await list({ depth: 3, tree: true, path: 'a' })
  expect(text).toBe('deep/\n  y.ts  2\nx.ts  1')
  expect(data).toMatchObject({
    name: 'a',
    type: 'directory',
    children: [
      { name: 'deep', path: 'a/deep', children: [{ name: 'y.ts', path: 'a/deep/y.ts', type: 'file' }] },
      { name: 'x.ts', path: 'a/x.ts', size: 1 },
    ],
  })
})

test('skips excluded names, and excluded directories with their contents', async () => {
  const { text } = await list({ depth: 4, exclude: ['*.md', 'a/deep/', '.git*', 'out'] })
  expect(text).toBe('a/\na/x.ts  1\nb.txt  4\nlink  link')
})

test('reports how many entries are above the limit', async () => {
  const { text, data } = await list({ depth: 3, limit: 2 })
  expect(text).toContain('[2 of 10 entries; raise limit')
  expect(data).toMatchObject({ count: 2, total: 10, truncated: true })
})

test('reports that a directory is empty', async () => {
  const dir = scratch()
  mkdirSync(join(dir, 'none'))
  expect((await list({ path: 'none' }, dir)).text).toBe('none has no entries to list')
})

test.each([
  ['a file', { path: 'b.txt' }, 'not_a_directory'],
  ['nothing there', { path: 'gone' }, 'not_found'],
  ['outside', { path: '/etc' }, 'outside_workspace'],
  ['a broken glob', { exclude: ['{a'] }, 'bad_args'],
])('rejects %s', async (_, args, code) => {
  expect((await list(args)).failed?.code).toBe(code)
})
