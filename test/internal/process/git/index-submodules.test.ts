// Indexes that list a submodule, in every format, and those that do not.
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mayHaveSubmodules } from '../../../../internal/process/git/index-submodules.ts'
import { git, repoWith } from '../../../support/repo.ts'

const paths = ['a', 'a/b', 'deep/er/path.txt', 'odd name', 'x'.repeat(200)]

const formats: [string, readonly string[]][] = [
  ['version 2', ['update-index', '--index-version=2']],
  ['version 3', ['update-index', '--index-version=3']],
  ['version 4', ['update-index', '--index-version=4']],
  ['a shared index', ['update-index', '--split-index']],
]

it.each(formats)('finds a submodule at any path in %s', (_, args) => {
  for (const path of paths) {
    const dir = repoWith({ 'b.txt': 'b\n', 'z/z.txt': 'z\n' })
    const gitDir = join(dir, '.git')
    git(dir, ...args)
    expect(mayHaveSubmodules({ gitDir })).toBe(args.includes('--split-index'))
    git(dir, 'update-index', '--add', '--cacheinfo', `160000,${'a'.repeat(40)},${path}`)
    expect(mayHaveSubmodules({ gitDir })).toBe(true)
  }
})

it('does not know an index that is damaged, and finds nothing in a missing one', () => {
  const dir = repoWith({ 'b.txt': 'b\n' })
  const gitDir = join(dir, '.git')
  appendFileSync(join(gitDir, 'index'), 'sdir')
  expect(mayHaveSubmodules({ gitDir })).toBe(true)
  writeFileSync(join(gitDir, 'index'), 'other')
  expect(mayHaveSubmodules({ gitDir })).toBe(true)
  rmSync(join(gitDir, 'index'))
  expect(mayHaveSubmodules({ gitDir })).toBe(false)
  expect(mayHaveSubmodules({ gitDir: join(dir, 'b.txt') })).toBe(true)
})
