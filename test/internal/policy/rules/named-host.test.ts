// Hosts that a rule names: by tool and host without patterns, under the rule's own conditions.
import { expect, test } from 'vitest'
import { isHostNamed } from '../../../../internal/policy/rules/named-host.ts'
import type { PermissionRule } from '../../../../internal/policy/rules/permission-rule.ts'
import { ctxWith } from '../../../support/ctx.ts'

const call = {
  tool: 'web_fetch',
  level: 'external_read',
  args: { url: 'http://wiki.corp/a' },
  scope: [],
} as const
const named: PermissionRule = { tool: 'web_fetch', host: 'Wiki.Corp.', action: 'allow' }

test.each<[PermissionRule, boolean]>([
  [named, true],
  [{ ...named, args: { url: 'http://wiki.corp/*' } }, true],
  [{ ...named, args: { url: 'http://wiki.corp/b' } }, false],
  [{ ...named, agent: 'subagent' }, false],
  [{ ...named, action: 'ask' }, false],
  [{ ...named, host: '*.corp' }, false],
  [{ ...named, tool: 'web_*' }, false],
])('%j: %s', (rule, expected) => {
  const { policy } = ctxWith()
  expect(isHostNamed({ ...policy, rules: [rule] }, call, 'wiki.corp')).toBe(expected)
})
