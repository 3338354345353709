// Properties over every level, mode, preset and profile: children are never milder, every ask has a code.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide, narrowPolicy, withStoredRules } from '../../../internal/policy/decide.ts'
import { type Level, levels, modes, presetNames, strictestAction } from '../../../internal/policy/level.ts'
import type { Policy, PolicyCall } from '../../../internal/policy/policy.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'
import { choice, rng } from '../../support/rng.ts'
import { bash, file, folder, policyOf, remove, rootsOf } from './policies.ts'

let ws = ''
let other = ''
beforeAll(() => {
  ws = folder('src', 'wall')
  other = folder()
})
afterAll(() => {
  remove(ws)
  remove(other)
})

const seed = Number(process.env.SEED ?? 20260601)

const lines = [
  'ls',
  'npm test',
  'rm x',
  'sudo rm x',
  'ls > src/x',
  'echo $X',
  'git status',
  'cat /etc/passwd',
  '"',
  'bash -c ls',
]
const paths = ['src/a.ts', '.env', '.git/config', '../x', 'wall/x', 'anode.json', '/etc/passwd', 'a\0']
const patterns = ['ls', 'rm', 'npm test', '*', '=sudo rm x', 'git', 'echo']

function someCall(next: () => number): PolicyCall {
  const level: Level = choice(next, levels)
  if (level === 'confirm_execute' && next() < 0.7) return bash(choice(next, lines))
  if (next() < 0.6)
    return file(choice(next, ['read', 'edit_file', 'task', 'mcp__a__b']), level, choice(next, paths))
  return {
    tool: choice(next, ['web_search', 'todo_write', 'ask_user', 'tb__x']),
    level,
    args: { a: 'b' },
    scope: [],
  }
}

function someRule(next: () => number): PermissionRule {
  const rule: PermissionRule = {
    tool: choice(next, ['bash', '*', 'read', 'edit_*', 'mcp__*']),
    action: choice(next, ['allow', 'ask', 'deny']),
  }
  const condition = next()
  if (condition < 0.4) rule.command = choice(next, patterns)
  else if (condition < 0.6) rule.path = choice(next, ['src/**', '.env', '**', 'wall/x'])
  if (next() < 0.2) rule.agent = choice(next, ['thread', 'subagent'])
  if (next() < 0.2) rule.profile = choice(next, ['craft', 'quick', '*'])
  if (next() < 0.1) rule.args = { a: choice(next, ['b', '/^b/', 'c']) }
  return rule
}

function somePolicy(next: () => number, agent: Policy['agent']): Policy {
  const policy = policyOf(ws, {
    mode: choice(next, modes),
    profile: choice(next, ['craft', 'quick', 'review']),
    agent,
    readOnly: next() < 0.3,
    trusted: next() < 0.5,
    rules: Array.from({ length: Math.floor(next() * 4) }, () => someRule(next)),
    roots: rootsOf(ws, { added: next() < 0.3 ? [other] : [], protected: next() < 0.3 ? [`${ws}/wall`] : [] }),
  })
  return next() < 0.3 ? { ...policy, preset: choice(next, presetNames) } : policy
}

test(`a subagent is never less strict than its parent or its own policy (seed ${seed})`, async () => {
  const next = rng(seed)
  const seen = new Set<string>()
  for (let i = 0; i < 3_000; i++) {
    const parent = somePolicy(next, 'thread')
    const wish = somePolicy(next, 'subagent')
    const child = narrowPolicy(parent, wish)
    const grandchild = narrowPolicy(child, somePolicy(next, 'subagent'))
    const facts = await resolveFacts(someCall(next), grandchild, ws)
    const [a, b, c, d] = [parent, wish, child, grandchild].map((policy) => decide(facts, policy).action)
    const what = JSON.stringify({ call: facts.call, parent, wish })
    expect(strictestAction(c as 'ask', a as 'ask'), what).toBe(c)
    expect(strictestAction(c as 'ask', b as 'ask'), what).toBe(c)
    expect(strictestAction(d as 'ask', c as 'ask'), what).toBe(d)
    seen.add(`${a} ${b} ${c}`)
  }
  // the walk has met all kinds of families
  expect(seen.size).toBeGreaterThan(8)
})

test(`every ask and deny has a code and a reason, every allow has none (seed ${seed})`, async () => {
  const next = rng(seed + 1)
  for (const level of levels) {
    for (const mode of modes) {
      for (const readOnly of [false, true]) {
        for (let i = 0; i < 30; i++) {
          const policy = { ...somePolicy(next, 'thread'), mode, readOnly }
          const call = { ...someCall(next), level }
          const decision = decide(await resolveFacts(call, policy, ws), policy)
          const what = JSON.stringify({ call, policy, decision })
          expect(decision.code === undefined, what).toBe(decision.action === 'allow')
          expect(decision.reasons.length, what).toBeGreaterThan(0)
          const worst = strictestAction(...decision.reasons.map((reason) => reason.action))
          expect(worst, what).toBe(decision.action)
          if (readOnly && level !== 'auto_read' && level !== 'external_read')
            expect(decision.action).toBe('deny')
          if (decision.action !== 'ask') expect(decision.always, what).toBeUndefined()
        }
      }
    }
  }
})

test('more rules that forbid never make a decision milder', async () => {
  const next = rng(seed + 2)
  for (let i = 0; i < 1_000; i++) {
    const policy = somePolicy(next, 'thread')
    const extra = { ...someRule(next), action: choice(next, ['ask', 'deny'] as const) }
    const more = { ...policy, rules: [...policy.rules, extra] }
    const facts = await resolveFacts(someCall(next), more, ws)
    const [before, after] = [decide(facts, policy).action, decide(facts, more).action]
    expect(strictestAction(before, after), JSON.stringify({ call: facts.call, more })).toBe(after)
  }
})

test('narrowPolicy keeps the restrictions of the parent', () => {
  const parent = policyOf(ws, { mode: 'ask', readOnly: true })
  const child = narrowPolicy(parent, policyOf(ws, { mode: 'unrestricted', agent: 'subagent' }))
  expect(child).toMatchObject({ mode: 'ask', readOnly: true, agent: 'subagent', parents: [parent] })
  expect(narrowPolicy(child, policyOf(ws)).parents).toEqual([child])
})

test('a stored answer lifts the question of a subagent only if its parent would ask the same', async () => {
  const parent = policyOf(ws)
  const child = narrowPolicy(parent, policyOf(ws, { agent: 'subagent' }))
  const facts = await resolveFacts(bash('npm test'), child, ws)
  const { action, always } = decide(facts, child)
  expect(action).toBe('ask')
  expect(decide(facts, withStoredRules(child, always?.map(({ rule }) => rule) ?? [])).action).toBe('allow')
  const below = narrowPolicy(policyOf(ws, { readOnly: true }), child)
  expect(decide(facts, withStoredRules(below, always?.map(({ rule }) => rule) ?? [])).action).toBe('deny')
})
