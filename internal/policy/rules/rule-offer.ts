// The rules that are offered for the answer "always": no wider than what was asked, and what they let through
// in words.

import type { DecisionItem } from '../decision-item.ts'
import type { Policy, RuleOffer } from '../policy.ts'
import type { CallFacts } from '../resolved-call.ts'
import type { PermissionRule } from './permission-rule.ts'
import { ruleFolderGlob } from './rule-folder.ts'
import { isRestrictive } from './rule-match.ts'
import { escapeGlob } from './rule-pattern.ts'

type ProposeLines = typeof import('./line-offer.ts').proposeLines

let proposeLines: ProposeLines | undefined

/** Loads what rules for command lines are made with. Must have resolved before one is judged. */
export async function loadLineOffers(): Promise<void> {
  proposeLines ??= (await import('./line-offer.ts')).proposeLines
}

/** The rules for the items that ask; undefined where none could answer for all of them. */
export function proposeRules(
  facts: CallFacts,
  open: readonly DecisionItem[],
  policy: Policy,
): readonly RuleOffer[] | undefined {
  const rule = { tool: facts.call.tool, action: 'allow' as const }
  const [first] = open
  if (!first) return undefined
  // rules that ask stand above rules that allow, and guarded places above all of them
  if (open.some((item) => item.rules.some(({ rule }) => isRestrictive(rule)))) return undefined
  const limits = open.flatMap((item) => item.limits.filter((limit) => !limit.doubt))
  if (limits.some((limit) => limit.code !== 'sensitive_path')) return undefined
  // what a wall leaves open is granted to one call
  if (facts.commands.length > 0 && open.some(({ kind }) => kind === 'host' || kind === 'place'))
    return undefined
  if (facts.commands.length > 0)
    return limits.length > 0 ? undefined : proposeLines?.(rule, facts, open, policy)
  if (open.length > 1) return undefined
  const every = `every call of ${rule.tool}`
  if (first.place) {
    const { shown } = first.place
    return [{ rule: { ...rule, path: escapeGlob(shown) }, covers: `${every} on ${shown}` }]
  }
  if (first.kind === 'host')
    return [{ rule: { ...rule, host: first.name }, covers: `${every} to ${first.name}` }]
  return [{ rule, covers: `${every}, whatever its arguments` }]
}

/**
 * An answer as it holds now. One that was stored without a folder, before answers kept theirs, holds in the
 * workspace folder: where it was given is not known, and elsewhere the same words may run something else.
 */
export function readAnswer(rule: PermissionRule): PermissionRule {
  if (rule.command === undefined || rule.cwd !== undefined) return rule
  return { ...rule, cwd: ruleFolderGlob(rule) ?? '.' }
}
