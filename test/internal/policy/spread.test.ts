// Rules for a program: they cover no sensitive or secret files that it writes without naming them.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Policy } from '../../../internal/policy/policy.ts'
import { git } from '../../support/repo.ts'
import { shareRows } from '../../support/sample.ts'
import { allow, bash, folder, judge, policyOf, remove } from './policies.ts'

const put = (dir: string, name: string, text = 'x\n') => {
  mkdirSync(dirname(join(dir, name)), { recursive: true })
  writeFileSync(join(dir, name), text)
}

function repository(...tracked: string[]): string {
  const dir = folder()
  for (const name of ['src/a.ts', 'src/b.ts', 'main', ...tracked]) put(dir, name)
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'add', '-A', '-f')
  git(dir, '-c', 'user.name=x', '-c', 'user.email=x@x', 'commit', '-q', '-m', 'x')
  return dir
}

const action = async (dir: string, line: string, more: Partial<Policy> = {}) =>
  (await judge(bash(line), policyOf(dir, more))).action

/** Returns the first two words of git, or the program, as a user would write them in a rule. */
const ruleFor = (line: string) =>
  allow(
    line
      .split(' ')
      .slice(0, line.startsWith('git') ? 2 : 1)
      .join(' '),
  )

/** Commands that write files which they do not name. */
const everything = [
  'git reset --hard',
  'git reset --har HEAD~1',
  'git reset -q --keep x',
  'git checkout .',
  'git checkout -- .',
  'git checkout main',
  'git checkout -b new x',
  'git checkout HEAD -- :/',
  "git checkout HEAD -- '*'",
  "git checkout HEAD -- ':(icase)SRC'",
  'git checkout --pathspec-from-file=main -- src',
  'git checkout-index -fa',
  'git restore .',
  'git restore :/',
  "git restore '*.json' src",
  'git restore --source=x -- ./',
  'git switch main',
  'git stash',
  'git stash push -m main',
  'git stash pop',
  'git merge main',
  'git rebase main',
  'git pull',
  'git cherry-pick main',
  'git revert main',
  'git apply main',
  'git am main',
  'git read-tree -um main',
  'git sparse-checkout set src',
  "git rm -r '*'",
  'git rm -r --pathspec-from-file=main',
]

/** Commands of the same programs that change only the named files. */
const narrow = [
  'git reset',
  'git reset --soft main',
  'git checkout HEAD -- src',
  'git checkout -- src/a.ts main',
  "git checkout -- 'src/*.ts'",
  'git restore src',
  'git restore --staged --worktree src/a.ts',
  'git stash push -- src',
  'git stash list',
  "git rm -r 'src/*'",
  'git submodule status',
]

describe('files that git tracks', () => {
  const guards = ['.github/workflows/ci.yml', '.husky/pre-commit', '.anode/rules.md', '.env', 'sub/.envrc']
  const dirs: string[] = []
  beforeAll(() => {
    for (const guard of guards) dirs.push(repository(guard))
    dirs.push(repository())
  })
  afterAll(() => dirs.forEach(remove))

  test.each(everything)('%j', async (line) => {
    const plain = dirs.at(-1) as string
    const both = [[allow('git')], [ruleFor(line)]]
    for (const rules of both) {
      for (const dir of shareRows(dirs.slice(0, -1), everything.indexOf(line), 2)) {
        for (const mode of ['ask', 'edits', 'auto'] as const)
          expect(await action(dir, line, { mode, trusted: true, rules }), dir).toBe('ask')
        expect(await action(dir, `cd src && ${line}`, { rules: [...rules, allow('cd')] })).toBe('ask')
        expect(await action(dir, line, { rules: [...rules, allow(`=${line}`)] }), 'the exact line').toBe(
          'allow',
        )
        expect(await action(dir, line, { mode: 'unrestricted' })).toBe('allow')
      }
      // elsewhere `:/` is a part that means the top directory
      const free = line.includes(':/') ? 'ask' : 'allow'
      expect(await action(plain, line, { rules }), 'nothing guarded is tracked').toBe(free)
    }
  })

  test.each(narrow)('%j', async (line) => {
    for (const dir of dirs) expect(await action(dir, line, { rules: [allow('git')] }), dir).toBe('allow')
  })

  test('shows the file in the question, and stores the exact command as a rule', async () => {
    const [dir = ''] = dirs
    const decision = await judge(bash('git reset --hard'), policyOf(dir, { rules: [allow('git')] }))
    expect(JSON.stringify(decision.reasons)).toContain('such as .github/workflows/ci.yml')
    expect(decision.always?.[0]?.rule).toMatchObject({ command: '=git reset --hard' })
  })

  test('needs approval if the index cannot be read', async () => {
    const dir = repository()
    writeFileSync(join(dir, '.git/index'), 'DIRCxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx')
    expect(await action(dir, 'git reset --hard', { rules: [allow('git')] })).toBe('ask')
    remove(dir)
  })
})

describe('the content of a directory', () => {
  let dir = ''
  beforeAll(() => {
    dir = repository()
    put(dir, 'out/x')
    put(dir, 'kept/.envrc')
    put(dir, 'to-untracked')
  })
  afterAll(() => remove(dir))
  const rules = ['git', 'tar', 'unzip', '7z', 'patch', 'cpio', 'cd'].map(allow)

  test.each([
    'git clean -fd',
    'git clean -fdx',
    "git clean -f -- '*'",
    "git clean -fd 'ke*'",
    'git clean -fd kept',
    'git stash -u',
    'git stash push -ku',
    'git stash --all',
    'tar xf a.tar',
    'tar -xzf a.tgz',
    'tar -zxf a.tgz',
    'tar --extract -f a.tar',
    'tar xf a.tar -C kept',
    'tar -xf a.tar -Cout -C..',
    'tar xPf a.tar -C out',
    'tar -x --absolute-names -f a.tar -C out',
    'unzip a.zip',
    'unzip -o a.zip -d kept',
    'unzip -dkept a.zip',
    'unzip -od lib a.zip .',
    '7z x a.7z',
    'patch -p1 -i x.diff',
    'cpio -id -F a',
    'cd out/.. && tar xf a.tar',
    'cd kept; tar xf ../a.tar',
  ])('%j', async (line) => {
    expect(await action(dir, line, { rules })).toBe('ask')
  })

  test.each([
    'git clean -fd out',
    'git clean -fd -- src out',
    'tar cf a.tar src',
    'tar czf x.tgz --exclude=x src',
    'tar tf a.tar',
    'tar -C out -xf a.tar',
    'tar xf a.tar --directory=out',
    'unzip -l a.zip',
    'unzip a.zip -d out',
    '7z l a.7z',
    '7z x a.7z -oout',
    'patch -d out -p1 -i x.diff',
  ])('%j', async (line) => {
    expect(await action(dir, line, { rules })).toBe('allow')
  })

  test('a checkout without sensitive files may be cleaned', async () => {
    const bare = repository()
    expect(await action(bare, 'git clean -fd', { rules })).toBe('allow')
    expect(await action(bare, 'git stash -u', { rules })).toBe('allow')
    remove(bare)
  })
})

test('allowed commands leave sensitive files unchanged, and commands that need approval would change them', async () => {
  const dir = repository('.husky/x', '.github/workflows/y')
  const guards = ['.husky/x', '.github/workflows/y', '.anode/z', '.git/hooks/pre-commit']
  const lines = [...everything, ...narrow, 'git clean -fd', 'git clean -fd src', 'git stash -u']
  const run = (line: string, cwd: string) => {
    try {
      execFileSync('/bin/sh', ['-c', line], {
        cwd,
        stdio: 'ignore',
        env: { ...process.env, GIT_EDITOR: 'true' },
      })
    } catch {
      // a command that fails because a branch or patch is missing changes nothing
    }
  }
  const state = (at: string) =>
    guards.map((name) => (existsSync(join(at, name)) ? readFileSync(join(at, name), 'utf8') : 'gone')).join()
  const changed: string[] = []
  for (const line of lines) {
    const copy = folder()
    execFileSync('cp', ['-a', `${dir}/.`, copy])
    for (const name of [...guards, 'src/a.ts']) put(copy, name, 'mine\n')
    const before = state(copy)
    const decided = await action(copy, line, { rules: [allow('git')] })
    run(line, copy)
    if (state(copy) === before) {
      remove(copy)
      continue
    }
    changed.push(line)
    expect(decided, line).toBe('ask')
    remove(copy)
  }
  remove(dir)
  for (const line of ['git reset --hard', 'git checkout .', 'git stash', 'git clean -fd', 'git restore .'])
    expect(changed).toContain(line)
})
