// Takes a call apart into the things that are decided one by one, each with the limits and rules that concern it.
import type { Facts, Line } from './facts.ts'
import { ruleFolder } from './folder.ts'
import {
  certain,
  type Item,
  kindOf,
  type Limit,
  limitsOf,
  meetsConditions,
  namesPath,
  reason,
  rulesPlace,
  type Whole,
} from './item.ts'
import { commandFits, hostFits, restricts } from './match.ts'
import { judgePath, type Place } from './path.ts'
import type { Policy, Reason } from './policy.ts'
import { baseline, effectiveMode } from './presets.ts'
import type { Rule } from './rule.ts'
import { explainCall } from './wording.ts'

export type { Item } from './item.ts'

let judgeLine: ((line: Line, whole: Whole) => Item[]) | undefined

/** Loads what command lines are judged with. Must have resolved before `items` sees one. */
export async function readyLines(): Promise<void> {
  judgeLine ??= (await import('./line-items.ts')).lineItems
}

function lineItems(line: Line, whole: Whole): Item[] {
  if (!judgeLine) throw new Error('command lines were not made ready')
  return judgeLine(line, whole)
}

/** Every item of a call; never empty. `rules` are those whose conditions on the whole call hold. */
export function items(facts: Facts, policy: Policy, rules: readonly Rule[]): Item[] {
  const { call } = facts
  const writes = facts.commands.flatMap((line) => line.writes)
  const whole: Whole = {
    policy,
    rules,
    places: [...facts.places.map(({ place }) => place), ...writes],
    parts: facts.commands.flatMap((line) => line.parts.map((part) => ({ part, line }))),
    hosts: facts.hosts,
  }
  const runs = facts.commands.length > 0
  const action = baseline(call.level, policy.mode, policy.preset)
  const level = reason('level', action, explainCall(call, policy))
  // where a line is judged by its commands, the folder it runs in needs no leave of its own
  const rest = runs ? reason('level', 'allow', '') : level
  const baseOf = (place: Place, access: 'read' | 'write') =>
    access === 'write' && mayEdit(facts, place, policy) ? edits : rest
  const out: Item[] = [
    ...facts.faults.map((fault): Item => {
      const limit: Limit = { action: 'deny', by: 'path', text: fault.text, code: fault.code }
      return { kind: 'call', name: call.tool, limits: [limit], rules: [], base: level }
    }),
    ...facts.places.map(({ place, access }) => placeItem(place, access, baseOf(place, access), whole)),
    ...facts.commands.flatMap((line) => lineItems(line, whole)),
    ...facts.hosts.map((host) => hostItem(host, level, whole)),
  ]
  if (out.length === 0 || (runs && call.level !== 'confirm_execute')) {
    const blanket = rules.filter(
      (rule) => kindOf(rule) === 'call' || (!restricts(rule) && covers(rule, whole)),
    )
    out.push({ kind: 'call', name: call.tool, limits: [], rules: certain(blanket), base: level })
  } else if (out.every((item) => item.kind !== 'call')) {
    // rules without a condition of their own are reported once, with the first item
    const first = out[0] as Item
    const plain = rules.filter((rule) => kindOf(rule) === 'call' && restricts(rule))
    out[0] = { ...first, rules: [...certain(plain), ...first.rules] }
  }
  return out
}

/** Modes `edits` and `auto` let the tools that write files do so in the workspace; what is guarded there still asks. */
function mayEdit({ call, commands }: Facts, place: Place, policy: Policy): boolean {
  const mode = effectiveMode(policy.mode, policy.preset)
  const open = (mode === 'edits' || mode === 'auto') && policy.preset === undefined
  return (
    open && call.level === 'confirm_write' && commands.length === 0 && place.root === policy.roots.workspace
  )
}

const edits = reason('level', 'allow', '')

function placeItem(place: Place, access: 'read' | 'write', base: Reason, whole: Whole): Item {
  const fitting = whole.rules.filter((rule) => rulesPlace(rule, place, whole))
  const judged = judgePath(place, access, whole.policy.roots)
  const named = fitting.some((rule) => namesPath(rule, place))
  const limits = limitsOf(judged, named)
  return { kind: 'place', name: `${access} ${place.shown}`, limits, rules: certain(fitting), base, place }
}

function hostItem(host: string, base: Reason, whole: Whole): Item {
  const fitting = whole.rules.filter((rule) =>
    rule.host === undefined
      ? !restricts(rule) && kindOf(rule) === 'call'
      : hostFits(rule, host) && meetsConditions({ ...rule, host: undefined } as unknown as Rule, whole),
  )
  return { kind: 'host', name: host, limits: [], rules: certain(fitting), base }
}

/** Whether a command rule that allows covers a call that carries a command without being an execution itself. */
function covers(rule: Rule, whole: Whole): boolean {
  if (rule.command === undefined || whole.parts.length === 0) return false
  const fits = whole.parts.every(
    ({ part, line }) => commandFits(rule, part, line.line) === 'yes' && ruleFolder(rule, line, whole.policy),
  )
  return fits && meetsConditions(rule, whole)
}
