// One part of a call that is decided separately, such as a path or a simple command, with checks for all
// kinds of parts.

import { homeDir } from '../base/dirs.ts'
import type { FailureCode } from '../base/errors.ts'
import { baselineAction } from './level.ts'
import type { PathJudgement, ResolvedPath } from './paths/path-jail.ts'
import type { DecisionReason, Policy } from './policy.ts'
import type { CommandLine, LinePart } from './resolved-call.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import {
  commandFits,
  hostFits,
  isRestrictive,
  literalPath,
  placeFits,
  type RuleMatch,
} from './rules/rule-match.ts'

export type ItemLimit = DecisionReason & {
  code: FailureCode
  /**
   * True if it is uncertain whether the call touches the path of this limit. A rule for exactly this command
   * line then removes the limit.
   */
  doubt?: true
}

interface MatchingRule {
  rule: PermissionRule
  match: RuleMatch
  /** The name to show in the reason, if it is not the name of the item. */
  name?: string
}

export interface DecisionItem {
  kind: 'call' | 'place' | 'part' | 'line' | 'write' | 'host'
  /** Name of the item in messages on screens. */
  name: string
  /**
   * Reasons to ask or deny that stay even if a rule allows the item. Only a rule for this exact command line
   * removes those with `doubt`.
   */
  limits: readonly ItemLimit[]
  /** The rules that match the item. A rule that allows is in this list only if it may allow this item. */
  rules: readonly MatchingRule[]
  /** The decision if no rule allows the item. */
  base: DecisionReason
  place?: ResolvedPath
  part?: LinePart
  line?: CommandLine
}

/** Facts of the whole call, for rules with several conditions. */
export interface DecisionContext {
  policy: Policy
  rules: readonly PermissionRule[]
  places: readonly ResolvedPath[]
  parts: readonly { part: LinePart; line: CommandLine }[]
  hosts: readonly string[]
  /** True if the commands start in a sandbox. */
  sandboxed: boolean
  /** True if the commands run without a sandbox, and tests and builds need approval for that reason. */
  unconfined: boolean
  /**
   * True if the search for secrets, which the sandbox hides, skipped directories because there are too many.
   */
  unsearched: boolean
}

/**
 * Returns the condition that decides which items a rule is about: its command, else its path, else its host;
 * `call` for a rule without them.
 */
export function ruleKind(rule: PermissionRule): 'command' | 'path' | 'host' | 'call' {
  if (rule.command !== undefined) return 'command'
  if (rule.path !== undefined) return 'path'
  return rule.host !== undefined ? 'host' : 'call'
}

/**
 * Returns true if a rule matches a path. A rule without a path matches if it allows all calls of a tool. If
 * the rule also has a command, one simple command of the call must match it; if the rule allows, all must.
 */
export function rulesPlace(rule: PermissionRule, place: ResolvedPath, context: DecisionContext): boolean {
  if (rule.path === undefined) return !isRestrictive(rule) && ruleKind(rule) === 'call'
  if (!placeFits(rule, place, context.policy.roots.workspace, homeDir())) return false
  return (
    rule.command === undefined ||
    countRule(rule, context.parts, ({ part, line }) => commandFits(rule, part, line.line) !== 'no')
  )
}

/** Returns true if the conditions of a rule on paths and hosts are met, or if it has none. */
export function meetsConditions(rule: PermissionRule, context: DecisionContext): boolean {
  const home = homeDir()
  const workspace = context.policy.roots.workspace
  if (
    rule.path !== undefined &&
    !countRule(rule, context.places, (place) => placeFits(rule, place, workspace, home))
  )
    return false
  return rule.host === undefined || countRule(rule, context.hosts, (host) => hostFits(rule, host))
}

/**
 * Returns true if a rule counts for a list of items, such as all paths of a call. A rule that allows must fit
 * all of them, and at least one; a rule that denies or asks must fit only one.
 */
function countRule<T>(rule: PermissionRule, all: readonly T[], fits: (one: T) => boolean): boolean {
  return isRestrictive(rule) ? all.some(fits) : all.length > 0 && all.every(fits)
}

/**
 * Returns true if a rule allows exactly this path, without a glob. Only such a rule allows a path with
 * a secret name.
 */
export function namesPath(rule: PermissionRule, place: ResolvedPath): boolean {
  const path = rule.path === undefined ? undefined : literalPath(rule.path)
  return path !== undefined && !isRestrictive(rule) && path.replace(/^\.\//, '') === place.shown
}

export function limitsOf(judged: PathJudgement, named: boolean): ItemLimit[] {
  if (judged.action === 'allow' || (named && judged.code === 'sensitive_path')) return []
  return [{ action: judged.action, by: 'path', text: judged.text, code: judged.code ?? 'denied' }]
}

export const matchCertainly = (rules: readonly PermissionRule[]): MatchingRule[] =>
  rules.map((rule) => ({ rule, match: 'yes' }))
export const mayRun = (policy: Policy) => baselineAction('confirm_execute', policy.mode, policy.preset)
export const mayWrite = (policy: Policy) => baselineAction('confirm_write', policy.mode, policy.preset)
export const makeReason = (by: string, action: DecisionReason['action'], text: string): DecisionReason => ({
  action,
  by,
  text,
})
/**
 * Returns the words of a command as a user would type them, with quotes where the end of a word would be
 * unclear. A text over 120 characters is cut and ends with an ellipsis.
 */
export const showWords = (words: readonly string[]): string =>
  shortenText(words.map((word) => (/^[^\s"']+$/.test(word) ? word : quoteWord(word))).join(' '))

const quoteWord = (word: string) => (word.includes('"') ? `'${word}'` : `"${word}"`)

const shortenText = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
