// Moves of entries: across file systems, and what is left when one fails.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
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
