// Files that tests leave in the home directory: none, because it would be the home of the current user.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configDir, dataDir } from '../../internal/base/dirs.ts'
import { listHomeWrites } from '../support/test-home.ts'

test('an empty environment leads to the home of the test run, not to that of the user', () => {
  expect(homedir()).toContain(process.env.ANODE_TEST_TEMP)
  expect(homedir()).not.toBe(userInfo().homedir)
  for (const dir of [dataDir({}), dataDir(), configDir()]) expect(dir.startsWith(`${homedir()}/`)).toBe(true)
})

test('reports a written file once, and deletes it', () => {
  const file = join(homedir(), '.local/share/anode/endpoints/x.limits')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '')
  expect(listHomeWrites(homedir())).toEqual([file])
  expect([existsSync(file), listHomeWrites(homedir())]).toEqual([false, []])
})
