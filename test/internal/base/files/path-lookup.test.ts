// Lookups of paths of every kind: absent ones give nothing, and no error.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  findStats,
  isDirectory,
  isFile,
  listEntries,
  listNames,
  pathExists,
} from '../../../../internal/base/files/path-lookup.ts'
import { scratch } from '../../../support/scratch.ts'

const none: readonly string[] = []

const kinds = [
  { path: 'file', exists: true, directory: false, file: true, names: none },
  { path: 'folder', exists: true, directory: true, file: false, names: ['inner'] as readonly string[] },
  { path: 'to-file', exists: true, directory: false, file: true, names: none },
  { path: 'to-folder', exists: true, directory: true, file: false, names: ['inner'] as readonly string[] },
  { path: 'to-nothing', exists: true, directory: false, file: false, names: none },
  { path: 'to-itself', exists: true, directory: false, file: false, names: none },
  { path: 'missing', exists: false, directory: false, file: false, names: none },
  { path: 'file/below', exists: false, directory: false, file: false, names: none },
  { path: `folder/${'x'.repeat(300)}`, exists: false, directory: false, file: false, names: none },
]

it.each(kinds)('$path', ({ path, exists, directory, file, names }) => {
  const dir = scratch()
  writeFileSync(join(dir, 'file'), 'text')
  mkdirSync(join(dir, 'folder/inner'), { recursive: true })
  for (const target of ['file', 'folder', 'nothing', 'itself'])
    symlinkSync(target === 'itself' ? 'to-itself' : target, join(dir, `to-${target}`))
  const at = `${dir}/${path}`
  expect(pathExists(at)).toBe(exists)
  expect(findStats(at)?.isSymbolicLink()).toBe(exists ? path.startsWith('to-') : undefined)
  expect(isDirectory(at)).toBe(directory)
  expect(isFile(at)).toBe(file)
  expect(listNames(at)).toEqual(names)
  expect(listEntries(at).map((entry) => [entry.name, entry.isDirectory()])).toEqual(
    names.map((name) => [name, true]),
  )
})
