// Runs in every test file before it: its end is the end of what support modules hold for it.
import { afterAll, expect } from 'vitest'
import { startCpuCount } from './support/cpu-count.ts'
import { endFile } from './support/file-end.ts'

const count = startCpuCount()

afterAll(async () => {
  await endFile()
  count?.(expect.getState().testPath ?? '')
})
