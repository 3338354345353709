// The comparison of file contents with the name of their git object, for every file type.
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { differingFiles } from '../../../../internal/research/git/file-verification.ts'
import { listTree } from '../../../../internal/research/git/git-tree.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { run } from '../../../support/run.ts'
import { scratch } from '../../../support/scratch.ts'

it('lists missing and different files, and nothing else', async () => {
  const dir = repoWith({ a: 'one', 'b/c': new Uint8Array([0, 255, 10]), empty: '' })
  symlinkSync('a', join(dir, 'link'))
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'link')
  const files = await listTree({ run, top: dir, scratch: scratch() }, 'HEAD')
  expect(files.size).toBe(4)
  expect(differingFiles(files, dir)).toEqual([])
  writeFileSync(join(dir, 'a'), 'two')
  writeFileSync(join(dir, 'empty'), ' ')
  expect(differingFiles(files, dir)).toEqual(['a', 'empty'])
  expect(differingFiles(files, join(dir, 'b'))).toEqual(['a', 'b/c', 'empty', 'link'])
})
