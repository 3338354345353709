// A view of the disk says what the disk says, and asks once.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { viewDisk } from '../../../../internal/policy/paths/disk-view.ts'
import { resolvePath } from '../../../../internal/policy/paths/path-jail.ts'
import { choice, rng } from '../../../support/rng.ts'
import { rounds } from '../../../support/sample.ts'
import { folder, remove, rootsOf } from '../policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('a/b', 'c')
  writeFileSync(join(ws, 'a/f'), '')
  symlinkSync('../c', join(ws, 'a/up'))
  symlinkSync('a/up', join(ws, 'far'))
  symlinkSync('nowhere/x', join(ws, 'dead'))
  symlinkSync(join(ws, 'a/b'), join(ws, 'abs'))
})
afterAll(() => remove(ws))

test('resolves paths in the same way with and without the view', () => {
  const next = rng(7)
  const names = ['a', 'b', 'c', 'f', 'up', 'far', 'dead', 'abs', 'none', '..', '.', '', 'x']
  const disk = viewDisk()
  const roots = rootsOf(ws)
  for (let i = 0; i < rounds(1_500, 5_000); i++) {
    const parts = Array.from({ length: 1 + Math.floor(next() * 6) }, () => choice(next, names))
    const rawPath = `${choice(next, ['', '', `${ws}/`, '/', '~/'])}${parts.join('/')}`
    const cwd = choice(next, [ws, join(ws, 'a'), join(ws, 'a/b')])
    expect(resolvePath(cwd, roots, rawPath, disk), rawPath).toEqual(resolvePath(cwd, roots, rawPath))
  }
})

test('a view keeps its first result for a path, and a new view checks the path again', () => {
  const path = join(ws, 'gone')
  mkdirSync(path)
  const disk = viewDisk()
  expect([disk.link(path), disk.list(path)]).toEqual(['', []])
  rmSync(path, { recursive: true })
  expect(disk.link(path)).toBe('')
  expect(viewDisk().link(path)).toBeUndefined()
  expect(viewDisk().list(path)).toEqual([])
  expect(disk.list(join(ws, 'a/f'))).toEqual([])
  expect(disk.link(join(ws, 'far'))).toBe('a/up')
  expect(
    disk
      .list(ws)
      ?.map((entry) => entry.name)
      .sort(),
  ).toEqual(['a', 'abs', 'c', 'dead', 'far'])
})
