// The tool create_file: new files with their directories, and what happens where a file is already.
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createFile } from '../../../../internal/tools/files/create_file.ts'
import { read } from '../../../../internal/tools/files/read.ts'
import { call, ctxIn } from '../../../support/ctx.ts'
import { harvest, scratch, scratchWith } from '../../../support/scratch.ts'

describe('create_file', () => {
  it('makes the file and its directories', async () => {
    const dir = scratch()
    const result = await call(createFile, { path: 'a/b/c.txt', content: 'x\ny\n' }, ctxIn(dir, scratch()))
    expect(result.text).toBe('created a/b/c.txt: 2 lines, 4 bytes in all')
    expect(result.data).toEqual({
      path: 'a/b/c.txt',
      action: 'created',
      lines: 2,
      size: 4,
      previous_size: null,
      diffs: [],
    })
    expect(harvest(dir)).toEqual({ 'a/b/c.txt': 'x\ny\n' })
    expect(statSync(join(dir, 'a/b/c.txt')).mode & 0o777).toBe(0o666 & ~process.umask())
  })

  it.each(['', 'no end', 'a\r\nb\r\n', '\uFEFFmark\n', '日本🙂\n', '\x1b[0m'])(
    'writes %j byte for byte',
    async (content) => {
      const dir = scratch()
      await call(createFile, { path: 'f', content }, ctxIn(dir, scratch()))
      expect(readFileSync(join(dir, 'f'), 'utf8')).toBe(content)
    },
  )

  it.each([
    ['overwrite', 'one\nTWO\n', '@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n', 1, 1],
    ['append', 'three\n', '@@ -1,2 +1,3 @@\n one\n two\n+three\n', 1, 0],
  ])('reports the changed lines of %s in the data', async (how, content, hunks, added, removed) => {
    const dir = scratchWith({ f: 'one\ntwo\n' })
    const result = await call(createFile, { path: 'f', content, [how]: true }, ctxIn(dir, scratch()))
    expect(result.data).toMatchObject({ diffs: [{ path: 'f', what: 'changed', hunks, added, removed }] })
  })

  it('does not replace an existing file, and reports its size and age', async () => {
    const dir = scratchWith({ f: 'hello' })
    utimesSync(join(dir, 'f'), 0, Date.now() / 1000 - 3 * 3600)
    const result = await call(createFile, { path: 'f', content: 'x' }, ctxIn(dir, scratch()))
    expect(result.failed?.code).toBe('file_exists')
    expect(result.failed?.message).toBe('f exists already (5 bytes, changed 3 hours ago)')
    expect(harvest(dir)).toEqual({ f: 'hello' })
  })

  it('replaces on demand, keeping the mode and breaking hard links', async () => {
    const dir = scratchWith({ f: 'old\0binary' })
    chmodSync(join(dir, 'f'), 0o750)
    linkSync(join(dir, 'f'), join(dir, 'twin'))
    const result = await call(
      createFile,
      { path: 'f', content: 'new', overwrite: true },
      ctxIn(dir, scratch()),
    )
    expect(result.data).toMatchObject({ action: 'overwritten', size: 3, previous_size: 10 })
    expect(harvest(dir)).toEqual({ 'f x': 'new', 'twin x': 'old\0binary' })
    expect(statSync(join(dir, 'f')).mode & 0o777).toBe(0o750)
  })

  it('adds to the end on demand', async () => {
    const dir = scratchWith({ f: '\uFEFFone\r\n' })
    const ctx = ctxIn(dir, scratch())
    expect((await call(createFile, { path: 'f', content: 'two\n', append: true }, ctx)).data).toMatchObject({
      action: 'appended',
    })
    expect((await call(createFile, { path: 'g', content: 'new', append: true }, ctx)).data).toMatchObject({
      action: 'created',
    })
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('\uFEFFone\r\ntwo\n')
    expect(readFileSync(join(dir, 'g'), 'utf8')).toBe('new')
  })

  it('writes nothing if the content is the same', async () => {
    const dir = scratchWith({ f: 'same' })
    const before = statSync(join(dir, 'f')).ino
    const result = await call(
      createFile,
      { path: 'f', content: 'same', overwrite: true },
      ctxIn(dir, scratch()),
    )
    expect(result.data).toMatchObject({ action: 'unchanged' })
    expect(statSync(join(dir, 'f')).ino).toBe(before)
  })

  it('does not overwrite a file that changed after it was read', async () => {
    const dir = scratchWith({ f: 'one\n' })
    const ctx = ctxIn(dir, scratch())
    await call(read, { path: 'f' }, ctx)
    writeFileSync(join(dir, 'f'), 'by hand\n')
    expect((await call(createFile, { path: 'f', content: 'x', overwrite: true }, ctx)).failed?.code).toBe(
      'stale_read',
    )
    expect(harvest(dir)).toEqual({ f: 'by hand\n' })
  })

  it('follows links only inside of the workspace', async () => {
    const dir = scratchWith({ 'real/f': 'x' })
    const other = scratch()
    symlinkSync('real', join(dir, 'link'))
    symlinkSync(other, join(dir, 'out'))
    symlinkSync(join(other, 'new'), join(dir, 'dangling'))
    const ctx = ctxIn(dir, scratch())
    expect((await call(createFile, { path: 'link/g', content: 'y' }, ctx)).data).toMatchObject({
      path: 'real/g',
    })
    for (const path of ['out/g', 'dangling', '/etc/anode-test']) {
      expect((await call(createFile, { path, content: 'y' }, ctx)).failed?.code).toBe('outside_workspace')
    }
    expect(readdirSync(other)).toEqual([])
    expect(existsSync('/etc/anode-test')).toBe(false)
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['a directory', { path: 'sub', content: 'x', overwrite: true }, 'is_directory'],
    ['a directory by its slash', { path: 'sub/', content: 'x' }, 'bad_args'],
    ['below a file', { path: 'f/g', content: 'x' }, 'not_a_directory'],
    ['a NUL character', { path: 'g', content: 'a\0b' }, 'binary_or_encoding'],
    ['half a surrogate pair', { path: 'g', content: '\ud83d' }, 'binary_or_encoding'],
    ['overwrite and append', { path: 'g', content: 'x', overwrite: true, append: true }, 'bad_args'],
    ['text to a binary file', { path: 'binary', content: 'x', append: true }, 'binary_or_encoding'],
    ['a name that is too long', { path: 'n'.repeat(300), content: 'x' }, 'bad_args'],
    ['a protected directory', { path: 'keep/g', content: 'x' }, 'protected_path'],
  ])('rejects %s', async (_, args, code) => {
    const dir = scratchWith({ f: 'x', 'sub/h': 'y', binary: 'a\0b', 'keep/k': 'z' })
    const ctx = ctxIn(dir, scratch())
    const roots = { ...ctx.policy.roots, protected: [join(dir, 'keep')] }
    const before = harvest(dir)
    const result = await call(createFile, args, { ...ctx, policy: { ...ctx.policy, roots } })
    expect(result.failed?.code).toBe(code)
    expect(harvest(dir)).toEqual(before)
  })
})

it('creates no directories if an adapter forbids it', async () => {
  const dir = scratch()
  const ctx = ctxIn(dir, scratch())
  const result = await call(createFile, { path: 'a/f', content: 'x', parents: false }, ctx, 'adapter')
  expect(result.failed?.code).toBe('not_found')
  expect(harvest(dir)).toEqual({})
  expect(
    (await call(createFile, { path: 'f', content: 'x', parents: false }, ctx, 'adapter')).failed,
  ).toBeUndefined()
})
