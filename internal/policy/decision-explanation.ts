// The reasons of a decision as lines for users.
import { escapeInvisible } from '../base/text/invisible-chars.ts'
import type { PermissionDecision } from './policy.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/**
 * Returns a text on one line, with escapes for line breaks, tabs, invisible characters and those that
 * move the cursor.
 */
const onOneLine = (text: string) =>
  escapeInvisible(text, { chars: 'formats', lineFeed: '\\n', tab: '\\t', braced: true })

/**
 * Returns one line for the decision, one for each reason in the order in which they were found, and two for
 * each rule that "always" would store.
 */
export function explainDecision(decision: PermissionDecision): string[] {
  const code = decision.code === undefined ? '' : ` (${decision.code})`
  // The first reason usually describes the call; the following ones show how the decision changed.
  const chain = decision.reasons.map(
    ({ action, text }, i) => `  ${(i === 0 ? '' : action).padEnd(5)} ${onOneLine(text)}`,
  )
  const { always } = decision
  const offer = always?.flatMap(({ rule, covers }) => [
    `  always would store: ${onOneLine(ruleText(rule))}`,
    `  that lets through: ${onOneLine(covers)}`,
  ])
  return [`${decision.action}${code}`, ...chain, ...(offer ?? [])]
}

/** Returns a rule on one line, as JSON without its origin and its examples. */
export function ruleText(rule: PermissionRule): string {
  const { origin: _, examples: __, ...ruleFields } = rule
  return JSON.stringify(ruleFields)
}
