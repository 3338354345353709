// The second look at a path, at the moment of use.
import { renameSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isFailure, isOpen, locate } from '../../../internal/tool/locate.ts'
import { ctxIn } from '../../support/ctx.ts'
import { scratch, scratchWith } from '../../support/scratch.ts'

it('answers the real place, or why there is none', async () => {
  const dir = scratchWith({ 'a/f': '', 'keep/g': '' })
  symlinkSync('a', join(dir, 'link'))
  const plain = ctxIn(dir, scratch())
  const roots = { ...plain.policy.roots, protected: [join(dir, 'keep')] }
  const ctx = { ...plain, policy: { ...plain.policy, roots } }
  const look = async (path: string, access: 'read' | 'write' = 'write') => {
    const place = await locate(ctx, path, access)
    return isFailure(place) ? place.code : place.shown
  }
  expect(await look('link/f')).toBe('a/f')
  expect(await look('a/new/deep')).toBe('a/new/deep')
  expect(await look(join(dir, 'a'))).toBe('a')
  expect(await look('../x')).toBe('outside_workspace')
  expect(await look('')).toBe('bad_args')
  expect(await look('a\0')).toBe('bad_args')
  expect(await look('keep/g')).toBe('protected_path')
  expect(await look('keep/g', 'read')).toBe('keep/g')
})

it('sees a link that was planted after the first look', async () => {
  const dir = scratchWith({ 'in/f': '' })
  const other = scratchWith({ f: '' })
  const ctx = ctxIn(dir, scratch())
  expect(isFailure(await locate(ctx, 'in/f', 'write'))).toBe(false)
  renameSync(join(dir, 'in'), join(dir, 'was'))
  symlinkSync(other, join(dir, 'in'))
  expect(await locate(ctx, 'in/f', 'write')).toMatchObject({ code: 'outside_workspace' })
})

it('knows which files errors may quote', async () => {
  const dir = scratchWith({ f: '', '.env': '' })
  const ctx = ctxIn(dir, scratch())
  const open = async (path: string) => {
    const place = await locate(ctx, path, 'read')
    return !isFailure(place) && isOpen(ctx, place)
  }
  expect(await open('f')).toBe(true)
  expect(await open('.env')).toBe(false)
  ctx.seen?.set(join(dir, '.env'), 'read before')
  expect(await open('.env')).toBe(true)
})
