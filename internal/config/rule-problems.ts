// The check of the rules of a configuration.
import type { PermissionRule } from '../policy/rules/permission-rule.ts'

/** Throws UserError for a rule that is not valid. The code of the check loads only if there are rules. */
export async function checkConfigRules(rules: readonly PermissionRule[]): Promise<void> {
  const { checkRules } = await import('../policy/rules/rule-check.ts')
  await checkRules(rules)
}
