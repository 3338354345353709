// Text of the conditions of a permission rule, on one line.
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'

/**
 * Returns the conditions as text, such as `command git log; path src`; empty for a rule without conditions.
 */
export function describeConditions({
  tool: _,
  action: __,
  origin: ___,
  examples: ____,
  ...conditions
}: PermissionRule): string {
  return Object.entries(conditions)
    .map(([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('; ')
}
