// One directory for each process, below the temporary directory of the system, by its real path.
import { realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../../../../internal/base/files/temporary-dir.ts'

test('returns the same directory each time, in the temporary directory of the system', () => {
  const path = temporaryDir() as string
  expect(temporaryDir()).toBe(path)
  expect(isAbsolute(path)).toBe(true)
  expect(dirname(path)).toBe(realpathSync(tmpdir()))
})
