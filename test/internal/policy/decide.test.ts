// Tables of shell lines and calls against the gate as a whole; no part of it is replaced.
import { symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide, withStoredRules } from '../../../internal/policy/decide.ts'
import { choice, rng } from '../../support/rng.ts'
import { allowing, classes, forbidding, hidingPlaces, type Row, trusted } from './lines.ts'
import { allow, ask, bash, deny, file, folder, judge, policyOf, remove, rootsOf } from './policies.ts'

let workspace = ''
beforeAll(() => {
  workspace = folder('src', 'secret', '.git')
  writeFileSync(join(workspace, 'a.txt'), 'a')
  writeFileSync(join(workspace, 'src/a.ts'), 'a')
  writeFileSync(join(workspace, '.env'), 'A=1')
  writeFileSync(join(workspace, 'server.key'), 'k')
  symlinkSync(join(tmpdir(), 'anode-policy-nowhere'), join(workspace, 'link-out'))
})
afterAll(() => remove(workspace))

/** A row with its line in one visible piece, for the title of its test. */
const named = (row: Row) => ({ line: `${JSON.stringify(row[0])} in ${row[2]}`, row })

async function check([line, rules, mode, expected, reason]: Row) {
  const decision = await judge(bash(line), policyOf(workspace, { mode, rules }))
  const text = decision.reasons.map((one) => `${one.action} ${one.by}: ${one.text}`).join('\n')
  expect(decision.action, text).toBe(expected)
  if (reason) expect(text).toContain(reason)
  expect(decision.code === undefined, 'ask and deny have a code').toBe(expected === 'allow')
}

describe('commands', () => {
  test.each(allowing.map(named))('decides on $line with rules that allow', ({ row }) => check(row))
  test.each(forbidding.map(named))('decides on $line with rules that forbid', ({ row }) => check(row))
  test.each(classes.map(named))('decides on $line by its class', ({ row }) => check(row))
  test.each(hidingPlaces)('%s does not hide a program that a rule forbids', async (line) => {
    const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('evil')] })
    expect((await judge(bash(line), policy)).action).not.toBe('allow')
  })
  test.each([
    ...[
      'ls',
      'grep evil a.txt',
      'echo evil',
      'cp evil x',
      'git commit -m "evil x"',
      'npm test',
      'declare x=1',
      'read -r line < a.txt',
    ],
    'export CI=1; npm test',
    'rm -rf x',
    'docker build .',
  ])('%s need not ask for a rule that forbids another program', async (line) => {
    const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('evil')] })
    expect((await judge(bash(line), policy)).action).toBe('allow')
  })

  test.each(trusted.map(named))('$line by class, in a trusted workspace alone', async ({ row }) => {
    const [line, , mode] = row
    const policy = policyOf(workspace, { mode, trusted: true })
    expect((await judge(bash(line), policy)).action).toBe('allow')
    const without = await judge(bash(line), { ...policy, trusted: false })
    expect(without.action).toBe('ask')
    expect(without.reasons.map((one) => one.text).join()).toContain('untrusted')
  })

  test('checks every part of a command with many parts', async () => {
    const many = Array.from({ length: 150 }, () => 'true')
    const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('rm')] })
    for (const join of [' && ', '; ', ' | ', '\n']) {
      const decision = await judge(bash([...many, 'rm x'].join(join)), policy)
      expect(decision.action).toBe('deny')
    }
  })

  test('a command that is too long or too deeply nested needs approval', async () => {
    const policy = policyOf(workspace, { mode: 'unrestricted', rules: [deny('rm')] })
    expect((await judge(bash(`echo ${'x'.repeat(300_000)}`), policy)).action).toBe('ask')
    const deep = `${'('.repeat(20_000)}ls${')'.repeat(20_000)}`
    expect((await judge(bash(deep), policy)).action).toBe('ask')
    const wrapped = `${'env '.repeat(100)}rm x`
    expect((await judge(bash(wrapped), policy)).action).not.toBe('allow')
  })

  test('git commands that read need no approval in a trusted workspace', async () => {
    const policy = policyOf(workspace, { mode: 'auto', trusted: true })
    for (const line of ['git status', 'git log -1 --oneline', 'git diff HEAD -- src', 'git branch -a']) {
      expect((await judge(bash(line), policy)).action, line).toBe('allow')
    }
    for (const line of [
      'git push',
      'git branch x',
      'git show HEAD:.env',
      'git log --output=x',
      'git -c a=b log',
    ]) {
      expect((await judge(bash(line), policy)).action, line).toBe('ask')
    }
  })

  test('denies a command whose directory is outside of the workspace', async () => {
    const policy = policyOf(workspace, { mode: 'unrestricted' })
    const outside = await judge(bash('ls', { cwd: '..' }), policy)
    expect(outside).toMatchObject({ action: 'deny', code: 'outside_workspace' })
    expect((await judge(bash('ls', { cwd: 'src' }), policy)).action).toBe('allow')
    const relative = await judge(bash('echo x > ../a.txt', { cwd: 'src' }), policy)
    expect(relative.action).toBe('allow')
  })
})

describe('files', () => {
  const rows = [
    ['read', 'auto_read', 'a.txt', 'ask', [], 'allow', undefined],
    ['read', 'auto_read', '../x', 'unrestricted', [], 'deny', 'outside_workspace'],
    ['read', 'auto_read', '.env', 'ask', [], 'ask', 'sensitive_path'],
    ['read', 'auto_read', '.env', 'unrestricted', [], 'ask', 'sensitive_path'],
    [
      'read',
      'auto_read',
      '.env',
      'ask',
      [{ tool: 'read', path: '.env', action: 'allow' }],
      'allow',
      undefined,
    ],
    [
      'read',
      'auto_read',
      '.env',
      'ask',
      [{ tool: 'read', path: '**', action: 'allow' }],
      'ask',
      'sensitive_path',
    ],
    ['read', 'auto_read', 'a.txt', 'ask', [{ tool: '*', path: 'a.*', action: 'deny' }], 'deny', 'denied'],
    ['read', 'auto_read', 'a.txt', 'ask', [{ tool: 'read', path: 'a.txt', action: 'ask' }], 'ask', 'denied'],
    ['edit_file', 'confirm_write', 'a.txt', 'ask', [], 'ask', 'denied'],
    ['edit_file', 'confirm_write', 'a.txt', 'edits', [], 'allow', undefined],
    ['edit_file', 'confirm_write', 'a.txt', 'auto', [], 'allow', undefined],
    ['create_file', 'confirm_write', 'src/new.ts', 'auto', [], 'allow', undefined],
    ['create_file', 'confirm_write', '.env', 'auto', [], 'ask', 'sensitive_path'],
    ['create_file', 'confirm_write', '.github/workflows/x.yml', 'edits', [], 'ask', 'protected_path'],
    ['create_file', 'confirm_write', '../x', 'auto', [], 'deny', 'outside_workspace'],
    [
      'edit_file',
      'confirm_write',
      'a.txt',
      'auto',
      [{ tool: '*', path: 'a.*', action: 'ask' }],
      'ask',
      'denied',
    ],
    [
      'edit_file',
      'confirm_write',
      'a.txt',
      'auto',
      [{ tool: '*', path: 'a.*', action: 'deny' }],
      'deny',
      'denied',
    ],
    ['edit_file', 'confirm_write', 'a.txt', 'unrestricted', [], 'allow', undefined],
    [
      'edit_file',
      'confirm_write',
      'src/a.ts',
      'ask',
      [{ tool: 'edit_*', path: 'src/**', action: 'allow' }],
      'allow',
      undefined,
    ],
    [
      'edit_file',
      'confirm_write',
      'a.txt',
      'ask',
      [{ tool: 'edit_*', path: 'src/**', action: 'allow' }],
      'ask',
      'denied',
    ],
    [
      'edit_file',
      'confirm_write',
      'src/../a.txt',
      'ask',
      [{ tool: '*', path: 'src/**', action: 'allow' }],
      'ask',
      'denied',
    ],
    [
      'edit_file',
      'confirm_write',
      '.git/config',
      'unrestricted',
      [{ tool: '*', action: 'allow' }],
      'ask',
      'protected_path',
    ],
    [
      'edit_file',
      'confirm_write',
      '.git/config',
      'ask',
      [{ tool: '*', path: '.git/config', action: 'allow' }],
      'ask',
      'protected_path',
    ],
    [
      'edit_file',
      'confirm_write',
      'anode.json',
      'ask',
      [{ tool: '*', action: 'allow' }],
      'ask',
      'protected_path',
    ],
    [
      'edit_file',
      'confirm_write',
      '../x',
      'ask',
      [{ tool: '*', action: 'allow' }],
      'deny',
      'outside_workspace',
    ],
    [
      'create_file',
      'confirm_write',
      'a.txt',
      'ask',
      [{ tool: 'edit_file', path: 'a.txt', action: 'deny' }],
      'deny',
      'denied',
    ],
    [
      'create_file',
      'confirm_write',
      'a.txt',
      'ask',
      [{ tool: 'edit_file', path: 'a.txt', action: 'allow' }],
      'ask',
      'denied',
    ],
    ['read', 'auto_read', 'a\0b', 'unrestricted', [], 'deny', 'bad_args'],
  ] as const
  test.each(rows)(
    'the tool %s (%s) with the path %j in mode %s',
    async (tool, level, path, mode, rules, expected, code) => {
      const decision = await judge(file(tool, level, path), policyOf(workspace, { mode, rules }))
      expect(decision.action, JSON.stringify(decision.reasons)).toBe(expected)
      expect(decision.code).toBe(code)
    },
  )

  test('a rule must allow every file of a call', async () => {
    const scope = ['src/a.ts', 'a.txt'].map((path) => ({ kind: 'path', path, access: 'write' }) as const)
    const call = { tool: 'apply_patch', level: 'confirm_write', args: {}, scope } as const
    const rule = { tool: '*', path: 'src/**', action: 'allow' } as const
    expect((await judge(call, policyOf(workspace, { rules: [rule] }))).action).toBe('ask')
    const both = [rule, { tool: '*', path: '*.txt', action: 'allow' } as const]
    expect((await judge(call, policyOf(workspace, { rules: both }))).action).toBe('allow')
  })

  test('allows added directories and denies protected directories', async () => {
    const other = folder()
    const roots = rootsOf(workspace, { added: [other], protected: [join(workspace, 'secret')] })
    const policy = policyOf(workspace, { mode: 'unrestricted', roots })
    expect((await judge(file('create_file', 'confirm_write', join(other, 'x')), policy)).action).toBe('allow')
    const sandbox = await judge(file('create_file', 'confirm_write', 'secret/x'), policy)
    expect(sandbox).toMatchObject({ action: 'deny', code: 'protected_path' })
    expect((await judge(file('read', 'auto_read', 'secret/x'), policy)).action).toBe('allow')
    expect((await judge(bash('echo x > secret/y'), policy)).action).toBe('deny')
    expect((await judge(bash('echo x > $Y'), policy)).action).toBe('ask')
    expect(await judge(bash('rm -rf secret/y'), policy)).toMatchObject({
      action: 'ask',
      code: 'protected_path',
    })
    expect((await judge(bash('rm -rf src/y'), policy)).action).toBe('allow')
    expect((await judge(bash('cat secret/y'), policy)).action).toBe('allow')
    remove(other)
  })
})

describe('other calls', () => {
  test('decides on hosts', async () => {
    const call = {
      tool: 'web_fetch',
      level: 'external_read',
      args: {},
      scope: [{ kind: 'host', host: 'Docs.Example.COM.' }],
    } as const
    const rules = (action: 'deny' | 'ask', host: string) => [{ tool: '*', host, action }]
    expect((await judge(call, policyOf(workspace))).action).toBe('allow')
    expect((await judge(call, policyOf(workspace, { rules: rules('deny', '*.example.com') }))).action).toBe(
      'deny',
    )
    expect((await judge(call, policyOf(workspace, { rules: rules('deny', 'example.com') }))).action).toBe(
      'allow',
    )
  })

  test('rules match arguments of unknown tools', async () => {
    const call = {
      tool: 'mcp__git__push',
      level: 'confirm_execute',
      args: { branch: ['main', 'x'] },
      scope: [],
    } as const
    const rule = (action: 'allow' | 'deny', branch: string) => ({ tool: 'mcp__*', action, args: { branch } })
    const under = async (...rules: ReturnType<typeof rule>[]) =>
      (await judge(call, policyOf(workspace, { rules }))).action
    expect(await under()).toBe('ask')
    expect(await under(rule('allow', 'm*'))).toBe('ask')
    expect(await under(rule('allow', '/^(main|x)$/'))).toBe('allow')
    expect(await under(rule('allow', '*'), rule('deny', 'main'))).toBe('deny')
    expect(await under(rule('deny', '/^feature/'))).toBe('ask')
  })

  test('also decides on a command in a call of another tool', async () => {
    const call = {
      tool: 'init_experiment',
      level: 'confirm_write',
      args: {},
      scope: [{ kind: 'command', line: 'npm test' }],
    } as const
    expect((await judge(call, policyOf(workspace))).action).toBe('ask')
    expect((await judge(call, policyOf(workspace, { mode: 'auto' }))).action).toBe('ask')
    expect((await judge(call, policyOf(workspace, { mode: 'unrestricted' }))).action).toBe('allow')
    const denied = policyOf(workspace, { mode: 'unrestricted', rules: [deny('npm test')] })
    expect((await judge(call, denied)).action).toBe('deny')
    const rule = { tool: 'init_experiment', command: 'npm test', action: 'allow' } as const
    expect((await judge(call, policyOf(workspace, { rules: [rule] }))).action).toBe('allow')
  })

  test('an error inside the gate needs approval', async () => {
    const broken = { tool: 'read', action: 'deny', args: { path: '/(/' } } as const
    const decision = await judge(file('read', 'auto_read', 'a.txt'), policyOf(workspace, { rules: [broken] }))
    expect(decision).toMatchObject({ action: 'ask', code: 'denied' })
    expect(decision.reasons[0]).toMatchObject({ by: 'gate' })
  })

  test('with a parent agent: 300 commands keep their parts, and no part is less strict than for either agent', async () => {
    const next = rng(11)
    const commands = [
      'cat a.txt',
      'npm test',
      'git push',
      'rm a.txt',
      'ls src',
      'echo x > out',
      'curl y',
      'git commit -m x',
    ]
    const order = ['allow', 'ask', 'deny']
    const some = () =>
      [0, 1].map(() => choice(next, [allow, deny, ask])(choice(next, commands).replace(/ >.*/, '')))
    for (let i = 0; i < 300; i++) {
      const line = [0, 1, 2].map(() => choice(next, commands)).join(choice(next, [' && ', '; ', ' | ']))
      const one = (mode: 'ask' | 'auto' | 'unrestricted') =>
        policyOf(workspace, { mode, trusted: next() < 0.5, rules: some() })
      const [own, parent] = [one(choice(next, ['auto', 'unrestricted'])), one(choice(next, ['ask', 'auto']))]
      const facts = await resolveFacts(bash(line), own, workspace)
      const [alone, above, both] = [own, parent, { ...own, parents: [parent] }].map((policy) =>
        decide(facts, policy),
      )
      const at = (decision: typeof alone) => order.indexOf(decision?.action ?? '')
      expect(at(both), line).toBe(Math.max(at(alone), at(above)))
      expect(both?.parts?.length, line).toBe(alone?.parts?.length)
      for (const [place, part] of (both?.parts ?? []).entries()) {
        const strictest = [alone, above].map((decision) =>
          order.indexOf(decision?.parts?.[place]?.action ?? ''),
        )
        expect(order.indexOf(part.action), line).toBe(Math.max(...strictest))
      }
      // what is offered lifts the question of both, or nothing is
      if (both?.action !== 'ask' || !both.always) continue
      const kept = both.always.map(({ rule }) => rule)
      expect(decide(facts, withStoredRules({ ...own, parents: [parent] }, kept)).action, line).toBe('allow')
    }
  })

  test('deciding is pure: the same facts give the same decision', async () => {
    const policy = policyOf(workspace, { rules: [allow('npm test'), deny('rm')] })
    const facts = await resolveFacts(bash('npm test && rm x > y'), policy, workspace)
    const before = JSON.stringify(facts)
    expect(decide(facts, policy)).toEqual(decide(facts, policy))
    expect(JSON.stringify(facts)).toBe(before)
  })
})
