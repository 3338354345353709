// One thing of a call that is decided by itself, and what small questions all kinds of them share.

import type { FailureCode } from '../base/errors.ts'
import { homedir } from '../base/home.ts'
import type { Line, LinePart } from './facts.ts'
import { literal } from './glob.ts'
import { commandFits, hostFits, type Match, placeFits, restricts } from './match.ts'
import type { Judgement, Place } from './path.ts'
import type { Policy, Reason } from './policy.ts'
import { baseline } from './presets.ts'
import type { Rule } from './rule.ts'

export type Limit = Reason & {
  code: FailureCode
  /** Nobody knows whether the place is touched: a rule for the exact line lifts it. */
  doubt?: true
}

export interface Item {
  kind: 'call' | 'place' | 'part' | 'line' | 'write' | 'host'
  /** What people are told it is. */
  name: string
  /** What no rule lifts. */
  limits: readonly Limit[]
  /** Rules that match; of those that allow only the ones that may. */
  rules: readonly { rule: Rule; match: Match }[]
  /** What happens when no rule allows. */
  base: Reason
  place?: Place
  part?: LinePart
  line?: Line
}

/** What is known of the call besides the item at hand, for rules with several conditions. */
export interface Whole {
  policy: Policy
  rules: readonly Rule[]
  places: readonly Place[]
  parts: readonly { part: LinePart; line: Line }[]
  hosts: readonly string[]
}

/** The condition that decides which items a rule is about. */
export function kindOf(rule: Rule): 'command' | 'path' | 'host' | 'call' {
  if (rule.command !== undefined) return 'command'
  if (rule.path !== undefined) return 'path'
  return rule.host !== undefined ? 'host' : 'call'
}

/** Whether a rule speaks of a place; of rules for commands those whose command is there. */
export function rulesPlace(rule: Rule, place: Place, whole: Whole): boolean {
  if (rule.path === undefined) return !restricts(rule) && kindOf(rule) === 'call'
  if (!placeFits(rule, place, whole.policy.roots.workspace, homedir())) return false
  return (
    rule.command === undefined ||
    countRule(rule, whole.parts, ({ part, line }) => commandFits(rule, part, line.line) !== 'no')
  )
}

/** A command rule's conditions on paths and hosts. */
export function meetsConditions(rule: Rule, whole: Whole): boolean {
  const home = homedir()
  const workspace = whole.policy.roots.workspace
  if (
    rule.path !== undefined &&
    !countRule(rule, whole.places, (place) => placeFits(rule, place, workspace, home))
  )
    return false
  return rule.host === undefined || countRule(rule, whole.hosts, (host) => hostFits(rule, host))
}

/** Rules that allow want all of them to fit, rules that forbid one. */
function countRule<T>(rule: Rule, all: readonly T[], fits: (one: T) => boolean): boolean {
  return restricts(rule) ? all.some(fits) : all.length > 0 && all.every(fits)
}

/** Only a rule that spells the path out lifts the question about a sensitive name. */
export function namesPath(rule: Rule, place: Place): boolean {
  const path = rule.path === undefined ? undefined : literal(rule.path)
  return path !== undefined && !restricts(rule) && path.replace(/^\.\//, '') === place.shown
}

export function limitsOf(judged: Judgement, named: boolean): Limit[] {
  if (judged.action === 'allow' || (named && judged.code === 'sensitive_path')) return []
  return [{ action: judged.action, by: 'path', text: judged.text, code: judged.code ?? 'denied' }]
}

export const certain = (rules: readonly Rule[]) => rules.map((rule) => ({ rule, match: 'yes' as Match }))
export const mayRun = (policy: Policy) => baseline('confirm_execute', policy.mode, policy.preset)
export const mayWrite = (policy: Policy) => baseline('confirm_write', policy.mode, policy.preset)
export const reason = (by: string, action: Reason['action'], text: string): Reason => ({ action, by, text })
export const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
