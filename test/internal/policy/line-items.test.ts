// The items of a command: the decisions from classes, trust and doubt.
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

test('git commands that only read need no trust, alone or with other reading commands', async () => {
  for (const line of ['git status', 'git log -1 | head', 'git diff -- src; ls', 'git status && git log -1']) {
    expect(await action(line, { mode: 'auto' }), line).toBe('allow')
    expect(await action(line, { mode: 'auto', trusted: true }), line).toBe('allow')
  }
  // With or without trust: the rest of a command never lets git obey the repository.
  const rules = [allow('npm test'), allow('touch')]
  for (const line of ['npm test && git status', 'touch x; git diff', 'git log | npm test']) {
    expect(await action(line, { mode: 'auto', rules }), line).toBe('ask')
    expect(await action(line, { mode: 'auto', rules, trusted: true }), line).toBe('ask')
    expect(await foldersOfGit(line, ws, {}), line).toBeUndefined()
  }
  for (const line of ['node --version; git diff HEAD src', 'git status && git --version; ls']) {
    expect(await action(line, { mode: 'auto', trusted: true }), line).toBe('allow')
    expect(await foldersOfGit(line, ws, {}), line).toEqual([ws])
  }
})

test('commands that run or use files of the workspace are allowed only with trust', async () => {
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

test('a rule for a class covers only its known commands', async () => {
  const rules = [{ ...allow('go test'), class: 'building' as const }]
  expect(await action('go test ./...', { rules })).toBe('allow')
  expect(await action('go test -ldflags=-extld=./x', { rules })).toBe('ask')
  expect(await action('go test ./...', { mode: 'unrestricted', rules: [deny('go test')] })).toBe('deny')
})

test('with denied commands, an unreadable command needs approval in mode unrestricted', async () => {
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

test('with denied paths, an unknown name may be one of them', async () => {
  const rules = [{ tool: '*', path: 'secret/**', action: 'deny' } as const]
  for (const line of ['cat $X', 'cp a $(x)', 'cd $X; cat y'])
    expect(await action(line, { mode: 'unrestricted', rules }), line).toBe('ask')
  expect(await action('cat s*/x', { mode: 'unrestricted', rules })).toBe('allow')
  expect(await action('cat src/x', { mode: 'unrestricted', rules })).toBe('allow')
})

describe('git commands that show tracked files', () => {
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

  test('need approval only if a secret is among the files', async () => {
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

  test('need approval without trust if git settings lead elsewhere', async () => {
    git(repo, 'config', 'core.worktree', '..')
    expect(await decide('git status', false)).toBe('ask')
    expect(await decide('git status', true)).toBe('allow')
  })
})

describe('a command may write below its TMPDIR', () => {
  const temporary = '/tmp/anode-0123456789abcdef0123'
  const own = (more: Parameters<typeof policyOf>[1] = {}) => ({
    mode: 'auto' as const,
    roots: { workspace: ws, added: [], protected: [], own: [], temporary },
    ...more,
  })

  test.each([
    'echo x > $TMPDIR/a',
    'ls | sort > "$TMPDIR/a b"; wc -l "$TMPDIR/a b"',
    'cat ${TMPDIR}/a >> ${TMPDIR}/deep/b 2>&1',
    `echo x > ${temporary}/a`,
  ])('%s needs no approval, only in mode auto', async (line) => {
    expect(await action(line, own())).toBe('allow')
    expect(await action(line, own({ mode: 'edits' }))).toBe('ask')
    expect(await action(line, own({ preset: 'careful' }))).toBe('ask')
    expect(await action(line, { mode: 'auto' })).not.toBe('allow')
  })

  // The decision and the runner must read such a command with the same knowledge, or git would
  // obey the repository.
  test.each([
    'git status > "${TMPDIR}/a"',
    'ls; g"i"t log -1 2> $TMPDIR/a',
    'git diff -- src | wc -l >> $TMPDIR/a',
  ])('%s needs no approval and runs hardened', async (line) => {
    expect(await action(line, own())).toBe('allow')
    expect(await foldersOfGit(line, ws, own().roots)).toEqual([ws])
    expect(await foldersOfGit(line, ws, {})).toBeUndefined()
  })

  test.each([
    'echo x > $TMPDIR/../a',
    'echo x > ${TMPDIR}x/a',
    'echo x > ${TMPDIR%/*}/a',
    'TMPDIR=/etc; echo x > $TMPDIR/a',
    'read TMPDIR < a; echo x > $TMPDIR/a',
    'printf -v T"MP"DIR /etc; echo x > $TMPDIR/a',
    "export T'MP'DIR=/etc; echo x > $TMPDIR/a",
    "unset T'MP'DIR; echo x > $TMPDIR/a",
    "declare -n r=T'MP'DIR; r=/etc; echo x > $TMPDIR/a",
    'for T"MP"DIR in /etc; do echo x > $TMPDIR/a; done',
    'IFS=/; cat $TMPDIR/a',
    "env -i bash -c 'echo x > $TMPDIR/a'",
    "sudo sh -c 'echo x > $TMPDIR/a'",
    'source ./set; echo x > $TMPDIR/a',
    './own > $TMPDIR/a',
  ])('%s needs approval or is denied', async (line) => {
    expect(await action(line, own())).not.toBe('allow')
  })

  test('does not apply to a persistent shell, whose TMPDIR may differ', async () => {
    const call = bash('echo x > $TMPDIR/a')
    const [scope] = call.scope
    const typed = { ...call, scope: [{ ...scope, typed: {} }] } as typeof call
    expect((await judge(typed, policyOf(ws, own()))).action).toBe('ask')
  })
})

describe('a denied word in a command that cannot be fully read', () => {
  const parts = (count: number) => Array.from({ length: count }, (_, i) => `echo ${i}`).join('; ')
  const unreadable = [
    ...[
      parts(500),
      `echo ${'a'.repeat(20_000)}`,
      'echo "',
      'echo \u00a0',
      'echo a\\\nb',
      'x#\n=1',
      '((1 #\n))',
    ],
    ...['select x in a; do ls; done', 'x=(a b)', '$y', 'eval "$y"', 'echo a | $y', 'cat <<E'],
  ]
  const denied = [
    'rm x',
    '"rm" x',
    "'rm' -r",
    '\\rm x',
    '/bin/rm x',
    '$(rm x)',
    '`rm x`',
    'r""m x',
    'r\\\nm x',
  ]
  const lines = unreadable.flatMap((doubt) =>
    denied.flatMap((word) => [`${word}; ${doubt}`, `${doubt}\n${word}`]),
  )

  test('denies in every mode and sandbox', async () => {
    expect(lines.length).toBeGreaterThanOrEqual(200)
    for (const line of lines)
      for (const mode of ['auto', 'unrestricted'] as const)
        expect(await action(line, { mode, rules: [deny('rm')] }), line.slice(0, 60)).toBe('deny')
  })

  test('needs approval if the word is another one', async () => {
    for (const doubt of unreadable.filter((line) => !/^echo (?:a\\|0;)/.test(line)))
      expect(await action(doubt, { mode: 'unrestricted', rules: [deny('rm')] }), doubt.slice(0, 60)).toBe(
        'ask',
      )
  })
})
