// Takes a call apart into the things that are decided one by one, each with the limits and rules that concern it.
import { homedir } from 'node:os'
import type { FailureCode } from '../base/errors.ts'
import type { Facts, Line, LinePart } from './facts.ts'
import { literal } from './glob.ts'
import { commandFits, hostFits, type Match, placeFits, restricts, ruleConcerns } from './match.ts'
import { type Judgement, judgePath, type Place, within } from './path.ts'
import type { Policy, Reason } from './policy.ts'
import { baseline, effectiveMode } from './presets.ts'
import type { Rule } from './rule.ts'

export type Limit = Reason & { code: FailureCode }

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
interface Whole {
  policy: Policy
  rules: readonly Rule[]
  places: readonly Place[]
  parts: readonly { part: LinePart; line: string }[]
  hosts: readonly string[]
}

/** Every item of a call; never empty. `rules` are those whose conditions on the whole call hold. */
export function items(facts: Facts, policy: Policy, rules: readonly Rule[]): Item[] {
  const { call } = facts
  const writes = facts.commands.flatMap((line) => line.writes)
  const whole: Whole = {
    policy,
    rules,
    places: [...facts.places.map(({ place }) => place), ...writes],
    parts: facts.commands.flatMap((line) => line.parts.map((part) => ({ part, line: line.line }))),
    hosts: facts.hosts,
  }
  const runs = facts.commands.length > 0
  const level = said(
    'level',
    baseline(call.level, policy.mode, policy.preset),
    `${call.tool} is ${call.level}`,
  )
  // where a line is judged by its commands, the folder it runs in needs no leave of its own
  const rest = runs ? said('level', 'allow', '') : level
  const out: Item[] = [
    ...facts.faults.map((fault): Item => {
      const limit: Limit = { action: 'deny', by: 'path', text: fault.text, code: fault.code }
      return { kind: 'call', name: call.tool, limits: [limit], rules: [], base: level }
    }),
    ...facts.places.map(({ place, access }) => placeItem(place, access, rest, whole)),
    ...facts.commands.flatMap((line) => lineItems(line, whole)),
    ...facts.hosts.map((host) => hostItem(host, level, whole)),
  ]
  if (out.length === 0 || (runs && call.level !== 'confirm_execute')) {
    const blanket = rules.filter(
      (rule) => kindOf(rule) === 'call' || (!restricts(rule) && covers(rule, whole)),
    )
    out.push({ kind: 'call', name: call.tool, limits: [], rules: sure(blanket), base: level })
  } else if (out.every((item) => item.kind !== 'call')) {
    // rules without a condition of their own are reported once, with the first item
    const first = out[0] as Item
    const plain = rules.filter((rule) => kindOf(rule) === 'call' && restricts(rule))
    out[0] = { ...first, rules: [...sure(plain), ...first.rules] }
  }
  return out
}

function placeItem(place: Place, access: 'read' | 'write', base: Reason, whole: Whole): Item {
  const fitting = whole.rules.filter((rule) => pathRule(rule, place, whole))
  const judged = judgePath(place, access, whole.policy.roots)
  const named = fitting.some((rule) => !restricts(rule) && names(rule, place))
  const limits = limitsOf(judged, named)
  return { kind: 'place', name: `${access} ${place.shown}`, limits, rules: sure(fitting), base, place }
}

/** Redirections are writes of their own: rules about file tools count as well, rules about the command do not. */
function writeItem(place: Place, line: Line, whole: Whole): Item {
  const exact = whole.rules.filter((rule) => exactAllow(rule, line.line))
  const fitting = [
    ...whole.rules.filter((rule) => rule.path !== undefined && pathRule(rule, place, whole)),
    ...fileRules(place, whole).filter((rule) => pathRule(rule, place, whole)),
    ...exact,
  ]
  const limits = limitsOf(judgePath(place, 'write', whole.policy.roots), false)
  const base = said('shell', writing(whole.policy), `a redirection writes ${place.shown}`)
  return { kind: 'write', name: `write ${place.shown}`, limits, rules: sure(fitting), base, place, line }
}

/** Rules that would speak for `create_file` at this place, without those that already spoke. */
function fileRules(place: Place, { policy, rules }: Whole): Rule[] {
  const call = {
    tool: 'create_file',
    level: 'confirm_write',
    args: { path: place.shown },
    scope: [],
  } as const
  return policy.rules.filter(
    (rule) => !rules.includes(rule) && rule.command === undefined && ruleConcerns(rule, call, policy),
  )
}

function lineItems(line: Line, whole: Whole): Item[] {
  const exact = whole.rules.filter((rule) => exactAllow(rule, line.line))
  const out = line.parts.map((part) => partItem(part, line, whole))
  if (line.opaque !== undefined || line.parts.length === 0) {
    const why = line.opaque ?? 'it holds no command'
    const base = said('shell', running(whole.policy), `the line is not fully understood: ${why}`)
    const maybe = whole.rules
      .filter((rule) => restricts(rule) && rule.command !== undefined)
      .map((rule) => ({ rule, match: (rule.command === `=${line.line}` ? 'yes' : 'maybe') as Match }))
    out.push({ kind: 'line', name: 'the line', limits: [], rules: [...maybe, ...sure(exact)], base, line })
  }
  out.push(...line.writes.map((place) => writeItem(place, line, whole)))
  if (line.blind) {
    const doubt = whole.rules.filter(
      (rule) => restricts(rule) && rule.path !== undefined && rule.command === undefined,
    )
    const rules = [...doubt.map((rule) => ({ rule, match: 'maybe' as Match })), ...sure(exact)]
    const text = 'a redirection writes to a file whose name is only known at run time'
    const wall: Limit = { action: 'ask', by: 'path', text, code: 'protected_path' }
    const limits = whole.policy.roots.protected.length > 0 ? [wall] : []
    out.push({
      kind: 'write',
      name: text,
      limits,
      rules,
      base: said('shell', writing(whole.policy), text),
      line,
    })
  }
  return out
}

function partItem(part: LinePart, line: Line, whole: Whole): Item {
  const rules: { rule: Rule; match: Match }[] = []
  for (const rule of whole.rules) {
    if (rule.command === undefined) {
      if (bare(rule, part, whole)) rules.push({ rule, match: 'yes' })
      continue
    }
    const match = commandFits(rule, part, line.line)
    if (match === 'no' || !others(rule, whole)) continue
    if (restricts(rule) || part.opaque === undefined || exactAllow(rule, line.line))
      rules.push({ rule, match })
  }
  const name = part.words.join(' ') || 'an assignment or redirection'
  return {
    kind: 'part',
    name: shorten(name),
    limits: reaches(part, whole.policy),
    rules,
    base: partBase(part, whole.policy),
    part,
    line,
  }
}

/** Rules without a command: those that allow cover what is understood, those that forbid a path what names it. */
function bare(rule: Rule, part: LinePart, whole: Whole): boolean {
  if (!restricts(rule)) return kindOf(rule) === 'call' && part.opaque === undefined
  return rule.path !== undefined && part.names.some((place) => pathRule(rule, place, whole))
}

/** What a program does with a protected folder is not known, unless it is known to only read. */
function reaches(part: LinePart, policy: Policy): Limit[] {
  const wall = policy.roots.protected.find((dir) => part.names.some((place) => within(place.real, dir)))
  if (wall === undefined || part.class === 'reading') return []
  const text = `${shorten(part.words.join(' '))} names ${wall}, which is protected`
  return [{ action: 'ask', by: 'path', text, code: 'protected_path' }]
}

function partBase(part: LinePart, policy: Policy): Reason {
  const behind = part.via.length > 0 ? ` (run by ${part.via.join(', ')})` : ''
  const name = `${shorten(part.words.join(' ') || 'the line')}${behind}`
  const action = running(policy)
  if (part.opaque !== undefined) return said('shell', action, `${name}: ${part.opaque}`)
  if (part.words.length === 0) return said('shell', 'allow', '')
  const mode = effectiveMode(policy.mode, policy.preset)
  if (action === 'ask' && mode === 'auto' && policy.preset === undefined && part.class !== undefined) {
    const judged = part.touches.map((place) => judgePath(place, 'read', policy.roots))
    const far = judged.find((one) => one.action !== 'allow')
    if (!far && (!part.git || policy.trusted))
      return said('shell', 'allow', `${name} is a ${part.class} command`)
    const why = far ? `: ${far.text}` : ' runs git, which obeys the settings of this untrusted workspace'
    return said('shell', action, `${name}${why}`)
  }
  return said('shell', action, action === 'allow' ? '' : `no rule allows ${name}`)
}

function hostItem(host: string, base: Reason, whole: Whole): Item {
  const fitting = whole.rules.filter((rule) =>
    rule.host === undefined
      ? !restricts(rule) && kindOf(rule) === 'call'
      : hostFits(rule, host) && others({ ...rule, host: undefined } as unknown as Rule, whole),
  )
  return { kind: 'host', name: host, limits: [], rules: sure(fitting), base }
}

function pathRule(rule: Rule, place: Place, whole: Whole): boolean {
  if (rule.path === undefined) return !restricts(rule) && kindOf(rule) === 'call'
  if (!placeFits(rule, place, whole.policy.roots.workspace, homedir())) return false
  return (
    rule.command === undefined ||
    conj(rule, whole.parts, ({ part, line }) => commandFits(rule, part, line) !== 'no')
  )
}

/** The condition that decides which items a rule is about. */
function kindOf(rule: Rule): 'command' | 'path' | 'host' | 'call' {
  if (rule.command !== undefined) return 'command'
  if (rule.path !== undefined) return 'path'
  return rule.host !== undefined ? 'host' : 'call'
}

/** A command rule's conditions on paths and hosts. */
function others(rule: Rule, whole: Whole): boolean {
  const home = homedir()
  const workspace = whole.policy.roots.workspace
  if (
    rule.path !== undefined &&
    !conj(rule, whole.places, (place) => placeFits(rule, place, workspace, home))
  )
    return false
  return rule.host === undefined || conj(rule, whole.hosts, (host) => hostFits(rule, host))
}

/** Rules that allow want all of them to fit, rules that forbid one. */
function conj<T>(rule: Rule, all: readonly T[], fits: (one: T) => boolean): boolean {
  return restricts(rule) ? all.some(fits) : all.length > 0 && all.every(fits)
}

/** Whether a command rule that allows covers a call that carries a command without being an execution itself. */
function covers(rule: Rule, whole: Whole): boolean {
  if (rule.command === undefined || whole.parts.length === 0) return false
  return whole.parts.every(({ part, line }) => commandFits(rule, part, line) === 'yes') && others(rule, whole)
}

function exactAllow(rule: Rule, line: string): boolean {
  return !restricts(rule) && rule.command === `=${line}`
}

/** Only a rule that spells the path out lifts the question about a sensitive name. */
function names(rule: Rule, place: Place): boolean {
  const path = rule.path === undefined ? undefined : literal(rule.path)
  return path !== undefined && path.replace(/^\.\//, '') === place.shown
}

function limitsOf(judged: Judgement, named: boolean): Limit[] {
  if (judged.action === 'allow' || (named && judged.code === 'sensitive_path')) return []
  return [{ action: judged.action, by: 'path', text: judged.text, code: judged.code ?? 'denied' }]
}

const sure = (rules: readonly Rule[]) => rules.map((rule) => ({ rule, match: 'yes' as Match }))
const running = (policy: Policy) => baseline('confirm_execute', policy.mode, policy.preset)
const writing = (policy: Policy) => baseline('confirm_write', policy.mode, policy.preset)
const said = (by: string, action: Reason['action'], text: string): Reason => ({ action, by, text })
const shorten = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
