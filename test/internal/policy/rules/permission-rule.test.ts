// The schema of rules in configuration files.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { configSchema } from '../../../../internal/config/published.ts'
import { type PermissionRule, rulesSchema } from '../../../../internal/policy/rules/permission-rule.ts'

test('a full rule passes as it is', () => {
  const rule: PermissionRule = {
    tool: 'bash',
    action: 'deny',
    command: 'rm',
    path: 'x/**',
    host: '*',
    args: { a: '*' },
    profile: 'quick',
    agent: 'subagent',
    reason: 'no',
    examples: { match: ['rm x'], no_match: ['ls'] },
  }
  expect(z.parse(rulesSchema, [rule])).toEqual([rule])
  expect(z.parse(rulesSchema, [])).toEqual([])
})

test.each([
  [{ action: 'deny' }],
  [{ tool: 'bash' }],
  [{ tool: '', action: 'deny' }],
  [{ tool: 'bash', action: 'maybe' }],
  [{ tool: 'bash', action: 'deny', comand: 'rm' }],
  [{ tool: 'bash', action: 'deny', command: 1 }],
  [{ tool: 'bash', action: 'deny', agent: 'child' }],
  [{ tool: 'bash', action: 'deny', examples: ['rm'] }],
  [{ tool: 'bash', action: 'deny', origin: 'mine' }],
  ['bash'],
])('%j is not a rule', (value) => {
  expect(z.safeParse(rulesSchema, [value]).success).toBe(false)
})

test('the configuration accepts the same keys and values as a rule', () => {
  type Properties = Record<string, { enum?: string[]; const?: string; items?: { properties: Properties } }>
  const { properties } = configSchema() as { properties: Properties }
  const published = properties.permissions?.items?.properties ?? {}
  const own = (z.toJSONSchema(rulesSchema) as unknown as { items: { properties: Properties } }).items
    .properties
  const words = (all: Properties) =>
    Object.entries(all).map(([name, one]) => [name, one.enum ?? one.const ?? []])
  expect(words(published).sort()).toEqual(words(own).sort())
})
