// Repositories found without git, and their files that cannot be read to an end.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import {
  findBlockingFile,
  findGitLayout,
  searchBlockingFile,
} from '../../../../internal/process/git/git-layout.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { scratch } from '../../../support/scratch.ts'

const never = new AbortController().signal

test('finds the repository of a subdirectory and a linked worktree, and nothing outside', () => {
  const dir = repoWith({ 'a/b/c.txt': 'c\n' })
  const main = { top: dir, gitDir: join(dir, '.git'), commonDir: join(dir, '.git') }
  expect(findGitLayout(join(dir, 'a', 'b'))).toEqual(main)
  const tree = join(scratch(), 'tree')
  git(dir, 'worktree', 'add', '-q', tree)
  expect(findGitLayout(tree)).toEqual({
    top: tree,
    gitDir: join(dir, '.git', 'worktrees', 'tree'),
    commonDir: join(dir, '.git'),
  })
  expect(findGitLayout(scratch())).toBeUndefined()
})

test.each(['HEAD', 'index', 'config', 'packed-refs', 'info/exclude', 'info/attributes', 'info/grafts'])(
  'detects .git/%s as a pipe at once',
  (name) => {
    const dir = repoWith({})
    const path = join(dir, '.git', name)
    rmSync(path, { force: true })
    mkdirSync(dirname(path), { recursive: true })
    execFileSync('mkfifo', [path])
    const layout = findGitLayout(dir)
    expect(layout && findBlockingFile(layout)).toBe(path)
  },
)

test.each([
  ['a pipe', 'sub/.gitignore', (path: string) => execFileSync('mkfifo', [path])],
  ['a link to a device', 'sub/.gitattributes', (path: string) => symlinkSync('/dev/zero', path)],
  ['a sparse file', 'sub/.ignore', (path: string) => execFileSync('truncate', ['-s', '1G', path])],
  ['a pipe among the references', '.git/refs/heads/x', (path: string) => execFileSync('mkfifo', [path])],
])('%s is found by a search', async (_, name, make) => {
  const dir = repoWith({ 'sub/a.txt': 'a\n' })
  expect(await searchBlockingFile(dir, findGitLayout(dir), never)).toBeUndefined()
  make(join(dir, name))
  expect(await searchBlockingFile(dir, findGitLayout(dir), never)).toBe(join(dir, name))
})

test('a file that reads as empty or is never opened does not block', () => {
  const dir = repoWith({})
  symlinkSync('/dev/null', join(dir, '.gitignore'))
  symlinkSync('loop', join(dir, 'loop'))
  symlinkSync('../loop', join(dir, '.git', 'shallow'))
  const layout = findGitLayout(dir)
  expect(layout && findBlockingFile(layout)).toBeUndefined()
})
