// The items of one command line: its parts, its redirections, and what could not be understood.
import type { Line, LinePart } from './facts.ts'
import { ruleFolder } from './folder.ts'
import {
  certain,
  type Item,
  kindOf,
  type Limit,
  limitsOf,
  mayRun,
  mayWrite,
  meetsConditions,
  reason,
  rulesPlace,
  shorten,
  type Whole,
} from './item.ts'
import { commandFits, type Match, restricts, ruleConcerns } from './match.ts'
import { partLimits, tellHolding } from './part-limits.ts'
import { judgePath, type Place } from './path.ts'
import type { Policy, Reason } from './policy.ts'
import { effectiveMode } from './presets.ts'
import type { Rule } from './rule.ts'
import { runsHardened } from './shell/hardening.ts'

export function lineItems(line: Line, whole: Whole): Item[] {
  const exact = whole.rules.filter((rule) => allowsLine(rule, line, whole.policy))
  const out = line.parts.map((part) => partItem(part, line, whole))
  if (line.opaque !== undefined || line.parts.length === 0) out.push(unclear(line, exact, whole))
  out.push(...line.writes.map((place) => writeItem(place, line, whole)))
  if (line.blind) out.push(blindWrite(line, exact, whole))
  return out
}

/** The line as far as it was not understood. */
function unclear(line: Line, exact: readonly Rule[], whole: Whole): Item {
  const { policy } = whole
  const text = `the line is not fully understood: ${line.opaque ?? 'it holds no command'}`
  const maybe = whole.rules
    .filter((rule) => restricts(rule) && rule.command !== undefined)
    .map((rule) => ({ rule, match: (rule.command === `=${line.line}` ? 'yes' : 'maybe') as Match }))
  const rules = [...maybe, ...certain(exact)]
  const limits = policy.roots.protected.length > 0 ? [wall(`${text}; it may write a protected folder`)] : []
  return { kind: 'line', name: 'the line', limits, rules, base: reason('shell', mayRun(policy), text), line }
}

function blindWrite(line: Line, exact: readonly Rule[], whole: Whole): Item {
  const doubt = whole.rules.filter(
    (rule) => restricts(rule) && rule.path !== undefined && rule.command === undefined,
  )
  const rules = [...doubt.map((rule) => ({ rule, match: 'maybe' as Match })), ...certain(exact)]
  const text = 'a redirection writes to a file whose name is only known at run time'
  const limits = whole.policy.roots.protected.length > 0 ? [wall(text)] : []
  const base = reason('shell', mayWrite(whole.policy), text)
  return { kind: 'write', name: text, limits, rules, base, line }
}

const wall = (text: string): Limit => ({ action: 'ask', by: 'path', text, code: 'protected_path' })

/** Redirections are writes of their own: rules about file tools count as well, rules about the command do not. */
function writeItem(place: Place, line: Line, whole: Whole): Item {
  const fitting = [
    ...whole.rules.filter((rule) => rule.path !== undefined && rulesPlace(rule, place, whole)),
    ...fileRules(place, whole).filter((rule) => rulesPlace(rule, place, whole)),
    ...whole.rules.filter((rule) => allowsLine(rule, line, whole.policy)),
  ]
  const limits = limitsOf(judgePath(place, 'write', whole.policy.roots), false)
  const base = reason('shell', mayWrite(whole.policy), `a redirection writes ${place.shown}`)
  return { kind: 'write', name: `write ${place.shown}`, limits, rules: certain(fitting), base, place, line }
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

function partItem(part: LinePart, line: Line, whole: Whole): Item {
  const rules: { rule: Rule; match: Match }[] = []
  for (const rule of whole.rules) {
    if (rule.command === undefined) {
      const match = plainMatch(rule, part, whole)
      if (match !== 'no') rules.push({ rule, match })
      continue
    }
    const match = commandFits(rule, part, line.line)
    if (match === 'no' || !meetsConditions(rule, whole) || !ruleFolder(rule, line, whole.policy)) continue
    if (rule.class !== undefined && !restricts(rule) && part.class !== rule.class) continue
    if (restricts(rule) || part.opaque === undefined || allowsLine(rule, line, whole.policy))
      rules.push({ rule, match })
  }
  const exact = rules.some(({ rule }) => allowsLine(rule, line, whole.policy))
  return {
    kind: 'part',
    name: shorten(part.words.join(' ') || 'an assignment or redirection'),
    limits: partLimits(part, whole).filter((limit) => !(exact && limit.doubt)),
    rules,
    base: partBase(part, line, whole.policy),
    part,
    line,
  }
}

/** Rules without a command: those that allow cover what is understood, those that forbid a path what may name it. */
function plainMatch(rule: Rule, part: LinePart, whole: Whole): Match {
  if (!restricts(rule)) return kindOf(rule) === 'call' && part.opaque === undefined ? 'yes' : 'no'
  if (rule.path === undefined) return 'no'
  if (part.names.some((place) => rulesPlace(rule, place, whole))) return 'yes'
  return part.cut || (part.vague !== undefined && part.words.length > 0) ? 'maybe' : 'no'
}

/** What happens to a part that no rule speaks of: in mode `auto` its class decides. */
function partBase(part: LinePart, line: Line, policy: Policy): Reason {
  const behind = part.via.length > 0 ? ` (run by ${part.via.join(', ')})` : ''
  const name = `${shorten(part.words.join(' ') || 'the line')}${behind}`
  const action = mayRun(policy)
  if (part.opaque !== undefined) return reason('shell', action, `${name}: ${part.opaque}`)
  if (part.words.length === 0) return reason('shell', 'allow', '')
  const mode = effectiveMode(policy.mode, policy.preset)
  if (action === 'ask' && mode === 'auto' && policy.preset === undefined && part.class !== undefined) {
    const far = part.touches
      .map((place) => judgePath(place, 'read', policy.roots))
      .find((one) => one.action !== 'allow')
    const [held] = part.class === 'reading' ? part.holds : []
    const why = far?.text ?? (held && tellHolding(held)) ?? distrusted(part, line, policy)
    if (why === undefined) return reason('shell', 'allow', `${name} is a ${part.class} command`)
    return reason('shell', action, `${name}: ${why}`)
  }
  return reason('shell', action, action === 'allow' ? '' : `no rule allows ${name}`)
}

/** Why the class does not count here; undefined where it does. */
function distrusted(part: LinePart, line: Line, policy: Policy): string | undefined {
  if (!policy.trusted && part.class !== 'reading')
    return 'it runs or obeys files of this workspace, which is untrusted (`anode trust` changes that)'
  if (!part.git) return undefined
  // the line runs so that git starts nothing, which only commands that read cannot mind
  if (line.opaque !== undefined || !runsHardened(line.parts.map((one) => one.class)))
    return 'it runs git beside other commands, and git obeys the settings of the repository'
  return policy.trusted ? undefined : line.repository
}

/** A rule that allows exactly this line, in the folder that it starts in. */
function allowsLine(rule: Rule, line: Line, policy: Policy): boolean {
  return !restricts(rule) && rule.command === `=${line.line}` && ruleFolder(rule, line, policy)
}
