// The chain of a decision as lines for people.
import { escapeInvisible } from '../base/text/invisible-chars.ts'
import type { PermissionDecision } from './policy.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** A text on one line in which nothing is invisible or moves the cursor. */
const onOneLine = (text: string) =>
  escapeInvisible(text, { chars: 'formats', lineFeed: '\\n', tab: '\\t', braced: true })

/** One line for the decision and one for each link of the chain, in the order in which they were found. */
export function explainDecision(decision: PermissionDecision): string[] {
  const code = decision.code === undefined ? '' : ` (${decision.code})`
  // the first link says what the table of levels says, the others what became of it
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

/** A rule on one line, as JSON without what the loader added. */
export function ruleText(rule: PermissionRule): string {
  const { origin: _, examples: __, ...own } = rule
  return JSON.stringify(own)
}
