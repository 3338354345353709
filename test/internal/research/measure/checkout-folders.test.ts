// Directories of checkouts: unpredictable, separate from each other, and removed with the session
// that created them.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  makeCheckoutFolder,
  removeCheckoutFolder,
  removeCheckoutFolders,
} from '../../../../internal/research/measure/checkout-folders.ts'
import { scratch } from '../../../support/scratch.ts'

it('creates directories that have no common parent, different names and equal lengths', async () => {
  const data = scratch()
  const dir = join(data, 'research', 'repository', 'session')
  await mkdir(dir, { recursive: true })
  const made = await Promise.all(Array.from({ length: 20 }, () => makeCheckoutFolder(dir)))
  expect(new Set(made.map(dirname)).size).toBe(20)
  expect(new Set(made.map((path) => basename(path))).size).toBe(20)
  expect(new Set(made.map((path) => path.length)).size).toBe(1)
  expect(statSync(join(data, 'checkouts')).mode & 0o777).toBe(0o300)
  expect(made.every((path) => !path.startsWith(dir))).toBe(true)
})

it('removes one, or all of a dead process, and none of other processes', async () => {
  const data = scratch()
  const [one, other] = ['a', 'b'].map((name) => join(data, 'research', 'repository', name)) as [
    string,
    string,
  ]
  for (const dir of [one, other]) await mkdir(dir, { recursive: true })
  const [first, second, theirs] = [
    await makeCheckoutFolder(one),
    await makeCheckoutFolder(one),
    await makeCheckoutFolder(other),
  ]
  await removeCheckoutFolder(first)
  expect([existsSync(dirname(first)), existsSync(second)]).toEqual([false, true])
  await removeCheckoutFolders(one)
  await removeCheckoutFolders(one)
  expect([existsSync(dirname(second)), existsSync(theirs)]).toEqual([false, true])
  expect(readdirSync(one)).toEqual([])
})
