// Worktrees for the next task: after every deed of a task they equal new ones, or they are not used again.
import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { GitRepository } from '../../../../internal/research/git/git-tree.ts'
import { openSpareWorktrees } from '../../../../internal/service/build/spare-worktrees.ts'
import { git, repoWith } from '../../../support/repo.ts'
import { untilOld } from '../../../support/waiting.ts'
import { runnerIn, scratch } from '../../process/scratch.ts'

/** Returns kind, mode and content of everything in a directory, without `.git` and without times. */
function readAll(dir: string, at = ''): string[] {
  return readdirSync(join(dir, at)).flatMap((name) => {
    const path = join(at, name)
    if (path === '.git') return []
    const stat = lstatSync(join(dir, path))
    if (stat.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(dir, path))}`]
    if (stat.isDirectory()) return [`${path}/ ${stat.mode}`, ...readAll(dir, path)]
    return [`${path} ${stat.mode} ${stat.nlink} ${readFileSync(join(dir, path), 'latin1')}`]
  })
}

/**
 * Creates a repository with two commits, and a worktree at the first one that is remembered after the
 * command `before` has run in it.
 */
async function openPlace(before = 'true') {
  const top = repoWith({
    '.gitignore': 'ignored/\n',
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'src/one.js': 'one\n',
    'src/deep/two.js': 'two\n',
    'gone/old.txt': 'old\n',
  })
  const first = git(top, 'rev-parse', 'HEAD').trim()
  execFileSync('bash', ['-c', 'echo new > a.txt; rm -r gone; echo more > src/more.js; ln -s a.txt link'], {
    cwd: top,
  })
  git(top, 'add', '-A')
  git(top, 'commit', '-qm', 'second')
  const second = git(top, 'rev-parse', 'HEAD').trim()
  const folder = scratch()
  const { run } = runnerIn(scratch())
  const repo: GitRepository = { run, top, scratch: scratch(), trusted: false }
  const pathOf = (name: string) => join(folder, name)
  git(top, 'worktree', 'add', '-q', '--detach', pathOf('new'), second)
  git(top, 'worktree', 'add', '-q', '--detach', pathOf('task'), first)
  execFileSync('bash', ['-c', before], { cwd: pathOf('task'), stdio: 'ignore' })
  await untilOld(60, pathOf('task'))
  const spares = openSpareWorktrees(repo, { top, pathOf, limit: 1 })
  await spares.remember('task')
  return { top, spares, pathOf, second, wanted: readAll(pathOf('new')) }
}

/** Takes a spare worktree and restores it. Undefined if none is spare. */
async function reuse(spares: ReturnType<typeof openSpareWorktrees>, name: string, commit: string) {
  const taken = await spares.take(name)
  return taken && { from: taken.from, isReady: (await taken.restore?.(commit, true)) === true }
}

/** Commands of a task. */
const harmless = [
  'true',
  'echo x >> a.txt; rm b.txt',
  'echo x > untracked; mkdir -p empty/empty ignored; echo x > ignored/file',
  // same size, same time
  'touch -r a.txt kept; printf "A\\n" > a.txt; touch -r kept a.txt; rm kept',
  'chmod 600 b.txt; chmod 755 a.txt; chmod 700 src/deep',
  'rm a.txt; mkdir a.txt; echo x > a.txt/x; rm -r src; echo file > src',
  'rm a.txt; ln -s b.txt a.txt; rm -r src/deep; ln -s .. src/deep',
  'ln b.txt src/hard.js; rm a.txt; ln b.txt a.txt',
  'mv src lib; mkdir src; mv gone src/gone',
  'mv src/deep t; mv gone src/deep; mv t gone',
  'git init -q src/inner; echo "*" > .git-ignore; mkdir -p inner/.git; echo x > inner/.git/HEAD',
  'echo "* filter=trap" > .gitattributes; echo "*" > src/.gitignore; echo x > src/hidden',
  'git update-index --assume-unchanged a.txt; echo x > a.txt; git update-index --skip-worktree b.txt; rm b.txt',
  'echo x > staged; git add -A; git rm -q --cached b.txt',
]

/** Commands that leave more than files. They need the rights of the user, without a sandbox. */
const refused = [
  'git checkout -q -b other',
  'git config extensions.worktreeConfig true; git config --worktree core.autocrlf true',
  'echo x > a.txt; git -c user.name=a -c user.email=b commit -qam x; git cherry-pick -q HEAD~1 || true',
  'echo "gitdir: /elsewhere" > .git',
  'rm .git',
  'chmod 700 .',
  'git sparse-checkout set src',
]

it.each(harmless)('gives the next task a new state after: %s', async (command) => {
  const { spares, pathOf, second, wanted } = await openPlace()
  execFileSync('bash', ['-c', command], { cwd: pathOf('task'), stdio: 'ignore' })
  expect(spares.keep('task')).toBe(true)
  expect(await reuse(spares, 'next', second)).toEqual({ from: 'task', isReady: true })
  expect(readAll(pathOf('next'))).toEqual(wanted)
  expect(git(pathOf('next'), 'status', '--porcelain', '--ignored')).toBe('')
  expect(git(pathOf('next'), 'rev-parse', 'HEAD').trim()).toBe(second)
  expect(git(pathOf('next'), 'ls-files', '-v').match(/^[^H]/m)).toBeNull()
  expect(spares.isSpare('task')).toBe(false)
  // files that the task has not touched are not written again
  expect(spares.keep('next')).toBe(true)
  const { ino, ctimeMs } = statSync(join(pathOf('next'), '.gitignore'))
  expect(await reuse(spares, 'next', second)).toEqual({ from: 'next', isReady: true })
  expect(statSync(join(pathOf('next'), '.gitignore'))).toMatchObject({ ino, ctimeMs })
})

it.each(refused)('does not use a worktree again after: %s', async (command) => {
  const { top, spares, pathOf, second } = await openPlace()
  execFileSync('bash', ['-c', command], { cwd: pathOf('task'), stdio: 'ignore' })
  const branches = git(top, 'branch', '--format=%(refname) %(objectname)')
  expect(spares.keep('task')).toBe(true)
  expect(await reuse(spares, 'next', second)).toEqual({ from: 'task', isReady: false })
  expect(git(top, 'branch', '--format=%(refname) %(objectname)')).toBe(branches)
})

it('keeps as many as its limit, and none that it did not see from its start', async () => {
  const { spares, second } = await openPlace()
  expect(spares.keep('unknown')).toBe(false)
  expect(await reuse(spares, 'next', second)).toBeUndefined()
  expect([spares.keep('task'), spares.keep('task')]).toEqual([true, false])
  spares.forget('task')
  expect(await reuse(spares, 'next', second)).toBeUndefined()
})

it('finds a file that differs from the commit although its size and times are those of the index', async () => {
  const old = 'touch -d "2020-01-01 00:00:00" b.txt'
  const hide = `git config core.trustctime false; ${old}; git update-index --refresh; printf "B\\n" > b.txt; ${old}`
  for (const [isExact, isReady] of [
    [false, true],
    [true, false],
  ] as const) {
    const { spares, second } = await openPlace(hide)
    spares.keep('task')
    const taken = await spares.take('next')
    expect(await taken?.restore?.(second, isExact)).toBe(isReady)
  }
})
