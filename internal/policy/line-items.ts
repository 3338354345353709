// Decision items of a command line: simple commands, redirections, and text that cannot be parsed.

import {
  type DecisionContext,
  type DecisionItem,
  type ItemLimit,
  limitsOf,
  makeReason,
  matchCertainly,
  mayRun,
  mayWrite,
  meetsConditions,
  ruleKind,
  rulesPlace,
  showWords,
} from './decision-item.ts'
import { doubtfulReads, matchFileRule, mentionMatch, readingMatches } from './file-deeds.ts'
import { causeOfEffect, describeUnsearched, isHeld, leavesSandbox, sandboxReason } from './held-commands.ts'
import { effectiveMode, strictestAction } from './level.ts'
import { describeSensitiveContent, partLimits } from './part-limits.ts'
import { judgePath, type ResolvedPath } from './paths/path-jail.ts'
import {
  type DecisionCause,
  type DecisionPart,
  type DecisionReason,
  type Policy,
  unconfinedBuild,
} from './policy.ts'
import type { CommandLine, LinePart } from './resolved-call.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import { appliesInFolder } from './rules/rule-folder.ts'
import { commandFits, isRestrictive, lineFits, type RuleMatch, ruleConcerns } from './rules/rule-match.ts'
import { committingWords } from './shell/git/commit-words.ts'
import { connecting, describeGitEffect } from './shell/git/git-effects.ts'
import { runsHardened } from './shell/git/hardened-lines.ts'
import { isConnecting } from './shell/programs/connecting.ts'
import { loopbackPort } from './shell/programs/loopback.ts'

export { grantItem } from './grant-item.ts'

export function lineItems(line: CommandLine, context: DecisionContext): DecisionItem[] {
  const exact = context.rules.filter((rule) => allowsLine(rule, line, context.policy))
  const out = line.parts.map((part) => partItem(part, line, context))
  if (line.opaque !== undefined || line.parts.length === 0) out.push(makeUnclearItem(line, exact, context))
  out.push(...line.writes.map((place) => writeItem(place, line, context)))
  if (line.blind) out.push(blindWrite(line, exact, context))
  return out
}

/** Merges decisions of an agent and its parent on one line; the stricter one on each command counts. */
export function strictestParts(
  ownParts: readonly DecisionPart[],
  parent: readonly DecisionPart[],
): readonly DecisionPart[] {
  return ownParts.map((part, at) => {
    const other = parent[at]
    const isStricter = other?.name === part.name && strictestAction(part.action, other.action) !== part.action
    return isStricter ? { ...other, why: `for the agent above: ${other.why}` } : part
  })
}

/** Returns an item for a line that could not be parsed completely or contains no command. */
function makeUnclearItem(
  line: CommandLine,
  exact: readonly PermissionRule[],
  context: DecisionContext,
): DecisionItem {
  const { policy } = context
  const text = `the line is not fully understood: ${line.opaque ?? 'it contains no command'}`
  const maybe = context.rules
    .filter((rule) => isRestrictive(rule) && (rule.command ?? rule.path) !== undefined)
    .map((rule) => ({
      rule,
      match: rule.command === undefined ? mentionMatch(rule, line, policy.roots) : lineFits(rule, line.line),
    }))
  const doubtful = [...maybe, ...doubtfulReads(line, context)]
  const rules = [...doubtful, ...matchCertainly(exact)]
  const isNamed = doubtful.some(({ match }) => match === 'yes')
  const isLineHeld = isHeld(context)
  const doubt = policy.roots.protected.length > 0 && !isLineHeld
  return {
    kind: 'line',
    name: isNamed ? `the line, which cannot be read whole (${line.opaque ?? 'it is empty'})` : 'the line',
    limits: doubt ? [protectedLimit(`${text}; it may write a protected folder`)] : [],
    rules,
    base: isLineHeld ? sandboxReason('the line', line, context) : causeReason('unread', text, mayRun(policy)),
    line,
  }
}

function blindWrite(
  line: CommandLine,
  exact: readonly PermissionRule[],
  context: DecisionContext,
): DecisionItem {
  const doubt = context.rules.filter(
    (rule) => isRestrictive(rule) && rule.path !== undefined && rule.command === undefined,
  )
  const rules = [...doubt.map((rule) => ({ rule, match: 'maybe' as RuleMatch })), ...matchCertainly(exact)]
  const text = 'a redirection writes to a file whose name is only known at run time'
  const { policy } = context
  const isLineHeld = isHeld(context)
  const limits = policy.roots.protected.length > 0 && !isLineHeld ? [protectedLimit(text)] : []
  const base = isLineHeld ? sandboxReason(text, line, context) : makeReason('shell', mayWrite(policy), text)
  return { kind: 'write', name: text, limits, rules, base, line }
}

const protectedLimit = (text: string): ItemLimit => ({
  action: 'ask',
  by: 'path',
  text,
  code: 'protected_path',
})

/**
 * Returns the item of a redirection to a file. Rules about file tools match it. Of the rules about commands,
 * only one that allows exactly this line does.
 */
function writeItem(place: ResolvedPath, line: CommandLine, context: DecisionContext): DecisionItem {
  const fitting = [
    ...context.rules.filter((rule) => rule.path !== undefined && rulesPlace(rule, place, context)),
    ...fileRules(place, context).filter((rule) => forbidsWrites(rule) || rulesPlace(rule, place, context)),
    ...context.rules.filter((rule) => allowsLine(rule, line, context.policy)),
  ]
  const judged = judgePath(place, 'write', context.policy.roots)
  // Outside of the workspace the sandbox itself refuses the write, so no approval is needed.
  const limits = context.sandboxed && judged.code === 'outside_workspace' ? [] : limitsOf(judged, false)
  const text = `a redirection writes ${place.shown}`
  const open = isOpenTemporary(place, context.policy) ? 'allow' : mayWrite(context.policy)
  const base = isHeld(context) ? sandboxReason(text, line, context) : makeReason('shell', open, text)
  return {
    kind: 'write',
    name: `write ${place.shown}`,
    limits,
    rules: matchCertainly(fitting),
    base,
    place,
    line,
  }
}

/** Returns true for paths below `TMPDIR`, deleted with the session, in mode `auto` without a preset. */
const isOpenTemporary = ({ root }: ResolvedPath, { roots, mode, preset }: Policy) =>
  root !== undefined && root === roots.temporary && mode === 'auto' && preset === undefined

const forbidsWrites = (rule: PermissionRule) => isRestrictive(rule) && ruleKind(rule) === 'call'

/** Returns the rules for `create_file` at this path, without those that already matched. */
function fileRules(place: ResolvedPath, { policy, rules }: DecisionContext): PermissionRule[] {
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

function partItem(part: LinePart, line: CommandLine, context: DecisionContext): DecisionItem {
  const rules: { rule: PermissionRule; match: RuleMatch }[] = []
  for (const rule of context.rules) {
    if (rule.command === undefined) {
      const match = plainMatch(rule, part, line, context)
      if (match !== 'no') rules.push({ rule, match })
      continue
    }
    const match = commandFits(rule, part, line.line)
    if (match === 'no' || !meetsConditions(rule, context) || !appliesInFolder(rule, line, context.policy))
      continue
    if (rule.class !== undefined && !isRestrictive(rule) && !isOfClass(part, rule.class, context.policy))
      continue
    if (rule.port !== undefined && !asksPort(part, rule.port)) continue
    if (isRestrictive(rule) || part.opaque === undefined || allowsLine(rule, line, context.policy))
      rules.push({ rule, match })
  }
  rules.push(...readingMatches(part, line, context))
  const exact = rules.some(({ rule }) => allowsLine(rule, line, context.policy))
  return {
    kind: 'part',
    name: showWords(part.words) || 'shell syntax without a command',
    limits: partLimits(part, context).filter((limit) => !(exact && limit.doubt)),
    rules,
    base: partBase(part, line, context),
    part,
    line,
  }
}

const asksPort = (part: LinePart, port: number): boolean =>
  part.known === part.words.length && part.reads.length === 0 && loopbackPort(part.words) === port

/** Returns true if a rule for the class `ruleClass` covers the simple command. */
function isOfClass(
  part: LinePart,
  ruleClass: NonNullable<PermissionRule['class']>,
  { trusted }: Policy,
): boolean {
  if (ruleClass === 'building') return part.class === 'building'
  return trusted === true && part.known === part.words.length && committingWords(part.words) !== undefined
}

/** Returns how a rule without a command matches a simple command: to allow, it must match certainly. */
function plainMatch(
  rule: PermissionRule,
  part: LinePart,
  line: CommandLine,
  context: DecisionContext,
): RuleMatch {
  if (isRestrictive(rule)) return rule.path === undefined ? 'no' : matchFileRule(rule, part, line, context)
  return ruleKind(rule) === 'call' && part.opaque === undefined ? 'yes' : 'no'
}

/** Returns the decision on a command that no rule allows: by mode and class, or by its sandbox. */
function partBase(part: LinePart, line: CommandLine, context: DecisionContext): DecisionReason {
  const base = classBase(part, line, context)
  if (base.action !== 'ask' || !isHeld(context)) return base
  const why = leavesSandbox(part)
  if (why !== undefined) return { ...base, ...why }
  return sandboxReason(showWords(part.words), line, context)
}

function classBase(part: LinePart, line: CommandLine, context: DecisionContext): DecisionReason {
  const { policy } = context
  const behind = part.via.length > 0 ? ` (run by ${part.via.join(', ')})` : ''
  const name = `${showWords(part.words) || 'the line'}${behind}`
  const action = mayRun(policy)
  const effect = describeEffect(part)
  if (part.opaque !== undefined)
    return causeReason(effect === connecting ? 'network' : 'unread', `${name}: ${part.opaque}`, action)
  if (part.words.length === 0) return makeReason('shell', 'allow', '')
  const mode = effectiveMode(policy.mode, policy.preset)
  if (action === 'ask' && mode === 'auto' && policy.preset === undefined && part.class !== undefined) {
    const far = part.touches
      .map((place) => judgePath(place, 'read', policy.roots))
      .find((one) => one.action !== 'allow')
    const [sensitiveContent] = part.class === 'reading' ? part.sensitiveContents : []
    const why =
      (far && causeReason(far.code === 'sensitive_path' ? 'secret' : 'outside', far.text)) ??
      (sensitiveContent && causeReason('secret', describeSensitiveContent(sensitiveContent))) ??
      checkTrust(part, line, policy) ??
      checkBuild(part, line, context)
    if (why === undefined) return makeReason('shell', 'allow', `${name} is a ${part.class} command`)
    return { ...why, action, text: `${name}: ${why.text}` }
  }
  if (action === 'allow') return makeReason('shell', action, '')
  const text = `no rule allows ${name}${effect === undefined ? '' : `, which ${effect}`}`
  return effect === undefined
    ? makeReason('shell', action, text)
    : causeReason(causeOfEffect(effect), text, action)
}

const causeReason = (
  cause: DecisionCause,
  text: string,
  action: DecisionReason['action'] = 'ask',
): DecisionReason => ({ ...makeReason('shell', action, text), cause })

/**
 * Describes what the command would do to the network or a repository, as far as its words show; undefined
 * without such an effect.
 */
function describeEffect({ words, class: commandClass }: LinePart): string | undefined {
  if (commandClass === 'reading') return undefined
  const [program = '', ...rest] = words
  if (isConnecting(words)) return connecting
  const isGit = program.slice(program.lastIndexOf('/') + 1) === 'git' && rest.length > 0
  return isGit ? describeGitEffect(['git', ...rest]) : undefined
}

/**
 * Returns why a test or build needs approval: it has no sandbox, or not all directories were searched for
 * secrets that its sandbox should hide; otherwise undefined.
 */
function checkBuild(part: LinePart, line: CommandLine, context: DecisionContext): DecisionReason | undefined {
  if (part.class !== 'building') return undefined
  if (context.unsearched && isHeld(context)) return causeReason('unsearched', describeUnsearched(line))
  if (!context.unconfined) return undefined
  const rule = JSON.stringify({ tool: 'bash', command: part.words.join(' '), action: 'allow' })
  return causeReason('unconfined', `${unconfinedBuild}; the rule ${rule} allows it`)
}

/** Returns why the class of a command does not count in this workspace; undefined if it counts. */
function checkTrust(part: LinePart, line: CommandLine, policy: Policy): DecisionReason | undefined {
  const doubt = 'it runs or obeys files of this workspace, which is untrusted (`anode trust` changes that)'
  if (!policy.trusted && part.class !== 'reading') return causeReason('untrusted', doubt)
  if (!part.git) return undefined
  const mixed = 'it runs git with other commands, and git obeys the settings of the repository'
  // Only lines that only read run with a setting under which git starts no programs.
  if (line.opaque !== undefined || !runsHardened(line.parts.map((one) => one.class)))
    return causeReason('untrusted', mixed)
  if (policy.trusted || line.repository === undefined) return undefined
  return causeReason('untrusted', line.repository)
}

/** Returns true for a rule that allows exactly this line, in the directory that it starts in. */
function allowsLine(rule: PermissionRule, line: CommandLine, policy: Policy): boolean {
  return !isRestrictive(rule) && rule.command === `=${line.line}` && appliesInFolder(rule, line, policy)
}
