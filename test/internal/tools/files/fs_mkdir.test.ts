// The tool fs_mkdir: directories are created once, and obstacles are reported.
import { existsSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fsMkdir } from '../../../../internal/tools/files/fs_mkdir.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const make = (args: Record<string, unknown>, dir: string) => call(fsMkdir, args, ctxIn(dir, scratch()))

test('creates a directory with its parents, and a second call changes nothing', async () => {
  const dir = scratch()
  expect(await make({ path: 'a/b/c/' }, dir)).toMatchObject({
    text: 'created a/b/c',
    data: { path: 'a/b/c', action: 'created', created: 3 },
  })
  expect(statSync(join(dir, 'a/b/c')).isDirectory()).toBe(true)
  expect((await make({ path: 'a/b/c', parents: false }, dir)).data).toMatchObject({ action: 'unchanged' })
})

test.each([
  ['a file', { path: 'f' }, 'file_exists'],
  ['below a file', { path: 'f/g' }, 'not_a_directory'],
  ['without a parent', { path: 'x/y', parents: false }, 'not_found'],
  ['outside', { path: '../up' }, 'outside_workspace'],
  ['through a link', { path: 'out/new' }, 'outside_workspace'],
])('rejects %s and creates nothing', async (_, args, code) => {
  const dir = scratchWith({ f: 'x' })
  const other = scratch()
  symlinkSync(other, join(dir, 'out'))
  expect((await make(args, dir)).failed?.code).toBe(code)
  expect(existsSync(join(dir, 'x')) || existsSync(join(other, 'new'))).toBe(false)
})
