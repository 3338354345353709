// A call taken apart into what is decided one by one.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide } from '../../../internal/policy/decide.ts'
import { collectItems } from '../../../internal/policy/decision-items.ts'
import type { Policy, PolicyCall } from '../../../internal/policy/policy.ts'
import { ruleConcerns } from '../../../internal/policy/rules/rule-match.ts'
import { bash, file, folder, policyOf, remove } from './policies.ts'

let ws = ''
beforeAll(() => {
  ws = folder()
})
afterAll(() => remove(ws))

async function split(call: PolicyCall, policy: Policy) {
  const rules = policy.rules.filter((rule) => ruleConcerns(rule, call, policy))
  return collectItems(await resolveFacts(call, policy, ws), policy, rules)
}

test.each([
  [bash('ls; npm test > x'), 'place part part write'],
  [bash('echo $(ls) > $X'), 'place part part write'],
  [bash('"'), 'place line'],
  [bash(''), 'place line'],
  [file('read', 'auto_read', 'x'), 'place'],
  [{ tool: 'todo_write', level: 'state_write', args: {}, scope: [] }, 'call'],
  [{ tool: 'web_fetch', level: 'external_read', args: {}, scope: [{ kind: 'host', host: 'x.org' }] }, 'host'],
  [{ ...bash('ls'), tool: 'init_experiment', level: 'confirm_write' }, 'place part call'],
  [file('read', 'auto_read', 'a\0'), 'call'],
] as [PolicyCall, string][])('%j', async (call, kinds) => {
  const found = await split(call, policyOf(ws))
  expect(found.map((item) => item.kind).join(' ')).toBe(kinds)
})

test('a rule without its own conditions is listed once', async () => {
  const policy = policyOf(ws, { rules: [{ tool: 'bash', action: 'deny' }] })
  const found = await split(bash('ls; ls; ls'), policy)
  expect(found.flatMap((item) => item.rules)).toHaveLength(1)
})

/** Calls with one and with several judged items: places, parts, writes, lines, hosts, or none of them. */
const severalItems: PolicyCall[] = [
  ...['ls', 'ls; rm a > b', 'cat a | sort > "$X"', '"', 'curl http://x.example'].map((line) => bash(line)),
  bash('ls', { cwd: 'src' }),
  { ...bash('ls'), scope: [...bash('ls').scope, { kind: 'host', host: 'x.example' }] },
  { ...bash('make'), tool: 'bash_batch', scope: [...bash('make').scope, ...bash('ls').scope] },
  { ...bash('ls'), tool: 'terminal_write' },
  file('read', 'auto_read', 'a.txt'),
  file('edit_file', 'confirm_write', 'a.txt'),
  {
    ...{ tool: 'multi_read', level: 'auto_read', args: {} },
    scope: ['a.txt', 'b.txt'].map((path) => ({ kind: 'path' as const, path, access: 'read' as const })),
  },
  {
    ...{ tool: 'apply_patch', level: 'confirm_write', args: {} },
    scope: ['a.txt', 'b.txt'].map((path) => ({ kind: 'path' as const, path, access: 'write' as const })),
  },
  { tool: 'web_fetch', level: 'external_read', args: {}, scope: [{ kind: 'host', host: 'x.example' }] },
  { tool: 'mcp__s__t', level: 'confirm_execute', args: {}, scope: [] },
]

test.each(
  severalItems.flatMap((call) =>
    (['deny', 'ask'] as const).flatMap((action) =>
      [call.tool, `${call.tool.slice(0, 3)}*`].map((pattern) => ({ call, action, pattern })),
    ),
  ),
)('rule $action $pattern names the tool of $call.args $call.tool', async ({ call, action, pattern }) => {
  const policy = policyOf(ws, { mode: 'unrestricted', rules: [{ tool: pattern, action, reason: 'why' }] })
  const decision = decide(await resolveFacts(call, policy, ws), policy)
  const matching = decision.reasons.filter(({ by }) => by === 'rule')
  expect(matching.map(({ text }) => text)).toEqual([`rule "${action} ${pattern}" matches ${call.tool}: why`])
  expect(decision.action).toBe(action)
})

test('rules with several conditions need all of them', async () => {
  const rule = { tool: 'bash', command: 'ls', path: 'out/**' } as const
  const hits = async (line: string, action: 'allow' | 'deny') => {
    const found = await split(bash(line), policyOf(ws, { rules: [{ ...rule, action }] }))
    return found
      .filter((item) => item.rules.length > 0)
      .map((item) => item.kind)
      .join(' ')
  }
  expect(await hits('ls > out/x', 'deny')).toBe('part write')
  expect(await hits('ls > other', 'deny')).toBe('')
  expect(await hits('rm > out/x', 'deny')).toBe('')
  expect(await hits('ls', 'deny')).toBe('')
  expect(await hits('ls; rm x > other', 'allow')).toBe('')
})
