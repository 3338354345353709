// Repositories made by the real git, found without it.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commonDir, originUrl, repositoryOf } from '../../../internal/store/repository.ts'

let root: string
let repo: string
const git = (cwd: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'protocol.file.allow=always', ...args],
    {
      cwd,
      stdio: 'pipe',
    },
  )
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-repo-')))
  repo = join(root, 'repo')
  mkdirSync(join(repo, 'deep', 'er'), { recursive: true })
  git(repo, 'init', '-q')
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'x')
  git(repo, 'worktree', 'add', '-q', join(root, 'tree'))
  mkdirSync(join(root, 'plain'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('all worktrees and directories of a repository have the same common directory', () => {
  const common = join(repo, '.git')
  for (const start of [repo, join(repo, 'deep', 'er'), join(root, 'tree')])
    expect(commonDir(start)).toBe(common)
  expect(commonDir(join(root, 'plain'))).toBeUndefined()
})

test('a submodule is a separate repository', () => {
  git(repo, 'submodule', '--quiet', 'add', repo, 'sub')
  expect(commonDir(join(repo, 'sub'))).toBe(join(repo, '.git', 'modules', 'sub'))
})

test('an invalid .git is skipped', () => {
  mkdirSync(join(root, 'plain', 'odd', '.git'), { recursive: true })
  mkdirSync(join(root, 'plain', 'lost'))
  writeFileSync(join(root, 'plain', 'lost', '.git'), 'gitdir: /nowhere/at/all\n')
  for (const name of ['odd', 'lost']) expect(commonDir(join(root, 'plain', name))).toBeUndefined()
})

test.each([
  ['https://user:secret@example.org/a/b.git', 'https://example.org/a/b.git'],
  ['git@example.org:a/b.git', 'git@example.org:a/b.git'],
  ['ssh://git@example.org/a', 'ssh://example.org/a'],
  ['/srv/a b', '/srv/a b'],
])('the address of origin %s', (url, shown) => {
  git(repo, 'config', 'remote.other.url', 'https://other.example')
  git(repo, 'config', 'remote.origin.url', url)
  expect(originUrl(join(repo, '.git'))).toBe(shown)
  expect(repositoryOf(join(repo, 'deep'))).toBe(shown)
  git(repo, 'config', '--unset', 'remote.origin.url')
})

test('uses the repository without an origin, and the directory outside of a repository', () => {
  expect(repositoryOf(join(root, 'tree'))).toBe(join(repo, '.git'))
  expect(repositoryOf(join(root, 'plain'))).toBe(join(root, 'plain'))
})
