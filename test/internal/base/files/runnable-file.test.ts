// Executable files: files with the bit, also through links, and nothing else.
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isRunnable } from '../../../../internal/base/files/runnable-file.ts'
import { scratch } from '../../../support/scratch.ts'

test('accepts executable files, and nothing else', () => {
  const dir = scratch()
  const at = (name: string) => join(dir, name)
  writeFileSync(at('program'), '')
  chmodSync(at('program'), 0o755)
  writeFileSync(at('text'), '')
  mkdirSync(at('folder'))
  symlinkSync('program', at('link'))
  symlinkSync('nothing', at('dangling'))
  symlinkSync('loop', at('loop'))
  const names = ['program', 'text', 'folder', 'link', 'dangling', 'loop', 'absent', 'text/below']
  expect(names.filter((name) => isRunnable(at(name)))).toEqual(['program', 'link'])
})
