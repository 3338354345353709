// Changes below a directory, detected without reading files.
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import {
  isSameFootprint,
  takeFootprint,
  takeSettledFootprint,
} from '../../../../internal/research/workspace/folder-footprint.ts'

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'anode-footprint-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  mkdirSync(join(dir, 'sub'))
  writeFileSync(join(dir, 'sub', 'a'), 'one')
  writeFileSync(join(dir, 'b'), 'two')
  return dir
}

it('is the same while nothing happens', async () => {
  const dir = folder()
  const before = await takeSettledFootprint(dir)
  expect([...before.keys()].sort()).toEqual(['b', 'sub', 'sub/a'])
  expect(isSameFootprint(before, takeFootprint(dir))).toBe(true)
})

it.each<[string, (dir: string) => void]>([
  ['a file of the same length', (dir) => writeFileSync(join(dir, 'b'), 'owt')],
  [
    'a time that was put back',
    (dir) => {
      writeFileSync(join(dir, 'b'), 'owt')
      utimesSync(join(dir, 'b'), 1, 1)
    },
  ],
  ['a mode', (dir) => chmodSync(join(dir, 'sub', 'a'), 0o700)],
  ['a new file', (dir) => writeFileSync(join(dir, 'sub', 'c'), '')],
  ['an empty folder', (dir) => mkdirSync(join(dir, 'more'))],
  ['a file that is gone', (dir) => rmSync(join(dir, 'b'))],
  ['another name', (dir) => renameSync(join(dir, 'b'), join(dir, 'c'))],
])('sees %s', async (_, change) => {
  const dir = folder()
  const before = await takeSettledFootprint(dir)
  change(dir)
  expect(isSameFootprint(before, takeFootprint(dir))).toBe(false)
})
