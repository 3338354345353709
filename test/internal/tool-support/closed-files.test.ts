// Searches below a directory, which skip files that permission rules deny.
import { expect, test } from 'vitest'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { finder } from '../../../internal/tools/search/finder.ts'
import { grep } from '../../../internal/tools/search/grep.ts'
import { call, ctxWith } from '../../support/ctx.ts'
import { run } from '../../support/run.ts'
import { shareRows } from '../../support/sample.ts'
import { plant } from '../../support/search.ts'
import { policyOf } from '../policy/policies.ts'

const dir = plant({
  'a.ts': 'needle open\n',
  'secret/b.ts': 'needle closed\n',
  'src/secret.ts': 'needle open\n',
})
const rules: readonly Omit<PermissionRule, 'action'>[] = [
  { tool: 'read', path: 'secret/*' },
  { tool: 'read', path: 'secret' },
  { tool: 'grep', path: '**/b.ts' },
  { tool: '*', path: `${dir}/secret/**` },
  { tool: 'look_at', path: 'SECRET/[!a]*' },
  { tool: 'read', args: { path: 'secret/*' } },
]

test.each(rules)('%o', async (rule) => {
  for (const action of shareRows(['deny', 'ask'] as const, rules.indexOf(rule), 2)) {
    const policy = policyOf(dir, { rules: [{ ...rule, action }] })
    const ctx = ctxWith({ processes: { run } }, { cwd: dir, policy })
    for (const path of ['.', 'secret', dir]) {
      const { text } = await call(grep, { pattern: 'needle', path }, ctx)
      expect(text).not.toContain('closed\n')
      expect(text).not.toMatch(/needle closed/)
      if (path !== 'secret') expect(text).toContain('needle open')
      const more = await call(grep, { pattern: 'needle', path, output: 'lines' }, ctx)
      expect(more.text).not.toMatch(/needle closed/)
    }
    for (const mode of ['text', 'passage', 'files']) {
      const { text } = await call(finder, { query: mode === 'files' ? 'b.ts' : 'needle closed', mode }, ctx)
      // lines in brackets repeat the question
      expect(text.replace(/^\[.*\]$/gm, ''), mode).not.toMatch(/needle closed/)
    }
  }
  const open = ctxWith(
    { processes: { run } },
    { cwd: dir, policy: policyOf(dir, { rules: [{ ...rule, action: 'allow' }] }) },
  )
  expect((await call(grep, { pattern: 'needle' }, open)).text).toContain('needle closed')
})
