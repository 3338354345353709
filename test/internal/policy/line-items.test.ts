// The items of a line: what classes, trust and doubt come to.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { foldersOfGit } from '../../../internal/policy/shell/git/hardened-lines.ts'
import { git } from '../../support/repo.ts'
import { allow, bash, deny, folder, judge, policyOf, remove } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('src')
})
afterAll(() => remove(ws))

const action = async (line: string, more: Parameters<typeof policyOf>[1]) =>
  (await judge(bash(line), policyOf(ws, more))).action

test('git that reads needs no trust by itself or among commands that read', async () => {
  for (const line of ['git status', 'git log -1 | head', 'git diff -- src; ls', 'git status && git log -1']) {
    expect(await action(line, { mode: 'auto' }), line).toBe('allow')
    expect(await action(line, { mode: 'auto', trusted: true }), line).toBe('allow')
  }
  // with trust as without, whatever else the line does is no reason to let git obey the repository
  const rules = [allow('npm test'), allow('touch')]
  for (const line of ['npm test && git status', 'touch x; git diff', 'git log | npm test']) {
    expect(await action(line, { mode: 'auto', rules }), line).toBe('ask')
    expect(await action(line, { mode: 'auto', rules, trusted: true }), line).toBe('ask')
    expect(await foldersOfGit(line, ws), line).toBeUndefined()
  }
  for (const line of ['node --version; git diff HEAD src', 'git status && git --version; ls']) {
    expect(await action(line, { mode: 'auto', trusted: true }), line).toBe('allow')
    expect(await foldersOfGit(line, ws), line).toEqual([ws])
  }
})

test('what runs or obeys the workspace counts only with trust', async () => {
  for (const line of [
    'npm test',
    'make',
    'cargo --version',
    'yarn --version',
    'mvn -v',
    'node --test',
    './gradlew test',
    'node_modules/.bin/eslint .',
  ]) {
    expect(await action(line, { mode: 'auto' }), line).toBe('ask')
    expect(await action(line, { mode: 'auto', trusted: true }), line).toBe('allow')
  }
})

test('a rule for a class covers only what is known of it', async () => {
  const rules = [{ ...allow('go test'), class: 'building' as const }]
  expect(await action('go test ./...', { rules })).toBe('allow')
  expect(await action('go test -ldflags=-extld=./x', { rules })).toBe('ask')
  expect(await action('go test ./...', { mode: 'unrestricted', rules: [deny('go test')] })).toBe('deny')
})

test('where commands are denied, what is not seen through asks in mode unrestricted', async () => {
  const rules = [deny('evil')]
  for (const line of [
    '$X',
    'eval "$X"',
    'bash -c "$X"',
    'python -c "x"',
    'echo "',
    'x=$($Y)',
    'source f',
    'cat <(',
  ]) {
    expect(await action(line, { mode: 'unrestricted', rules }), line).toBe('ask')
    expect(await action(line, { mode: 'unrestricted' }), line).toBe('allow')
  }
  expect(await action('ls', { mode: 'unrestricted', rules })).toBe('allow')
})

test('where paths are denied, names that are not known may be those', async () => {
  const rules = [{ tool: '*', path: 'secret/**', action: 'deny' } as const]
  for (const line of ['cat $X', 'cp a $(x)', 'cd $X; cat y'])
    expect(await action(line, { mode: 'unrestricted', rules }), line).toBe('ask')
  expect(await action('cat s*/x', { mode: 'unrestricted', rules })).toBe('allow')
  expect(await action('cat src/x', { mode: 'unrestricted', rules })).toBe('allow')
})

describe('what git shows of tracked files', () => {
  let repo = ''
  beforeAll(() => {
    repo = folder('src')
    for (const name of ['src/a.ts', 'main.ts', '.env']) writeFileSync(join(repo, name), 'x\n')
    git(repo, 'init', '-q')
    git(repo, 'add', 'src', 'main.ts')
  })
  afterAll(() => remove(repo))
  const contents = [
    'git diff',
    'git show',
    'git log -p',
    "git grep ''",
    'git show HEAD~1',
    'git stash show',
    'git diff --stat -p',
  ]
  const others = [
    'git status',
    'git log --oneline',
    'git branch',
    'git show --stat',
    'git diff --name-only',
    'git diff -- src',
    'git log -p main.ts',
    'git grep x src',
    'git show HEAD:main.ts',
    'git blame main.ts',
  ]
  const decide = async (line: string, trusted: boolean) =>
    (await judge(bash(line), policyOf(repo, { mode: 'auto', trusted }))).action

  test('asks only where a secret is among them', async () => {
    for (const line of [...contents, ...others]) expect(await decide(line, false), line).toBe('allow')
    git(repo, 'add', '-f', '.env')
    for (const trusted of [false, true]) {
      for (const line of [
        ...contents,
        'git show 1a2b3c src',
        'git diff . src',
        'git log -L1,2:.env',
        'git show :0:.env',
      ])
        expect(await decide(line, trusted), line).toBe('ask')
      for (const line of others) expect(await decide(line, trusted), line).toBe('allow')
    }
    const only = [allow('=git diff')]
    expect((await judge(bash('git diff'), policyOf(repo, { rules: only }))).action).toBe('allow')
  })

  test('where settings lead elsewhere, git asks without trust', async () => {
    git(repo, 'config', 'core.worktree', '..')
    expect(await decide('git status', false)).toBe('ask')
    expect(await decide('git status', true)).toBe('allow')
  })
})
