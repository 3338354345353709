// A renewed directory with the entries and mode of the old one, and nothing else of it.
import { chmodSync, lstatSync, statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { renewFolder } from '../../../../internal/research/measure/folder-renewal.ts'
import { harvest, scratchWith } from '../../../support/scratch.ts'

it('keeps the contents and resets the times', () => {
  const dir = join(scratchWith({ 'a/b/c': 'one', 'a/d': 'two' }), 'a')
  chmodSync(dir, 0o711)
  utimesSync(dir, 4321, 4321)
  const before = harvest(dir)
  const { ino } = lstatSync(dir)
  renewFolder(dir)
  expect(harvest(dir)).toEqual(before)
  expect(statSync(dir).mode & 0o777).toBe(0o711)
  expect(statSync(dir).mtimeMs).toBeGreaterThan(4_321_000)
  expect(lstatSync(dir).ino).not.toBe(ino)
})
