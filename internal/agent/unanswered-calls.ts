// The calls of a run that were denied because no user could answer, and the rules that would
// have allowed them.
import { objectOf, stringsOf } from '../base/untrusted-json.ts'
import type { Mode } from '../policy/level.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'

/** Denied calls with the same tool, subject and mode. */
export interface UnansweredCall {
  tool: string
  /** Subject of the calls: a command, a path; empty if it is unknown. */
  subject: string
  count: number
  /** The strictest permission mode in which the call runs without approval; undefined without such a mode. */
  mode?: Mode
  /** The rule that the answer "always" would have stored; undefined if that answer was not possible. */
  rule?: PermissionRule
}

/**
 * Adds one call to a list. A call with the same tool, subject and mode as one in the list only
 * increases its count.
 */
export function addUnanswered(list: UnansweredCall[], call: Omit<UnansweredCall, 'count'>): void {
  const same = list.find(
    (one) => one.tool === call.tool && one.subject === call.subject && one.mode === call.mode,
  )
  if (same) same.count++
  else list.push({ ...call, count: 1 })
}

/**
 * Returns the most informative argument of a call and the access that the call requests, on one line of at
 * most 120 characters.
 */
export function callSubject(args: Readonly<Record<string, unknown>>): string {
  const named = ['command', 'path', 'url', 'query', 'name'].map((key) => args[key])
  const subject = [...named, ...Object.values(args)].find(
    (value) => typeof value === 'string' && value !== '',
  )
  const needs = Object.values(objectOf(args['needs']) ?? {}).flatMap(stringsOf)
  const line = (String(subject ?? '') + (needs.length > 0 ? `, which needs ${needs.join(', ')}` : ''))
    .replace(/\s+/g, ' ')
    .trim()
  return line.length > 120 ? `${line.slice(0, 119)}…` : line
}
