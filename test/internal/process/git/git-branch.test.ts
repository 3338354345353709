// The branch of real checkouts, as git has made them and as others may have left them.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readGitBranch } from '../../../../internal/process/git/git-layout.ts'
import { scratch } from '../../../support/scratch.ts'

function makeRepository() {
  const dir = scratch()
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', dir, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args], {
      encoding: 'utf8',
    }).trim()
  git('init', '-q', '-b', 'main')
  return { dir, git }
}

test('reads the branch of a repository, also before the first commit and in a subdirectory', () => {
  const { dir, git } = makeRepository()
  expect(readGitBranch(dir)).toBe('main')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  git('switch', '-q', '-c', 'feature/cart-ä')
  mkdirSync(join(dir, 'src'))
  expect(readGitBranch(join(dir, 'src'))).toBe('feature/cart-ä')
})

test('reads the branch of a worktree, and the commit of a detached HEAD', () => {
  const { dir, git } = makeRepository()
  git('commit', '-q', '--allow-empty', '-m', 'one')
  const other = join(scratch(), 'other')
  git('worktree', 'add', '-q', '-b', 'second', other)
  expect([readGitBranch(dir), readGitBranch(other)]).toEqual(['main', 'second'])
  git('checkout', '-q', '--detach')
  expect(readGitBranch(dir)).toBe(`detached ${git('rev-parse', 'HEAD').slice(0, 8)}`)
  expect(readGitBranch(other)).toBe('second')
})

test.each([
  ['a head of nothing', (head: string) => writeFileSync(head, '')],
  ['a head of anything', (head: string) => writeFileSync(head, 'no reference\nref: refs/heads/x\n')],
  ['a placeholder', (head: string) => writeFileSync(head, 'ref: refs/heads/.invalid\n')],
  ['a name of 3,000 letters', (head: string) => writeFileSync(head, `ref: refs/heads/${'x'.repeat(3_000)}`)],
  ['a large head', (head: string) => writeFileSync(head, 'x'.repeat(1 << 16))],
  ['a pipe', (head: string) => void execFileSync('mkfifo', [head])],
  ['no head', () => undefined],
])('returns no branch if HEAD is %s', (_, make) => {
  const { dir } = makeRepository()
  const head = join(dir, '.git', 'HEAD')
  rmSync(head)
  make(head)
  expect(readGitBranch(dir)).toBeUndefined()
})

test('returns no branch outside of a repository', () => {
  expect(readGitBranch(scratch())).toBeUndefined()
})
