import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
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
  [{ file: '../out', text: 'x' }, '../out: is outside of the worktree'],
  [{ file: '.', text: 'x' }, '.: is outside of the worktree'],
  [{ file: 'link/out', text: 'x' }, 'link/out: is outside of the worktree'],
  [{ file: 'dangling', text: 'x' }, 'dangling: is outside of the worktree'],
  [{ file: 'none', from: 'a', to: 'b' }, 'none: is not there'],
  [{ file: 'twice', from: 'a', to: 'b' }, 'twice: the text to replace occurs 2 times'],
  [{ file: 'twice', from: 'c', to: 'b' }, 'twice: the text to replace occurs 0 times'],
])('says why %j does not fit', (edit, why) => {
  const base = scratch()
  mkdirSync(join(base, 'tree'))
  mkdirSync(join(base, 'beside'))
  plant(join(base, 'tree'), { twice: 'aa' })
  symlinkSync(join(base, 'beside'), join(base, 'tree/link'))
  symlinkSync(join(base, 'beside/new'), join(base, 'tree/dangling'))
  expect(applyProposedEdits(join(base, 'tree'), [edit])).toBe(why)
  expect(existsSync(join(base, 'beside/out'))).toBe(false)
  expect(existsSync(join(base, 'beside/new'))).toBe(false)
  expect(existsSync(join(base, 'out'))).toBe(false)
})
