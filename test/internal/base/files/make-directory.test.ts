// Creating directories with their parents, also on file systems with unusual errors.
import { chmodSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDirectory } from '../../../../internal/base/files/make-directory.ts'
import { scratch } from '../../../support/scratch.ts'

describe('a directory that can be created', () => {
  it.each(['a', 'a/b/c/d', 'there', 'there/x', 'link/x/y', './a/../b/'])('%s', (path) => {
    const root = scratch()
    mkdirSync(join(root, 'there'))
    symlinkSync('there', join(root, 'link'))
    const before = existsSync(join(root, path))
    const made = makeDirectory(`${root}/${path}`, 0o700)
    expect(statSync(join(root, path)).isDirectory()).toBe(true)
    expect(made === undefined).toBe(before)
    if (made !== undefined) expect(statSync(made).mode & 0o777).toBe(0o700)
  })

  it('returns the outermost one that was created', () => {
    const root = scratch()
    expect(makeDirectory(join(root, 'a/b/c'))).toBe(join(root, 'a'))
    expect(makeDirectory(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'))
  })
})

describe('a directory that cannot be created', () => {
  it.each([
    ['/proc/x', 'ENOENT'],
    ['/proc/x/y/z', 'ENOENT'],
    ['/proc/self/x', 'ENOENT'],
    ['/sys/x', 'EPERM|EACCES|EROFS|ENOENT'],
    ['/dev/null/x', 'ENOTDIR'],
    ['FILE', 'EEXIST'],
    ['FILE/x/y', 'ENOTDIR'],
    ['DANGLING', 'EEXIST'],
    ['LOOP/x', 'ELOOP'],
    [`${'n'.repeat(300)}/x`, 'ENAMETOOLONG'],
  ])('%s ends with %s', (path, codes) => {
    const root = scratch()
    writeFileSync(join(root, 'FILE'), '')
    symlinkSync('nowhere', join(root, 'DANGLING'))
    symlinkSync('LOOP', join(root, 'LOOP'))
    const target = path.startsWith('/') ? path : join(root, path)
    expect(() => makeDirectory(target)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(codes) }),
    )
  })

  it.skipIf(process.getuid?.() === 0)('below a directory without write permission', () => {
    const root = scratch()
    chmodSync(root, 0o555)
    expect(() => makeDirectory(join(root, 'a/b'))).toThrow(expect.objectContaining({ code: 'EACCES' }))
    chmodSync(root, 0o755)
  })
})
