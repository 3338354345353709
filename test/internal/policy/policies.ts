// Policies, calls and seeded randomness for the tests of the gate.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { resolveFacts } from '../../../internal/policy/call-facts.ts'
import { decide } from '../../../internal/policy/decide.ts'
import type { PathRoots, PermissionDecision, Policy, PolicyCall } from '../../../internal/policy/policy.ts'
import type { PermissionRule } from '../../../internal/policy/rules/permission-rule.ts'

/** Creates a new directory with the named directories inside. Returns its real path. */
export function folder(...inside: string[]): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'anode-policy-')))
  for (const name of inside) mkdirSync(join(dir, name), { recursive: true })
  return dir
}

export const remove = (dir: string) => rmSync(dir, { recursive: true, force: true })

export const rootsOf = (workspace: string, more: Partial<PathRoots> = {}): PathRoots => ({
  workspace,
  added: [],
  protected: [],
  own: [],
  ...more,
})

export const policyOf = (workspace: string, more: Partial<Policy> = {}): Policy => ({
  mode: 'ask',
  rules: [],
  profile: 'craft',
  agent: 'thread',
  readOnly: false,
  roots: rootsOf(workspace),
  parents: [],
  ...more,
})

export const bash = (line: string, args: Record<string, unknown> = {}): PolicyCall => ({
  tool: 'bash',
  level: 'confirm_execute',
  args: { command: line, ...args },
  scope: [{ kind: 'command', line, ...(typeof args.cwd === 'string' ? { cwd: args.cwd } : {}) }],
})

export const file = (
  tool: string,
  level: PolicyCall['level'],
  path: string,
  access: 'read' | 'write' = level === 'confirm_write' ? 'write' : 'read',
): PolicyCall => ({ tool, level, args: { path }, scope: [{ kind: 'path', path, access }] })

export const allow = (command: string): PermissionRule => ({ tool: 'bash', action: 'allow', command })
export const deny = (command: string): PermissionRule => ({ tool: 'bash', action: 'deny', command })
export const ask = (command: string): PermissionRule => ({ tool: 'bash', action: 'ask', command })

export async function judge(call: PolicyCall, policy: Policy): Promise<PermissionDecision> {
  return decide(await resolveFacts(call, policy, policy.roots.workspace), policy)
}
