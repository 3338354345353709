// The permission decision on a tool call: allow it, ask the user, or deny it.
import { type FailureCode, messageOf } from '../base/errors.ts'
import { collectItems, type DecisionItem, joinParts } from './decision-items.ts'
import { isRead, type Mode, modes, type PermissionAction, strictestAction } from './level.ts'
import { describeAction, describeDecision } from './permission-wording.ts'
import type { DecisionPart, DecisionReason, PermissionDecision, Policy, PolicyCall } from './policy.ts'
import type { CallFacts } from './resolved-call.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import { isRestrictive, ruleConcerns } from './rules/rule-match.ts'
import { proposeRules, readAnswer } from './rules/rule-offer.ts'

export type { PermissionAction } from './level.ts'
export type {
  DecisionReason,
  PathRoots,
  PermissionDecision,
  Policy,
  PolicyCall,
  RuleOffer,
} from './policy.ts'
export type { CallFacts } from './resolved-call.ts'

/**
 * Decides a call from the facts that `resolveFacts` has looked up. Reads no file, so equal facts and policies
 * give equal decisions. If the decision itself fails, the call needs approval. Of the decisions by the policy
 * and by each parent policy, the strictest counts.
 */
export function decide(facts: CallFacts, policy: Policy): PermissionDecision {
  try {
    const ownDecision = judgeCall(facts, policy)
    const parents = policy.parents.map((parent) => decide(facts, parent))
    return parents.reduce(joinDecisions, ownDecision)
  } catch (error) {
    const text = `the call could not be judged: ${messageOf(error)}`
    return {
      action: 'ask',
      code: 'denied',
      reasons: [{ action: 'ask', by: 'gate', text }],
      always: undefined,
    }
  }
}

/** Returns the policy of a subagent: its separate settings, limited by everything that limits its parent. */
export function narrowPolicy(parent: Policy, child: Policy): Policy {
  const mode = modes[Math.min(modes.indexOf(parent.mode), modes.indexOf(child.mode))] as Mode
  return {
    ...child,
    mode,
    readOnly: parent.readOnly || child.readOnly || parent.planning !== undefined,
    parents: [...child.parents, parent],
  }
}

/**
 * Returns the policy with rules that a user stored for the workspace. The parents of the policy get these
 * rules too, so that a subagent never gets a different answer than its parent.
 */
export function withStoredRules(policy: Policy, answeredRules: readonly PermissionRule[]): Policy {
  return addRules(policy, answeredRules.map(readAnswer))
}

function addRules(policy: Policy, answeredRules: readonly PermissionRule[]): Policy {
  const parents = policy.parents.map((parent) => addRules(parent, answeredRules))
  return { ...policy, rules: [...policy.rules, ...answeredRules], parents }
}

function joinDecisions(ownDecision: PermissionDecision, parent: PermissionDecision): PermissionDecision {
  const action = strictestAction(ownDecision.action, parent.action)
  if (parent.action === 'allow')
    return parent.held && ownDecision.action === 'allow' ? { ...ownDecision, held: true } : ownDecision
  const reasons = parent.reasons
    .filter((reason) => reason.action !== 'allow')
    .map((reason) => ({ ...reason, by: 'parent', text: `for the agent above: ${reason.text}` }))
  const code = ownDecision.action === action ? ownDecision.code : parent.code
  const asking = [ownDecision, parent].filter((one) => one.action === 'ask')
  // Rules that the answer "always" may store, without duplicates. No rules are offered if one decision that
  // asks the user has no offers.
  const offers = new Map(
    asking.flatMap(({ always = [] }) => always).map((offer) => [JSON.stringify(offer.rule), offer]),
  )
  const always = action === 'deny' || asking.some((one) => !one.always) ? undefined : [...offers.values()]
  const parts = joinParts(ownDecision.parts, parent.parts)
  return { action, code, reasons: [...ownDecision.reasons, ...reasons], parts, always }
}

interface ItemVerdict {
  action: PermissionAction
  code: FailureCode | undefined
  reasons: DecisionReason[]
}

/** Kinds of decision items that come from a command line, of which one line can have several. */
const ofLine: ReadonlySet<DecisionItem['kind']> = new Set(['part', 'line', 'write'])

function judgeCall(facts: CallFacts, policy: Policy): PermissionDecision {
  const { call } = facts
  if (policy.readOnly && !isRead(call.level)) {
    const does = `${call.tool} ${call.does ?? describeAction(call.level)}`
    const text = `the profile is read-only: only tools that read may run, and ${does}`
    const reasons = [
      makeFirstReason(call, `the profile ${policy.profile} only reads`),
      { action: 'deny' as const, by: 'profile', text },
    ]
    return { action: 'deny', code: 'denied', reasons, always: undefined }
  }
  const planned = judgePlanning(facts, policy)
  if (planned) {
    const { action } = planned
    return {
      action,
      code: action === 'deny' ? 'denied' : undefined,
      reasons: [makeFirstReason(call, planning[planned.action === 'allow' ? 'allow' : 'deny']), planned],
      always: undefined,
    }
  }
  const rules = policy.rules.filter((rule) => ruleConcerns(rule, call, policy))
  const todo = collectItems(facts, policy, rules)
  const verdicts = todo.map((item) => decideItem(item))
  const action = strictestAction(...verdicts.map((verdict) => verdict.action))
  const deciding = verdicts.flatMap(({ reasons }) => reasons.filter((reason) => reason.action === action))
  const header = describeDecision(call, policy, action, deciding)
  const reasons: DecisionReason[] = [{ action: 'allow', by: 'level', text: header }]
  const reasonKeys = new Set<string>()
  for (const reason of verdicts.flatMap((verdict) => verdict.reasons)) {
    if (!reasonKeys.has(`${reason.action} ${reason.text}`)) reasons.push(reason)
    reasonKeys.add(`${reason.action} ${reason.text}`)
  }
  const parts = todo.flatMap(({ kind, name }, i): DecisionPart[] => {
    const { action, reasons: itemReasons = [] } = verdicts[i] ?? {}
    const why = itemReasons.find((reason) => reason.action === action)?.text ?? ''
    return action === undefined || !ofLine.has(kind) ? [] : [{ name, action, why }]
  })
  const code = action === 'allow' ? undefined : verdicts.find((verdict) => verdict.action === action)?.code
  const open = todo.filter((_, i) => verdicts[i]?.action === 'ask')
  const isHeld = action === 'allow' && verdicts.some(({ reasons }) => reasons.some(({ by }) => by === 'wall'))
  return {
    action,
    code: action === 'allow' ? undefined : (code ?? 'denied'),
    reasons,
    held: isHeld ? (true as const) : undefined,
    parts: parts.length > 1 ? parts : undefined,
    always: action === 'ask' ? proposeRules(facts, open, policy) : undefined,
  }
}

/**
 * Decides one item. The strictest of its limits and of its matching rules that deny or ask counts;
 * `item.base` counts too if no rule allows the item. A rule that matches only with `maybe` asks
 * instead of denying.
 */
function decideItem(item: DecisionItem): ItemVerdict {
  const reasons: DecisionReason[] = [...item.limits]
  for (const { rule, match, name = item.name } of item.rules) {
    if (isRestrictive(rule))
      reasons.push(toRuleReason(rule, match === 'maybe' ? 'ask' : rule.action, match, name))
  }
  const allowing = item.rules.find(({ rule }) => !isRestrictive(rule))
  const denied = reasons.some((reason) => reason.action === 'deny')
  if (allowing) reasons.push(toRuleReason(allowing.rule, 'allow', 'yes', item.name))
  else if (item.base.text !== '' && !denied && (item.base.action !== 'allow' || item.base.by !== 'level')) {
    reasons.push(item.base)
  }
  const action = strictestAction(
    allowing ? 'allow' : item.base.action,
    ...reasons.map((reason) => reason.action),
  )
  const limit = item.limits.find((reason) => reason.action === action)
  return { action, code: limit ? limit.code : 'denied', reasons }
}

function toRuleReason(
  rule: PermissionRule,
  action: PermissionAction,
  match: string,
  name: string,
): DecisionReason {
  const where = rule.origin ? ` (${rule.origin})` : ''
  const folder = rule.cwd === undefined ? undefined : `in ${rule.cwd}`
  const port = rule.port === undefined ? undefined : `port ${rule.port}`
  const what = [rule.tool, rule.command, port, folder, rule.path, rule.host]
    .filter((part) => part !== undefined)
    .join(' ')
  const verb =
    match === 'maybe'
      ? `may be what rule "${rule.action} ${what}" speaks of`
      : `rule "${rule.action} ${what}"`
  const because = rule.reason ? `: ${rule.reason}` : ''
  const text =
    match === 'maybe' ? `${name} ${verb}${where}${because}` : `${verb}${where} matches ${name}${because}`
  return { action, by: 'rule', text, rule }
}

/**
 * Returns the first reason to show for a decision by a read-only profile or by plan mode: what the call
 * does, then `cause`.
 */
function makeFirstReason({ level, does }: PolicyCall, cause: string): DecisionReason {
  return { action: 'allow', by: 'level', text: `${does ?? describeAction(level)}; ${cause}` }
}

const planning = {
  allow: 'the file of the plan may be written',
  deny: 'only reading is allowed while a plan is made',
}

/**
 * Returns the decision of plan mode on a call; undefined without plan mode, for a call with faults, or if
 * plan mode does not change the decision.
 */
function judgePlanning(facts: CallFacts, { planning }: Policy): DecisionReason | undefined {
  const { call, places, commands } = facts
  if (planning === undefined || facts.faults.length > 0) return undefined
  const deny = (text: string): DecisionReason => ({ action: 'deny', by: 'planning', text })
  if (call.level === 'confirm_write') {
    const isPlan = places.length > 0 && places.every(({ place }) => place.real === planning)
    if (isPlan && commands.length === 0)
      return { action: 'allow', by: 'planning', text: `${planning} is the file of the plan` }
    return deny(`while a plan is made only its file is written: ${planning}`)
  }
  if (call.level !== 'confirm_execute') return undefined
  const reads = commands.every(
    (line) =>
      line.opaque === undefined &&
      line.writes.length === 0 &&
      !line.blind &&
      line.parts.every((part) => part.opaque === undefined && part.class === 'reading'),
  )
  if (commands.length > 0 && reads) return undefined
  return deny('while a plan is made only commands that read may run')
}
