// Whether a person has written down that a tool may reach one certain host, wherever that lies.
import type { Policy, PolicyCall } from '../policy.ts'
import type { PermissionRule } from './permission-rule.ts'
import { hostFits, ruleConcerns } from './rule-match.ts'

/**
 * True where a rule allows just this tool and just this host, both without a pattern, here and in every
 * policy above. Answers that are stored do not count: who gave them was not asked about an address within.
 */
export function isHostNamed(policy: Policy, call: PolicyCall, host: string): boolean {
  const names = (rule: PermissionRule) =>
    rule.action === 'allow' &&
    rule.tool === call.tool &&
    rule.host !== undefined &&
    !/[*?]/.test(rule.host) &&
    hostFits(rule, host) &&
    ruleConcerns(rule, call, policy)
  return policy.rules.some(names) && policy.parents.every((parent) => isHostNamed(parent, call, host))
}
