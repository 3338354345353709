// The explanation of a decision for users.
import { expect, test } from 'vitest'
import { explainDecision, ruleText } from '../../../internal/policy/decision-explanation.ts'
import { bash, deny, folder, judge, policyOf, remove } from './policies.ts'

test('shows one line for the decision and one line for each part', async () => {
  const ws = folder()
  const rule = { ...deny('rm'), reason: 'use trash', origin: 'anode.json' }
  const decision = await judge(bash("ls; bash -c 'rm \x1b[31mx'"), policyOf(ws, { rules: [rule] }))
  expect(explainDecision(decision)).toEqual([
    'deny (denied)',
    '        runs a command; a rule denies this call',
    '  ask   no rule allows ls',
    '  ask   bash -c "rm \\x1b[31mx": bash -c runs another command',
    '  deny  rule "deny bash rm" (anode.json) matches rm \\x1b[31mx: use trash',
    '  deny  rule "deny bash rm" (anode.json) matches the line, which cannot be read whole (invisible characters): use trash',
  ])
  expect(explainDecision(decision).join('')).not.toMatch(/[\x00-\x1f]/)
  remove(ws)
})

test('shows the rule that "always" would store in the last lines', async () => {
  const ws = folder()
  const lines = explainDecision(await judge(bash('npm test'), policyOf(ws)))
  expect(lines.slice(-2)).toEqual([
    '  always would store: {"tool":"bash","action":"allow","command":"npm test","cwd":"."}',
    '  that lets through: every command that begins with "npm test", with any arguments, also after the script has changed, run in the workspace folder',
  ])
  remove(ws)
})

test('the text of a rule contains the fields that a user wrote', () => {
  const rule = { ...deny('rm'), origin: 'x', examples: { match: ['rm'] } }
  expect(ruleText(rule)).toBe('{"tool":"bash","action":"deny","command":"rm"}')
})
