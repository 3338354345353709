// The chain of a decision as lines for people.
import type { PermissionDecision } from './policy.ts'
import type { PermissionRule } from './rules/permission-rule.ts'

/** A text in which nothing is invisible or moves the cursor: control and format characters are written as escapes. */
export function escapeInvisibleChars(text: string): string {
  return text.replace(/[\p{C}\u2028\u2029]/gu, (char) => {
    const code = char.codePointAt(0) ?? 0
    if (char === '\n') return '\\n'
    if (char === '\t') return '\\t'
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`
  })
}

/** One line for the decision and one for each link of the chain, in the order in which they were found. */
export function explainDecision(decision: PermissionDecision): string[] {
  const code = decision.code === undefined ? '' : ` (${decision.code})`
  // the first link says what the table of levels says, the others what became of it
  const chain = decision.reasons.map(
    ({ action, text }, i) => `  ${(i === 0 ? '' : action).padEnd(5)} ${escapeInvisibleChars(text)}`,
  )
  const { always } = decision
  const offer = always && [
    `  always would store: ${escapeInvisibleChars(ruleText(always.rule))}`,
    `  that lets through: ${escapeInvisibleChars(always.covers)}`,
  ]
  return [`${decision.action}${code}`, ...chain, ...(offer ?? [])]
}

/** A rule on one line, as JSON without what the loader added. */
export function ruleText(rule: PermissionRule): string {
  const { origin: _, examples: __, ...own } = rule
  return JSON.stringify(own)
}
