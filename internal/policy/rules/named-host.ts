// The check whether a user wrote a rule for exactly this host and tool. Only such a rule allows a host with
// a private address.
import type { Policy, PolicyCall } from '../policy.ts'
import type { PermissionRule } from './permission-rule.ts'
import { hostFits, ruleConcerns } from './rule-match.ts'

/**
 * Returns true if the policy and each of its parents have a rule that allows just this tool and this host,
 * both without a pattern. Stored answers of the user do not count, because their question did not mention
 * a private address.
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
