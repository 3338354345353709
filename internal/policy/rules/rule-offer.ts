// Rules that the answer "always" can store, each with a text that says to the user what the rule allows.

import type { DecisionItem } from '../decision-item.ts'
import type { Policy, RuleOffer } from '../policy.ts'
import type { CallFacts } from '../resolved-call.ts'
import type { PermissionRule } from './permission-rule.ts'
import { ruleFolderGlob } from './rule-folder.ts'
import { escapeGlob, isRestrictive } from './rule-match.ts'

type ProposeLines = typeof import('./line-offer.ts').proposeLines

let proposeLines: ProposeLines | undefined

/**
 * Loads the module that makes rules for command lines. Until it is loaded, no rules are offered for commands.
 */
export async function loadLineOffers(): Promise<void> {
  proposeLines ??= (await import('./line-offer.ts')).proposeLines
}

/**
 * Returns the rules for the items that need approval; undefined without items, or if no rules may allow
 * all of them.
 */
export function proposeRules(
  facts: CallFacts,
  open: readonly DecisionItem[],
  policy: Policy,
): readonly RuleOffer[] | undefined {
  const rule = { tool: facts.call.tool, action: 'allow' as const }
  const [first] = open
  if (!first) return undefined
  // No rule is offered if a rule that asks or a protected path needs the approval, because both take
  // precedence over a rule that allows.
  if (open.some((item) => item.rules.some(({ rule }) => isRestrictive(rule)))) return undefined
  const limits = open.flatMap((item) => item.limits.filter((limit) => !limit.doubt))
  if (limits.some((limit) => limit.code !== 'sensitive_path')) return undefined
  // a sandbox opens paths and hosts for one approved call only, so no rule is offered for them
  if (facts.commands.length > 0 && open.some(({ kind }) => kind === 'host' || kind === 'place'))
    return undefined
  if (facts.commands.length > 0)
    return limits.length > 0 ? undefined : proposeLines?.(rule, facts, open, policy)
  if (open.length > 1) return undefined
  const every = `every call of ${rule.tool}`
  if (first.place) {
    const { shown: shownPath } = first.place
    return [{ rule: { ...rule, path: escapeGlob(shownPath) }, covers: `${every} on ${shownPath}` }]
  }
  if (first.kind === 'host')
    return [{ rule: { ...rule, host: first.name }, covers: `${every} to ${first.name}` }]
  return [{ rule, covers: `${every}, with any arguments` }]
}

/**
 * Returns a stored answer as it applies today. An old answer for a command without `cwd` applies in the
 * workspace directory only, because the same words may run another program in another directory.
 */
export function readAnswer(rule: PermissionRule): PermissionRule {
  if (rule.command === undefined || rule.cwd !== undefined) return rule
  return { ...rule, cwd: ruleFolderGlob(rule) ?? '.' }
}
