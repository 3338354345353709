// The calls that a reviewer of approvals may answer, in every mode.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide } from '../../../internal/policy/decide.ts'
import { modes } from '../../../internal/policy/level.ts'
import type { PolicyCall } from '../../../internal/policy/policy.ts'
import { judgeReview } from '../../../internal/policy/review-scope.ts'
import { ask, bash, file, folder, policyOf, remove, rootsOf } from './policies.ts'

let workspace = ''
beforeAll(() => {
  workspace = folder('src', '.git', 'dist', 'kept')
  for (const name of ['package.json', 'src/a.ts', '.env', 'kept/a.txt'])
    writeFileSync(join(workspace, name), '{}')
  mkdirSync(join(workspace, '.git/hooks'))
})
afterAll(() => remove(workspace))

const review = async (
  call: PolicyCall,
  more: Parameters<typeof policyOf>[1] & { also?: string[]; sandboxed?: boolean } = {},
) => {
  const { also = [], sandboxed = true, ...settings } = more
  const policy = { ...policyOf(workspace, { mode: 'auto', ...settings }), trusted: true }
  return judgeReview(await resolveFacts(call, policy, workspace, sandboxed), policy, also)
}

/** Commands that change only the workspace and its history. */
const open = [
  'git add -A && git commit -m "Fix it"',
  'git stash',
  'git checkout -b topic',
  'git switch -c topic',
  'git reset --hard',
  'cd src && git add a.ts',
  'git status && git commit -m x',
  'rm -rf src',
]

describe.each(modes)('in mode %s', (mode) => {
  test.each(open)('%s', async (line) => {
    expect(await review(bash(line), { mode })).toEqual({ barred: undefined, held: false })
  })
  test('a command that the sandbox contains stays without access to the history', async () => {
    expect(await review(bash('node x.js'), { mode })).toEqual({ barred: undefined, held: true })
  })
})

/** Commands that only the user answers. */
const barred = [
  'git push origin main',
  'git pull',
  'git push --force && git commit -m x',
  'npm publish',
  'gh pr create',
  'twine upload dist/x',
  'git config core.hooksPath x',
  'git -c core.hooksPath=x commit -m x',
  'GIT_DIR=/tmp/x git commit -m x',
  'git remote add x https://x.invalid/y',
  'git rebase -x ./run.sh main',
  'git submodule add https://x.invalid/y',
  'git filter-branch --all',
  'git unknown-command',
  'git commit -m "$(cat .env)"',
  'sh run.sh && git commit -m x',
  'npm test && git commit -m x',
  './git commit -m x',
  'sudo git commit -m x',
  'bash -c "git reset --hard"',
  'rm -rf ../other',
  'rm -rf "$DIR"',
  'cat .env',
  'cat ~/.ssh/id_rsa',
  'git add .env && git commit -m x',
  'echo x > .git/hooks/pre-commit',
  'echo x >> .github/workflows/ci.yml',
  'echo x > AGENTS.md',
  'echo x > .mcp.json',
  'anode trust .',
  'anode mcp add x -- y',
  'anode cron add @daily --execute x',
  '/usr/bin/anode permissions forget 1',
  'hg commit -m x',
]

describe.each(modes)('only the user answers in mode %s', (mode) => {
  test.each(barred)('%s', async (line) => {
    const { barred: why, held } = await review(bash(line), { mode })
    expect([line, why === undefined, held]).toEqual([line, false, false])
  })
})

test('no command is open that no sandbox contains', async () => {
  for (const line of [...open, ...barred])
    expect(await review(bash(line), { sandboxed: false })).toMatchObject({ barred: expect.any(String) })
})

const needs = (line: string, scope: PolicyCall['scope']): PolicyCall => {
  const call = bash(line)
  return { ...call, scope: [...call.scope, ...scope] }
}

/** Calls with more than a command. */
const others: Readonly<Record<string, PolicyCall>> = {
  network: needs('npm ci', [{ kind: 'host', host: 'packages.example.org' }]),
  write: needs('npm ci', [{ kind: 'path', path: '/tmp', access: 'write', granted: true }]),
  typed: {
    ...bash('git commit -m x'),
    scope: [{ kind: 'command', line: 'git commit -m x', typed: {} }],
  },
  edit: file('edit_file', 'confirm_write', 'src/a.ts'),
  instructions: file('create_file', 'confirm_write', 'AGENTS.md'),
  outside: file('create_file', 'confirm_write', '../x'),
  mcp: { tool: 'mcp__docs__send', level: 'confirm_execute', args: {}, scope: [] },
  cron: { tool: 'cron', level: 'confirm_execute', args: { action: 'create' }, scope: [] },
  mail: { tool: 'send_message', level: 'confirm_execute', args: {}, scope: [] },
}

test.each(Object.entries(others))('only the user answers a call with %s', async (_, call) => {
  expect((await review(call, { sandboxed: call.tool === 'bash' })).barred).toEqual(expect.any(String))
})

test('the user opens single hosts and tools', async () => {
  const also = ['network:packages.example.org', 'tool:mcp__docs__send', 'tool:create_file']
  const { network, mcp, instructions, outside, cron, write } = others as Record<string, PolicyCall>
  const answer = async (call: PolicyCall | undefined, sandboxed: boolean) =>
    (await review(call as PolicyCall, { also, sandboxed })).barred === undefined
  expect(await answer(network, true)).toBe(true)
  expect(await answer(mcp, false)).toBe(true)
  const two = needs('npm ci', [
    ...(network?.scope.slice(1) ?? []),
    { kind: 'host', host: 'other.example.org' },
  ])
  for (const [call, sandboxed] of [
    [two, true],
    [write, true],
    [instructions, false],
    [outside, false],
    [cron, false],
  ] as const)
    expect([call?.tool, await answer(call, sandboxed)]).toEqual([call?.tool, false])
})

test('a rule of the user that asks or denies stays with the user, also for the agent above', async () => {
  const rules = [ask('git commit')]
  const commit = bash('git commit -m x')
  expect((await review(commit, { rules })).barred).toEqual(expect.any(String))
  const parents = [policyOf(workspace, { mode: 'auto', rules })]
  expect((await review(commit, { parents })).barred).toEqual(expect.any(String))
  const roots = rootsOf(workspace, { protected: [join(workspace, 'kept')] })
  expect((await review(bash('rm -rf kept'), { roots })).barred).toEqual(expect.any(String))
})

test('a call that is denied never becomes open', async () => {
  for (const line of [...open, ...barred]) {
    const rules = [{ tool: 'bash', action: 'deny' as const }]
    const policy = policyOf(workspace, { mode: 'auto', rules })
    const facts = await resolveFacts(bash(line), policy, workspace, true)
    expect(decide(facts, policy).action).toBe('deny')
    expect(judgeReview(facts, policy, []).barred).toEqual(expect.any(String))
  }
})
