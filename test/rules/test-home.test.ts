// What tests leave in the home directory: nothing, since it would be that of whoever runs them.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { configDir, dataDir } from '../../internal/base/dirs.ts'
import { listHomeWrites } from '../support/test-home.ts'

test('an empty environment leads to the home of the run, not to that of a person', () => {
  expect(homedir()).toContain(process.env.ANODE_TEST_TEMP)
  expect(homedir()).not.toBe(userInfo().homedir)
  for (const dir of [dataDir({}), dataDir(), configDir()]) expect(dir.startsWith(`${homedir()}/`)).toBe(true)
})

test('what is written there is named once, and is gone', () => {
  const file = join(homedir(), '.local/share/anode/endpoints/x.limits')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '')
  expect(listHomeWrites(homedir())).toEqual([file])
  expect([existsSync(file), listHomeWrites(homedir())]).toEqual([false, []])
})
