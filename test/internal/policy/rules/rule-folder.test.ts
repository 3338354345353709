// Rules for commands, which apply in their directory.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import { ruleFolderGlob } from '../../../../internal/policy/rules/rule-folder.ts'
import { bash, folder, judge, policyOf, remove } from '../policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder('sub/deep', 'vendor')
})
afterAll(() => remove(ws))

const rule = (command: string, more: Partial<PermissionRule> = {}): PermissionRule => ({
  ...{ tool: 'bash', action: 'allow', command },
  ...more,
})

test.each([
  [rule('=./run.sh'), '.'],
  [rule('./run.sh'), '.'],
  [rule('tools/run'), '.'],
  [rule('npm test'), undefined],
  [rule('/usr/bin/x'), undefined],
  [rule('~/bin/x'), undefined],
  [rule('npm test', { cwd: 'sub' }), 'sub'],
  [rule('=x', { cwd: '**' }), undefined],
  [rule('=x', { action: 'deny' }), undefined],
  [{ tool: '*', action: 'allow' } as PermissionRule, undefined],
])('%j applies in %j', (ruleFields, expected) => expect(ruleFolderGlob(ruleFields)).toBe(expected))

test.each([
  ['./run.sh', undefined, '.', 'allow'],
  ['./run.sh', undefined, 'vendor', 'ask'],
  ['./run.sh', undefined, 'sub/deep', 'ask'],
  ['./run.sh', 'sub', 'sub', 'allow'],
  ['./run.sh', 'sub', '.', 'ask'],
  ['./run.sh', 'sub/**', 'sub/deep', 'allow'],
  ['./run.sh', 'sub', 'sub/deep', 'ask'],
  ['./run.sh', '**', 'vendor', 'allow'],
] as const)('exact and prefix %j with cwd %j in %j: %s', async (line, cwd, at, expected) => {
  for (const command of [`=${line}`, line]) {
    const rules = [rule(command, cwd === undefined ? {} : { cwd })]
    expect((await judge(bash(line, { cwd: at }), policyOf(ws, { rules }))).action, command).toBe(expected)
  }
})

test('a command that changes directory is checked in all of its directories', async () => {
  const under = (line: string, more: PermissionRule) =>
    judge(bash(line), policyOf(ws, { rules: [rule('cd'), more] })).then(({ action }) => action)
  expect(await under('cd vendor && npm test', rule('npm test'))).toBe('allow')
  expect(await under('cd vendor && npm test', rule('npm test', { cwd: '.' }))).toBe('ask')
  expect(await under('cd vendor && ./run.sh', rule('./run.sh'))).toBe('ask')
  expect(await under('cd vendor; npm test', rule('npm test', { action: 'deny', cwd: 'vendor' }))).toBe('deny')
  expect(await under('cd $X; npm test', rule('npm test', { action: 'deny', cwd: 'vendor' }))).toBe('deny')
  expect(await under('npm test', rule('npm test', { action: 'deny', cwd: 'vendor' }))).toBe('ask')
})
