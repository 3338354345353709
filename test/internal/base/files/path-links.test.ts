// The links on the way to a file.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { followLinks } from '../../../../internal/base/files/path-links.ts'
import { scratch } from '../../../support/scratch.ts'

test('resolves links of directories and files to their target', () => {
  const dir = realpathSync(scratch())
  mkdirSync(join(dir, 'v1', 'bin'), { recursive: true })
  writeFileSync(join(dir, 'v1', 'run.sh'), '')
  symlinkSync('v1', join(dir, 'current'))
  symlinkSync('../run.sh', join(dir, 'v1', 'bin', 'run'))
  symlinkSync('round', join(dir, 'round'))
  symlinkSync('nowhere', join(dir, 'broken'))
  expect(followLinks(join(dir, 'current', 'bin', 'run'))).toEqual({
    real: join(dir, 'v1', 'run.sh'),
    links: [
      { path: join(dir, 'current'), target: 'v1' },
      { path: join(dir, 'v1', 'bin', 'run'), target: '../run.sh' },
    ],
  })
  expect(followLinks(join(dir, 'v1', 'run.sh'))).toEqual({ real: join(dir, 'v1', 'run.sh'), links: [] })
  for (const name of ['round', 'broken', 'gone', 'v1/run.sh/below'])
    expect(followLinks(join(dir, name))).toBeUndefined()
})
