// The names in git's index, against git itself, in every form that it writes.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findTracked, readIndex } from '../../../../../internal/policy/shell/git/tracked-files.ts'
import { git } from '../../../../support/repo.ts'

let base = ''
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'anode-tracked-')))
})
afterAll(() => rmSync(base, { recursive: true, force: true }))

const names = [
  'a',
  'a b',
  'dir/deep/.env',
  'dir/deep/.env.local',
  'dir/é.txt',
  'z'.repeat(250),
  ...'0123456789bcdef',
]

function repository(name: string, ...options: string[]): string {
  const dir = join(base, name)
  mkdirSync(join(dir, 'dir/deep'), { recursive: true })
  git(dir, 'init', '-q', ...options)
  for (const one of names) writeFileSync(join(dir, one), one)
  git(dir, 'add', '-A')
  return dir
}

const seen = (dir: string): string[] => {
  const paths: string[] = []
  findTracked(dir, (path) => paths.push(path) < 0)
  return paths.sort()
}

test.each([
  ['2', []],
  ['3', []],
  ['4', []],
  ['sha256', ['--object-format=sha256']],
])('an index of form %s', (form, options) => {
  const dir = repository(form, ...options)
  if (/^[34]$/.test(form)) git(dir, 'update-index', '--index-version', form)
  if (form === '3') git(dir, 'update-index', '--skip-worktree', 'a')
  const listed = git(dir, 'ls-files', '-z').split('\0').filter(Boolean)
  expect(listed.length).toBe(names.length)
  expect(seen(dir)).toEqual(listed.map((one) => join(dir, one)).sort())
  expect(findTracked(join(dir, 'dir/deep'), (path) => path.endsWith('/.env'))).toEqual({
    path: join(dir, 'dir/deep/.env'),
  })
  expect(findTracked(dir, (path) => path.endsWith('/none'))).toBe('none')
})

test('a linked worktree has a separate index', () => {
  const dir = repository('main')
  git(dir, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-qm', 'x')
  git(dir, 'worktree', 'add', '-q', join(base, 'tree'))
  git(join(base, 'tree'), 'rm', '-q', 'a')
  expect(seen(join(base, 'tree'))).toHaveLength(names.length - 1)
})

test('reports an index with missing names as unknown', () => {
  const split = repository('split')
  git(split, 'update-index', '--split-index')
  writeFileSync(join(split, 'new'), 'x')
  git(split, 'add', 'new')
  expect(findTracked(split, () => false)).toBe('unknown')
  const cut = repository('cut')
  writeFileSync(join(cut, '.git/index'), 'DIRC\0\0\0\u0002\0\0\0\u0009rest of it, which is no entry at all')
  expect(findTracked(cut, () => false)).toBe('unknown')
  for (const bytes of [
    '',
    'x',
    'DIRC',
    `DIRC\0\0\0\u0002\0\0\0\u0001${'\0'.repeat(80)}`,
    `DIRC\0\0\0\u0009${'\0'.repeat(80)}`,
  ])
    expect(readIndex(Buffer.from(bytes, 'latin1')), JSON.stringify(bytes)).toBeUndefined()
})

test('outside of a repository, and in one without an index, nothing is tracked', () => {
  mkdirSync(join(base, 'plain'))
  expect(findTracked(join(base, 'plain'), () => true)).toBe('none')
  git(join(base, 'plain'), 'init', '-q')
  expect(findTracked(join(base, 'plain'), () => true)).toBe('none')
})
