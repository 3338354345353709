// The split of a call into items, such as its paths, hosts and simple commands, each of which gets
// a separate decision.

import {
  type DecisionContext,
  type DecisionItem,
  type ItemLimit,
  limitsOf,
  makeReason,
  matchCertainly,
  meetsConditions,
  namesPath,
  ruleKind,
  rulesPlace,
} from './decision-item.ts'
import { baselineAction, effectiveMode, type HostQuestion } from './level.ts'
import { judgePath, type ResolvedPath } from './paths/path-jail.ts'
import { explainCall } from './permission-wording.ts'
import type { DecisionPart, DecisionReason, Policy } from './policy.ts'
import type { CallFacts } from './resolved-call.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import { appliesInFolder } from './rules/rule-folder.ts'
import { commandFits, hostFits, isRestrictive } from './rules/rule-match.ts'

export type { DecisionItem } from './decision-item.ts'

let commandItems: typeof import('./line-items.ts') | undefined

/**
 * Loads the modules that judge command lines. Call this before `collectItems` gets a call with
 * a command line.
 */
export async function loadLineItems(): Promise<void> {
  commandItems ??= await import('./line-items.ts')
}

function itemsOfCommands() {
  if (!commandItems) throw new Error('command lines were not made ready')
  return commandItems
}

/**
 * Returns, for each simple command and redirection of a line, the stricter decision of a policy and its
 * parent. If only one of them has such decisions, returns these; undefined if both have none.
 */
export const joinParts = (ownParts: LineParts, parent: LineParts): LineParts =>
  ownParts && parent ? itemsOfCommands().strictestParts(ownParts, parent) : (ownParts ?? parent)

type LineParts = readonly DecisionPart[] | undefined

/** Returns every item of a call, at least one. `rules` are those whose conditions on the whole call match. */
export function collectItems(
  facts: CallFacts,
  policy: Policy,
  rules: readonly PermissionRule[],
): DecisionItem[] {
  const { call } = facts
  const writes = facts.commands.flatMap((line) => line.writes)
  const context: DecisionContext = {
    policy,
    rules,
    places: [...facts.places.map(({ place }) => place), ...writes],
    parts: facts.commands.flatMap((line) => line.parts.map((part) => ({ part, line }))),
    hosts: facts.hosts,
    sandboxed: facts.sandboxed === true,
    unconfined: facts.unconfined === true,
    unsearched: facts.unsearched === true,
  }
  const runs = facts.commands.length > 0
  const action = baselineAction(call.level, policy.mode, policy.preset)
  const level = makeReason('level', action, explainCall(call, policy))
  // if the commands of the call get separate decisions, its working directory needs no approval
  const rest = runs ? makeReason('level', 'allow', '') : level
  const baseOf = (place: ResolvedPath, access: 'read' | 'write') =>
    access === 'write' && mayEdit(facts, place, policy) ? edits : rest
  const out: DecisionItem[] = [
    ...facts.faults.map((fault): DecisionItem => {
      const limit: ItemLimit = { action: 'deny', by: 'path', text: fault.text, code: fault.code }
      return { kind: 'call', name: call.tool, limits: [limit], rules: [], base: level }
    }),
    ...facts.places.map(({ place, access, granted }) =>
      granted
        ? itemsOfCommands().grantItem(place, context)
        : placeItem(place, access, baseOf(place, access), context),
    ),
    ...facts.commands.flatMap((line) => itemsOfCommands().lineItems(line, context)),
    ...facts.hosts.map((host) => {
      const network = `the command asks for the network: ${host}`
      const base = runs ? { ...makeReason('level', action, network), cause: 'network' as const } : level
      return hostItem(host, base, context, facts.hostQuestions?.get(host))
    }),
  ]
  if (out.length === 0 || (runs && call.level !== 'confirm_execute')) {
    const blanket = rules.filter(
      (rule) => ruleKind(rule) === 'call' || (!isRestrictive(rule) && coversEveryPart(rule, context)),
    )
    out.push({ kind: 'call', name: call.tool, limits: [], rules: matchCertainly(blanket), base: level })
  } else if (out.every((item) => item.kind !== 'call')) {
    // A rule about the whole call is reported once, for the first item, with the name of the tool instead of
    // the name of the item.
    const first = out[0] as DecisionItem
    const plain = rules.filter((rule) => ruleKind(rule) === 'call' && isRestrictive(rule))
    const ofCall = matchCertainly(plain).map((matching) => ({ ...matching, name: call.tool }))
    out[0] = { ...first, rules: [...ofCall, ...first.rules] }
  }
  return out
}

/**
 * Returns true if mode `edits` or `auto` without a preset lets a tool that runs no command write a file in
 * the workspace. Limits of the path, such as approval of sensitive paths, still apply.
 */
function mayEdit({ call, commands }: CallFacts, place: ResolvedPath, policy: Policy): boolean {
  const mode = effectiveMode(policy.mode, policy.preset)
  const open = (mode === 'edits' || mode === 'auto') && policy.preset === undefined
  return (
    open && call.level === 'confirm_write' && commands.length === 0 && place.root === policy.roots.workspace
  )
}

const edits: DecisionReason = { by: 'level', action: 'allow', text: '' }

function placeItem(
  place: ResolvedPath,
  access: 'read' | 'write',
  base: DecisionReason,
  context: DecisionContext,
): DecisionItem {
  const fitting = context.rules.filter((rule) => rulesPlace(rule, place, context))
  const judged = judgePath(place, access, context.policy.roots)
  const named = fitting.some((rule) => namesPath(rule, place))
  const limits = limitsOf(judged, named)
  return {
    kind: 'place',
    name: `${access} ${place.shown}`,
    limits,
    rules: matchCertainly(fitting),
    base,
    place,
  }
}

function hostItem(
  host: string,
  level: DecisionReason,
  context: DecisionContext,
  question: HostQuestion | undefined,
): DecisionItem {
  const { mode, preset } = context.policy
  const isAsked = question !== undefined && effectiveMode(mode, preset) !== 'unrestricted'
  const fitting = context.rules.filter((rule) =>
    rule.host === undefined
      ? !isRestrictive(rule) && ruleKind(rule) === 'call'
      : hostFits(rule, host) &&
        meetsConditions({ ...rule, host: undefined } as unknown as PermissionRule, context),
  )
  const counting = isAsked ? fitting.filter(({ known: isKnown }) => isKnown !== true) : fitting
  const asks = isAsked ? { ...makeReason('host', 'ask', question.text), cause: 'host' as const } : undefined
  const limits: ItemLimit[] = asks && question?.isFixed ? [{ ...asks, code: 'denied' }] : []
  const base = asks && level.action === 'allow' ? asks : level
  return { kind: 'host', name: host, limits, rules: matchCertainly(counting), base }
}

/**
 * Returns true if the command, directory and other conditions of a rule certainly match every
 * simple command of the call; false for a call without commands. It is used for calls that do not
 * run the commands themselves.
 */
function coversEveryPart(rule: PermissionRule, context: DecisionContext): boolean {
  if (rule.command === undefined || context.parts.length === 0) return false
  const fits = context.parts.every(
    ({ part, line }) =>
      commandFits(rule, part, line.line) === 'yes' && appliesInFolder(rule, line, context.policy),
  )
  return fits && meetsConditions(rule, context)
}
