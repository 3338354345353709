// The rule offered for "always" lifts exactly the question that was asked.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bash, deny, file, folder, judge, policyOf, remove } from './policies.ts'

let workspace = ''
beforeAll(() => {
  workspace = folder('.git')
})
afterAll(() => remove(workspace))

describe('always', () => {
  const rows = [
    ['npm test', { command: 'npm test' }],
    ['npm run build --silent', { command: 'npm run build' }],
    ['git push origin main', { command: 'git push' }],
    ['ls -la', { command: 'ls' }],
    ['rm a', { command: '=rm a' }],
    ['./x.sh a', { command: '=./x.sh a' }],
    ['git push $X', { command: '=git push $X' }],
    ['sudo ls', { command: '=sudo ls' }],
    ['ls > out', { command: '=ls > out' }],
    ['npm test && make x', { command: '=npm test && make x' }],
    ['echo "', { command: '=echo "' }],
    ['echo x > .git/config', undefined],
  ] as const
  test.each(rows)('for %j', async (line, rule) => {
    const policy = policyOf(workspace)
    const decision = await judge(bash(line), policy)
    expect(decision.action).toBe('ask')
    expect(decision.always).toEqual(rule && { tool: 'bash', action: 'allow', ...rule })
    if (!decision.always) return
    const next = await judge(bash(line), { ...policy, rules: [decision.always] })
    expect(next.action, 'the rule that is offered lifts the question').toBe('allow')
  })

  test('for files: the one path, escaped', async () => {
    writeFileSync(join(workspace, '[id].ts'), '')
    const call = file('edit_file', 'confirm_write', '[id].ts')
    const { always } = await judge(call, policyOf(workspace))
    expect(always).toEqual({ tool: 'edit_file', action: 'allow', path: '\\[id\\].ts' })
    const rules = always ? [always] : []
    expect((await judge(call, policyOf(workspace, { rules }))).action).toBe('allow')
    const other = file('edit_file', 'confirm_write', 'i.ts')
    expect((await judge(other, policyOf(workspace, { rules }))).action).toBe('ask')
    const secret = file('read', 'auto_read', '.env')
    const named = (await judge(secret, policyOf(workspace))).always
    expect((await judge(secret, policyOf(workspace, { rules: named ? [named] : [] }))).action).toBe('allow')
  })

  test('none where a rule asks, where a guarded file is meant, and for deny', async () => {
    const asks = policyOf(workspace, { rules: [{ tool: 'bash', command: 'ls', action: 'ask' }] })
    expect((await judge(bash('ls'), asks)).always).toBeUndefined()
    expect(
      (await judge(file('edit_file', 'confirm_write', '.git/x'), policyOf(workspace))).always,
    ).toBeUndefined()
    const denies = policyOf(workspace, { rules: [deny('ls')] })
    expect((await judge(bash('ls'), denies)).always).toBeUndefined()
  })
})
