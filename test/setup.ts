// Runs in every test file before it: its home, and the end of what support modules hold for it.
import { afterAll, expect } from 'vitest'
import { startCpuCount } from './support/cpu-count.ts'
import { endFile } from './support/file-end.ts'
import { listHomeWrites, makeTestHome } from './support/test-home.ts'

const count = startCpuCount()
const home = makeTestHome()

afterAll(async () => {
  await endFile()
  count?.(expect.getState().testPath ?? '')
  expect(listHomeWrites(home), 'written to the home directory instead of a folder of the test').toEqual([])
})
