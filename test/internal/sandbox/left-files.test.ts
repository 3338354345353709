// Pipes and lent rights that are newer than a command are mended, older ones are left alone.
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFileMemory, listFiles } from '../../../internal/sandbox/file-record.ts'
import { mendLeftFiles } from '../../../internal/sandbox/left-files.ts'
import { scratch } from '../../support/scratch.ts'

test('new pipes go and new rights are taken away; old ones stay', () => {
  const dir = scratch()
  writeFileSync(join(dir, 'program'), 'x')
  chmodSync(join(dir, 'program'), 0o4755)
  execFileSync('mkfifo', [join(dir, 'pipe')])
  expect(mendLeftFiles(listFiles([dir], [], createFileMemory()), Date.now() + 60_000)).toEqual([])
  expect(mendLeftFiles(listFiles([dir], [], createFileMemory()), 0)).toHaveLength(2)
  const after = listFiles([dir], [], createFileMemory())
  expect(after.specials.size).toBe(0)
  expect(after.files.get(join(dir, 'program'))?.mode).toBe(0o755)
})
