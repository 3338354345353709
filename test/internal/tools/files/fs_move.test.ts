// The tool fs_move: names, directories, links, obstacles, and the decision on a move.
import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCatalog } from '../../../../internal/tool/catalog.ts'
import type { Ctx } from '../../../../internal/tool/ctx.ts'
import { toToolDescription } from '../../../../internal/tool/describe.ts'
import { invoke } from '../../../../internal/tool/invoke.ts'
import type { Tool } from '../../../../internal/tool/tool.ts'
import { fsMove } from '../../../../internal/tools/files/fs_move.ts'
import { ctxIn } from '../../../support/ctx.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

const tool = fsMove as unknown as Tool
const catalog = createCatalog([
  { ...toToolDescription(tool, 'native'), load: async () => tool, hidden: undefined },
])
const policyIn = (dir: string, over: Partial<Ctx['policy']> = {}): Partial<Ctx> => ({
  policy: {
    mode: 'edits',
    rules: [],
    profile: 'test',
    agent: 'thread',
    readOnly: false,
    roots: { workspace: dir, added: [], protected: [join(dir, 'kept')] },
    parents: [],
    ...over,
  },
})
const move = (args: Record<string, unknown>, dir: string, over: Partial<Ctx['policy']> = {}) =>
  invoke(catalog, ctxIn(dir, scratch(), policyIn(dir, over)), { name: 'fs_move', args })
const files = { 'a/one.ts': '1', 'a/two.ts': '2', 'b/one.ts': 'old', 'f.txt': 'f', 'g.txt': 'g' }

test.each([
  ['f.txt', 'new/deep/f.md', { 'new/deep/f.md': 'f', 'f.txt': undefined }],
  ['a', 'c/a', { 'c/a/one.ts': '1', 'c/a/two.ts': '2', 'a/one.ts': undefined }],
  ['a/', 'd', { 'd/two.ts': '2' }],
])('moves %s to %s', async (source, destination, expected) => {
  const dir = scratchWith(files)
  const { text, failed } = await move({ source, destination }, dir)
  expect(failed).toBeUndefined()
  expect(text).toBe(`moved ${source.replace('/', '')} to ${destination}`)
  const there = harvest(dir)
  for (const [path, content] of Object.entries(expected)) expect(there[path], path).toBe(content)
})

test('replaces a file by a file and a folder as a whole, on demand', async () => {
  const dir = scratchWith(files)
  expect((await move({ source: 'f.txt', destination: 'g.txt', overwrite: true }, dir)).data).toMatchObject({
    replaced: true,
  })
  await move({ source: 'a', destination: 'b', overwrite: true }, dir)
  expect(harvest(dir)).toEqual({ 'b/one.ts': '1', 'b/two.ts': '2', 'g.txt': 'f' })
})

test('moves a link itself, never its goal', async () => {
  const dir = scratchWith(files)
  symlinkSync('f.txt', join(dir, 'link'))
  expect((await move({ source: 'link', destination: 'a/link' }, dir)).failed).toBeUndefined()
  expect(readlinkSync(join(dir, 'a/link'))).toBe('f.txt')
  expect(readFileSync(join(dir, 'f.txt'), 'utf8')).toBe('f')
})

test.each([
  ['what is there already', { source: 'f.txt', destination: 'g.txt' }, 'file_exists'],
  ['what is not there', { source: 'gone', destination: 'x' }, 'not_found'],
  ['a folder into itself', { source: 'a', destination: 'a/b/c' }, 'bad_args'],
  ['a name onto itself', { source: 'f.txt', destination: './f.txt', overwrite: true }, 'bad_args'],
  ['a folder over the one it lies in', { source: 'a/one.ts', destination: 'a', overwrite: true }, 'bad_args'],
  ['the workspace', { source: '.', destination: 'x' }, 'protected_path'],
  ['a file over a folder', { source: 'f.txt', destination: 'b', overwrite: true }, 'is_directory'],
  ['a folder over a file', { source: 'a', destination: 'f.txt', overwrite: true }, 'not_a_directory'],
  ['below a file', { source: 'a', destination: 'f.txt/x' }, 'not_a_directory'],
  ['to outside', { source: 'f.txt', destination: '../f.txt' }, 'outside_workspace'],
  ['from outside', { source: '/etc/passwd', destination: 'x' }, 'outside_workspace'],
  ['through a link', { source: 'f.txt', destination: 'out/f.txt' }, 'outside_workspace'],
  ['into a protected folder', { source: 'f.txt', destination: 'a/../kept/f.txt' }, 'protected_path'],
  ['a protected folder', { source: 'kept', destination: 'free' }, 'protected_path'],
])('rejects %s and leaves both unchanged', async (_, args, code) => {
  const dir = scratchWith({ ...files, 'kept/k': 'k' })
  symlinkSync(scratch(), join(dir, 'out'))
  const before = JSON.stringify(lstatSync(join(dir, 'out')).ino)
  expect((await move(args, dir)).failed?.code).toBe(code)
  expect(JSON.stringify(lstatSync(join(dir, 'out')).ino)).toBe(before)
  expect(harvest(join(dir, 'a'))).toEqual({ 'one.ts': '1', 'two.ts': '2' })
  expect(harvest(join(dir, 'b'))).toEqual({ 'one.ts': 'old' })
})

test('allows a name that only begins like a protected name', async () => {
  const dir = scratchWith({ ...files, 'kept/k': 'k' })
  expect((await move({ source: 'f.txt', destination: 'kept-not/f.txt' }, dir)).failed).toBeUndefined()
})

test('checks every file of a directory by name and rule, as if it were moved alone', async () => {
  const dir = scratchWith({ 'a/b/.env': 'KEY=1', 'c/secret/x': 'x' })
  expect((await move({ source: 'a', destination: 'free' }, dir)).failed?.code).toBe('sensitive_path')
  const rules = [{ action: 'deny' as const, tool: '*', path: 'c/secret/**' }]
  expect((await move({ source: 'c', destination: 'free' }, dir, { rules })).failed?.code).toBe('denied')
  expect((await move({ source: 'c', destination: 'free' }, dir)).failed).toBeUndefined()
})

test('rejects a directory with too many files to check', async () => {
  const dir = scratch()
  mkdirSync(join(dir, 'many'))
  for (let i = 0; i < 501; i++) writeFileSync(join(dir, 'many', `k${i}.pem`), '')
  expect((await move({ source: 'many', destination: 'x' }, dir)).failed?.code).toBe('too_large')
})

test('a moved file still counts as read under its new name', async () => {
  const dir = scratchWith(files)
  const ctx = ctxIn(dir, scratch(), policyIn(dir))
  ctx.seen?.set(join(dir, 'a/one.ts'), 'print')
  await invoke(catalog, ctx, { name: 'fs_move', args: { source: 'a', destination: 'z' } })
  expect([...(ctx.seen ?? [])]).toEqual([[join(dir, 'z/one.ts'), 'print']])
})
