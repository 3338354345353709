// The tool fs_stat: files, directories, links, and denied paths.
import { chmodSync, mkdirSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fsStat } from '../../../../internal/tools/files/fs_stat.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const tree = () => {
  const dir = scratchWith({ 'a/f.sh': 'hello' })
  chmodSync(join(dir, 'a/f.sh'), 0o750)
  utimesSync(join(dir, 'a/f.sh'), 0, 1_700_000_000)
  symlinkSync('a/f.sh', join(dir, 'inside'))
  symlinkSync('nowhere', join(dir, 'dangling'))
  symlinkSync('/etc/passwd', join(dir, 'outside'))
  return dir
}
const stat = async (path: string, dir = tree()) => call(fsStat, { path }, ctxIn(dir, scratch()))

test('describes a file', async () => {
  const { text, data } = await stat('a/f.sh')
  expect(data).toMatchObject({
    path: 'a/f.sh',
    type: 'file',
    is_file: true,
    is_directory: false,
    size: 5,
    permissions: '0750',
    modified: '2023-11-14T22:13:20.000Z',
    accessed: '1970-01-01T00:00:00.000Z',
  })
  expect(text.split('\n').slice(0, 4)).toEqual(['path: a/f.sh', 'type: file', 'size: 5', 'permissions: 0750'])
})

test('describes directories, also by a slash or a dot', async () => {
  for (const path of ['a', 'a/', '.', 'a/..']) {
    expect((await stat(path)).data, path).toMatchObject({ type: 'directory', is_directory: true })
  }
})

test.each([
  ['inside', 'a/f.sh'],
  ['dangling', 'nowhere'],
])('describes the link %s, not its target', async (path, target) => {
  expect((await stat(path)).data).toMatchObject({ path, type: 'link', is_file: false, target })
})

test.each([
  ['outside', 'outside_workspace'],
  ['/etc/passwd', 'outside_workspace'],
  ['gone', 'not_found'],
  ['a/f.sh/x', 'not_a_directory'],
])('rejects %s', async (path, code) => {
  expect((await stat(path)).failed?.code).toBe(code)
})

test('describes the link itself if its path goes through a linked directory', async () => {
  const dir = tree()
  mkdirSync(join(dir, 'deep'))
  symlinkSync('../a', join(dir, 'deep/to-a'))
  expect((await stat('deep/to-a/f.sh', dir)).data).toMatchObject({ path: 'a/f.sh', type: 'file' })
})
