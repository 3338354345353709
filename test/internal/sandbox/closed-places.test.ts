// Rules that close files to reading, against programs in the sandbox whose words do not name the files.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closedPaths } from '../../../internal/policy/closed-paths.ts'
import type { Policy } from '../../../internal/policy/policy.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { createRunner, type ProcessRunner } from '../../../internal/process/run-command.ts'
import {
  type ExecutionStage,
  runCommandOnce,
} from '../../../internal/research/measure/benchmark-execution.ts'
import { closedInCheckout } from '../../../internal/research/measure/closed-places.ts'
import { openSessionSandbox } from '../../../internal/runtime/processes/session-sandbox.ts'
import { commandSandbox } from '../../../internal/tool-support/command-sandbox.ts'
import { runProgram } from '../../../internal/toolbox/program-run.ts'
import { ctxWith } from '../../support/ctx.ts'
import { git } from '../../support/repo.ts'
import { shareRows } from '../../support/sample.ts'
import { plant } from '../../support/scratch.ts'
import { quoteWord } from '../../support/shell-word.ts'
import { policyOf } from '../policy/policies.ts'

let root = ''
let dir = ''
let runner: ProcessRunner

beforeAll(async () => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'anode-closed-')))
  dir = join(root, 'home/work')
  const env = { PATH: process.env['PATH'], HOME: join(root, 'home'), GIT_CONFIG_SYSTEM: '/dev/null' }
  mkdirSync(dir, { recursive: true })
  const data = join(root, 'data')
  const probe = createRunner({ dataDir: data, env })
  const sandbox = await openSessionSandbox('auto', { data, env, run: probe.run })
  runner = createRunner({ dataDir: data, env, sandbox: sandbox.enter })
})
afterAll(async () => {
  await runner.close()
  rmSync(root, { recursive: true, force: true })
})

function build(): void {
  rmSync(dir, { recursive: true, force: true })
  plant(dir, {
    ...{
      'src/a.txt': 'open\n',
      'secret/changed.txt': 'closed-committed\n',
      'secret/same.txt': 'closed-same\n',
    },
    ...{ 'read.py': python, 'read.mjs': node },
  })
  git(dir, 'init', '-q', '-b', 'main')
  git(dir, 'add', '-A')
  git(dir, 'commit', '-qm', 'first')
  plant(dir, {
    ...{ 'secret/changed.txt': 'closed-working\n', 'secret/new.txt': 'closed-new\n', 'src/b.txt': 'open\n' },
    'secret/deep/new.txt': 'closed-deep\n',
  })
  symlinkSync('../secret/new.txt', join(dir, 'src/link.txt'))
}

const python = `import os
for at, dirs, files in os.walk('.'):
    if '.git' not in at:
        for name in files:
            if name.endswith('.txt'): print(open(os.path.join(at, name)).read())
`
const node = `import { readdirSync, readFileSync } from 'node:fs'
for (const entry of readdirSync('.', { recursive: true }))
  if (entry.endsWith('.txt') && !entry.startsWith('.git')) console.log(readFileSync(entry, 'utf8'))
`

/** Each prints every file of the working directory that it can open. */
const programs: Record<string, string> = {
  cat: 'cat $(printf "s%s" rc/a.txt) s*/*.txt s*/deep/*',
  python: 'python3 read.py',
  node: 'node read.mjs',
  tar: 'tar cf - src secret | tr -d "\\\\0"',
  'git without an index':
    'git grep --no-index -h "" -- "*.txt"; git diff --no-index /dev/null secret/new.txt',
  'git with its index': 'git diff; git grep -h "" -- "*.txt"; git diff --stat HEAD',
  hash: 'git hash-object secret/* 2>/dev/null; cat src/a.txt',
}

const rules: readonly Omit<PermissionRule, 'action'>[] = [
  ...[
    'secret/*',
    'secret/**',
    'secret',
    'secret/',
    './secret/*',
    '**/secret/**',
    's[!x]cret/*',
    'SECRET/*',
  ].map((path) => ({ tool: 'read', path })),
  ...['{secret,other}/**', 's?cret//*', '/ROOT/secret/**'].map((path) => ({ tool: 'read', path })),
  ...['grep', 'look_at', '*', 'm*_read', 'finder'].map((tool) => ({ tool, path: 'secret/**' })),
  { tool: 'read', args: { path: 'secret/*' } },
]

const said = new Set<string>()

async function bash(
  line: string,
  rule: PermissionRule,
  over: { inParent?: boolean; allowed?: boolean } = {},
) {
  const below = policyOf(dir, { rules: [] })
  const own = policyOf(dir, { rules: [rule] })
  const policy = over.inParent ? { ...below, parents: [own] } : own
  const sandbox = await commandSandbox(
    ctxWith({}, { cwd: dir, policy, call: { held: over.allowed !== true } }),
  )
  const author = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.org' }
  const committer = { GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.org' }
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), ...author, ...committer }
  return runner.run({ file: 'bash', args: ['-c', line], cwd: dir, env, timeoutMs: 30_000, sandbox })
}

test.each(rules.map((rule, i) => [JSON.stringify(rule), i] as const))(
  '%s',
  { timeout: 60_000 },
  async (_, i) => {
    build()
    const action = i % 2 === 0 ? 'deny' : 'ask'
    const given = rules[i] as PermissionRule
    const path = given.path?.replace('/ROOT', dir)
    const rule: PermissionRule = { ...given, ...(path !== undefined && { path }), action }
    const line = shareRows(Object.values(programs), i, 2).join('\n')
    for (const inParent of [false, true]) {
      const { stdout, stderr, sandbox } = await bash(line, rule, { inParent })
      expect(stdout.text).toContain('open')
      // git prints what its history contains
      const closed = line.includes('git diff;') ? /closed-(working|new|deep)/ : /closed-/
      expect(stdout.text + stderr.text).not.toMatch(closed)
      for (const text of sandbox?.hidden ?? []) said.add(text)
    }
    const open = await bash('cat secret/new.txt', { ...rule, action: 'allow' })
    expect(open.stdout.text).toBe('closed-new\n')
  },
)

test.each(rules.map((rule, i) => [JSON.stringify(rule), i] as const))(
  'a program of the toolbox, %s',
  async (_, i) => {
    build()
    const given = rules[i] as PermissionRule
    const path = given.path?.replace('/ROOT', dir)
    const rule: PermissionRule = { ...given, ...(path !== undefined && { path }), action: 'deny' }
    const ctx = ctxWith(
      { processes: { run: runner.run } },
      { cwd: dir, policy: policyOf(dir, { rules: [rule] }) },
    )
    const command = { file: process.execPath, args: ['read.mjs'] }
    const { text } = await runProgram({ name: 'reader', command, seconds: 30, isWorkspaces: true }, ctx)
    expect(text).toContain('open')
    expect(text).not.toMatch(/closed-/)
  },
)

test.each(rules.map((rule, i) => [JSON.stringify(rule), i] as const))(
  'a measured command, %s',
  { timeout: 30_000 },
  async (_, i) => {
    build()
    const given = rules[i] as PermissionRule
    const path = given.path?.replace('/ROOT', dir)
    const rule: PermissionRule = { ...given, ...(path !== undefined && { path }), action: 'deny' }
    const named = join(dir, 'secret/new.txt')
    const measure = async (policy: Policy) => {
      const closed = closedPaths(policy)
      const checkout = join(root, 'checkout')
      rmSync(checkout, { recursive: true, force: true })
      cpSync(dir, checkout, {
        recursive: true,
        verbatimSymlinks: true,
        filter: (one) => !one.endsWith('.git'),
      })
      const stage: ExecutionStage = {
        ...{ run: runner.run, cwd: checkout, env: { PATH: process.env['PATH'] ?? '' }, sandboxed: true },
        ...{ fresh: join(root, 'fresh'), signal: new AbortController().signal },
        isolated: {
          ...{
            checkout,
            cwd: '/tmp/anode/checkout',
            keep: [],
            cover: [],
            mask: [],
            locked: ['secret/same.txt'],
          },
          // a word of the command that is a path
          shown: [named],
          ...(closed && { closed: closedInCheckout(closed, checkout, dir) }),
        },
      }
      const command = `node read.mjs; cat ${quoteWord(named)}; ${programs['tar']}`
      return (await runCommandOnce(stage, { command, timeoutMs: 30_000 })).outcome
    }
    const { stdout, sandbox } = await measure(policyOf(dir, { rules: [rule] }))
    expect(stdout.text).toContain('open')
    expect(stdout.text).not.toMatch(/closed-/)
    expect(sandbox?.hidden?.join('\n')).toMatch(
      /^\/tmp\/anode\/checkout\/secret.* is closed by a permission rule$/m,
    )
    const open = await measure(policyOf(dir, { rules: [{ ...rule, action: 'allow' }] }))
    expect(open.stdout.text.match(/closed-new/g)).toHaveLength(4)
  },
)

test('the results report each closed file once', () => {
  for (const path of ['secret/new.txt', 'secret/changed.txt'])
    expect([...said]).toContain(`${join(dir, path)} is closed by a permission rule`)
})

test('git sees no change in closed files, and a commit keeps them', async () => {
  build()
  const rule: PermissionRule = { tool: 'read', path: 'secret/**', action: 'deny' }
  const held = await bash('git status --porcelain; cat src/a.txt', rule)
  expect(held.stdout.text).not.toMatch(/ [MD] secret/)
  expect(held.stdout.text).toContain('open')
  const allowed = await bash(
    'cat secret/*.txt; git add -A && git commit -qm second && git status --porcelain',
    rule,
    {
      allowed: true,
    },
  )
  expect(allowed.stdout.text).not.toMatch(/closed-(working|new|deep)/)
  expect(allowed).toMatchObject({ exit: 0, stderr: { text: '' } })
  expect(git(dir, 'show', 'HEAD:secret/changed.txt')).toBe('closed-committed\n')
  expect(git(dir, 'ls-files', 'secret')).toBe('secret/changed.txt\nsecret/same.txt\n')
  expect(git(dir, 'show', '--stat', '--format=%s')).not.toContain('secret/')
})

test('a file that a rule asks about is open to a command that the user approved by its name', async () => {
  build()
  const rule: PermissionRule = { tool: 'read', path: 'secret/*', action: 'ask' }
  const named = join(dir, 'secret/new.txt')
  const ctx = ctxWith(
    {},
    { cwd: dir, policy: policyOf(dir, { rules: [rule] }), call: { held: false, approved: true } },
  )
  const sandbox = await commandSandbox({
    ...ctx,
    call: { ...ctx.call, judgedPaths: new Map([[named, named]]) },
  })
  const done = await runner.run({
    ...{ file: 'bash', args: ['-c', 'cat secret/new.txt secret/changed.txt'], cwd: dir, sandbox },
    timeoutMs: 30_000,
  })
  expect(done.stdout.text).toContain('closed-new')
  expect(done.stdout.text).not.toContain('closed-working')
})

test('files that a command makes in a closed directory are hidden from the next one', async () => {
  build()
  const rule: PermissionRule = { tool: 'read', path: 'made/**', action: 'deny' }
  await bash('mkdir made; echo closed-made > made/x.txt', rule)
  expect((await bash('cat made/* ; echo end', rule)).stdout.text).toBe('end\n')
})
