import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { applyProposedEdits } from '../../../../internal/research/proposers/apply-edits.ts'
import { plant, scratch } from '../../../support/scratch.ts'

it('writes, replaces and removes', () => {
  const dir = scratch()
  plant(dir, { 'a.c': 'int a = 1;\n', 'old.c': 'x' })
  const edits = [
    { file: 'new/b.c', text: 'b' },
    { file: 'a.c', from: '= 1', to: '= $&2' },
    { file: 'old.c', remove: true as const },
  ]
  expect(applyProposedEdits(dir, edits)).toBeUndefined()
  expect(readFileSync(join(dir, 'new/b.c'), 'utf8')).toBe('b')
  expect(readFileSync(join(dir, 'a.c'), 'utf8')).toBe('int a = $&2;\n')
  expect(existsSync(join(dir, 'old.c'))).toBe(false)
})

it.each([
  ['a\nb\nc\n', 'a\nB\nnew\nc\n'],
  ['a\r\nb\r\nc\r\n', 'a\r\nB\r\nnew\r\nc\r\n'],
  ['\uFEFFa\r\nb\r\nc', '\uFEFFa\r\nB\r\nnew\r\nc'],
  ['\uFEFFa\nb\nc', '\uFEFFa\nB\nnew\nc'],
  ['a\rb\rc', 'a\rB\rnew\rc'],
  ['a\nb\n\0', 'a\nB\nnew\n\0'],
  ['%PDF-1.4\na\nb\n', '%PDF-1.4\na\nB\nnew\n'],
])('replaces within %j and keeps line ends and byte order mark', (before, after) => {
  const dir = scratch()
  plant(dir, { 'a.c': before })
  expect(applyProposedEdits(dir, [{ file: 'a.c', from: 'a\nb\n', to: 'a\nB\nnew\n' }])).toBeUndefined()
  expect(readFileSync(join(dir, 'a.c'), 'utf8')).toBe(after)
})

const onDirectory = 'is a directory'
const belowFile = 'is below a path that is not a directory'
const longName = 'n'.repeat(300)

it.each([
  [{ file: '../out', text: 'x' }, 'is outside of the worktree'],
  [{ file: '.', text: 'x' }, 'is outside of the worktree'],
  [{ file: 'link/out', text: 'x' }, 'is outside of the worktree'],
  [{ file: 'dangling', text: 'x' }, 'is outside of the worktree'],
  [{ file: 'none', from: 'a', to: 'b' }, 'is not there'],
  [{ file: 'twice', from: 'a', to: 'b' }, 'the text to replace occurs 2 times'],
  [{ file: 'twice', from: 'c', to: 'b' }, 'the text to replace occurs 0 times'],
  [{ file: 'twice', from: '', to: 'b' }, 'the text to replace is empty'],
  [{ file: 'sub', text: 'x' }, onDirectory],
  [{ file: 'new/', text: 'x' }, onDirectory],
  [{ file: 'sub', from: 'a', to: 'b' }, 'is not a regular file'],
  [{ file: 'sub', remove: true as const }, onDirectory],
  [{ file: 'twice/x', text: 'x' }, belowFile],
  [{ file: 'twice/x/y', text: 'x' }, belowFile],
  [{ file: 'twice/x', from: 'a', to: 'b' }, belowFile],
  [{ file: 'twice/x', remove: true as const }, belowFile],
  [{ file: longName, text: 'x' }, 'has a longer name than the system allows'],
  [{ file: 'a\0b', text: 'x' }, 'is not the name of a file'],
  [{ file: 'binary', from: 'a', to: 'b' }, 'is not UTF-8 text'],
  [{ file: 'large', from: 'a', to: 'b' }, 'has 16777217 bytes, more than 16777216'],
])('says why %j does not fit', (edit, why) => {
  const base = scratch()
  mkdirSync(join(base, 'tree'))
  mkdirSync(join(base, 'beside'))
  plant(join(base, 'tree'), { twice: 'aa', 'sub/a': 'a' })
  writeFileSync(join(base, 'tree/binary'), Buffer.from([0xff]))
  writeFileSync(join(base, 'tree/large'), '')
  truncateSync(join(base, 'tree/large'), (16 << 20) + 1)
  symlinkSync(join(base, 'beside'), join(base, 'tree/link'))
  symlinkSync(join(base, 'beside/new'), join(base, 'tree/dangling'))
  expect(applyProposedEdits(join(base, 'tree'), [edit])).toBe(`${edit.file}: ${why}`)
  expect(existsSync(join(base, 'beside/out'))).toBe(false)
  expect(existsSync(join(base, 'beside/new'))).toBe(false)
  expect(existsSync(join(base, 'out'))).toBe(false)
})

it('throws the problem that every candidate would have', () => {
  expect(() => applyProposedEdits(join(scratch(), 'none'), [{ file: 'a', text: '' }])).toThrow('ENOENT')
})
