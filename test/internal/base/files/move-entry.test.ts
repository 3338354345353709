// Moves of entries: across file systems, and what is left when one fails.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDirectories, moveEntry } from '../../../../internal/base/files/move-entry.ts'
import { scratch, scratchWith } from '../../../support/scratch.ts'

const memory = '/dev/shm'
const hasOtherFs = existsSync(memory) && statSync(memory).dev !== statSync(scratchRoot()).dev

function scratchRoot() {
  return '/tmp'
}

test.skipIf(!hasOtherFs)('moves a tree with its links to another file system', async () => {
  const dir = scratchWith({ 'a/x': '1', 'a/b/y': '2' })
  symlinkSync('x', join(dir, 'a/link'))
  const far = join(memory, `anode-move-${process.pid}`)
  mkdirSync(far)
  onTestFinished(() => rmSync(far, { recursive: true }))
  await moveEntry(join(dir, 'a'), join(far, 'a'))
  expect(readFileSync(join(far, 'a/b/y'), 'utf8')).toBe('2')
  expect(readFileSync(join(far, 'a/link'), 'utf8')).toBe('1')
  expect(readdirSync(dir)).toEqual([])
  expect(readdirSync(far)).toEqual(['a'])
})

test.skipIf(!hasOtherFs || !canFix())('keeps a complete copy if the source cannot be removed', async () => {
  const dir = scratchWith({ 'a/x': 'new', 'a/y': 'fixed' })
  const far = join(memory, `anode-move-fixed-${process.pid}`)
  mkdirSync(join(far, 'a'), { recursive: true })
  writeFileSync(join(far, 'a/old'), 'old')
  fix(join(dir, 'a/y'), '+i')
  onTestFinished(() => {
    fix(join(dir, 'a/y'), '-i')
    rmSync(far, { recursive: true })
  })
  await expect(moveEntry(join(dir, 'a'), join(far, 'a'))).rejects.toThrow()
  expect(readdirSync(far)).toEqual(['a'])
  expect(readdirSync(join(far, 'a')).sort()).toEqual(['x', 'y'])
  expect(readFileSync(join(far, 'a/x'), 'utf8')).toBe('new')
  expect(existsSync(join(dir, 'a/y'))).toBe(true)
})

/** Sets or removes the attribute by which even root cannot remove a file. Returns false if that fails. */
function fix(path: string, change: '+i' | '-i'): boolean {
  return spawnSync('chattr', [change, path]).status === 0
}

/** Returns true if this user and this file system can set that attribute. */
function canFix(): boolean {
  const dir = mkdtempSync('/tmp/anode-fixed-')
  writeFileSync(join(dir, 'x'), '')
  const can = fix(join(dir, 'x'), '+i') && fix(join(dir, 'x'), '-i')
  rmSync(dir, { recursive: true })
  return can
}

test('restores the replaced entry if the move fails', async () => {
  const dir = scratchWith({ 'to/keep': 'k' })
  await expect(moveEntry(join(dir, 'gone'), join(dir, 'to'))).rejects.toThrow(/ENOENT/)
  expect(readFileSync(join(dir, 'to/keep'), 'utf8')).toBe('k')
  expect(readdirSync(dir)).toEqual(['to'])
})

test('creates directories, but none through a link', async () => {
  const dir = scratch()
  const other = scratch()
  symlinkSync(other, join(dir, 'out'))
  expect(await makeDirectories(join(dir, 'a/b'))).toEqual([join(dir, 'a'), join(dir, 'a/b')])
  await expect(makeDirectories(join(dir, 'out/x'))).rejects.toThrow()
  expect(readdirSync(other)).toEqual([])
})
