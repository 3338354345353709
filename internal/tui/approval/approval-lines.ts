// The lines that a user sees of a call before it may run.
import { countNoun } from '../../base/text/count-noun.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { DecisionPart } from '../../policy/policy.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import type { ApprovalRequest, FilePreview } from '../../tool/ask.ts'
import { eachDiffLine } from '../run-view/diff-lines.ts'
import { iterateAnew } from '../terminal/lazy-list.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { argumentLines, commandLines, type TextLook } from './argument-lines.ts'
import { noteImitations } from './imitation-notes.ts'

export type ShownRequest = Pick<
  ApprovalRequest,
  'tool' | 'origin' | 'child' | 'args' | 'defaults' | 'cwd' | 'reasons' | 'parts' | 'always'
>

interface ApprovalSection {
  heading: string
  /** A short label before the first line of the section; empty for a section without a label. */
  label: string
  lines: Iterable<SourceLine>
}

/**
 * Returns the sections that have lines. `what` contains the command; `how` contains the changes, the other
 * arguments, and the reasons that are not shown at a part of the command.
 */
function approvalSections(
  { tool, args, defaults = [], reasons, parts = [] }: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
): { what: ApprovalSection[]; how: ApprovalSection[] } {
  const command = commandOf(args)
  const shownKeys = [...(preview?.shows ?? []), ...(command === undefined ? [] : ['command'])]
  const omitted = [...shownKeys, ...defaults]
  const callReasons = ownReasons(reasons, parts, tool)
  const runs = iterateAnew(() => (command === undefined ? [] : commandLines(command, look)))
  const how = [
    { heading: 'Changes', label: '', lines: iterateAnew(() => eachChange(preview, look)) },
    {
      heading: shownKeys.length > 0 ? 'Other arguments' : 'Arguments',
      label: 'with',
      lines: iterateAnew(() => argumentLines(args, look, omitted)),
    },
    { heading: 'Why it asks', label: 'why', lines: toProseLines(callReasons) },
  ]
  return {
    what: [{ heading: 'Command', label: 'runs', lines: runs }].filter(isThere),
    how: how.filter(isThere),
  }
}

/**
 * Returns the reasons that are not shown at a part of the command, each once. A first reason that only names
 * the permission mode is omitted if other reasons explain more.
 */
function ownReasons(reasons: readonly string[], parts: readonly DecisionPart[], tool: string): string[] {
  const callReasons = reasons.filter((text) => !parts.some((part) => tellsOf(part, text)))
  const each = callReasons.map((text) => (text.startsWith(`${tool} `) ? text.slice(tool.length + 1) : text))
  const once = [...new Set(each)]
  const isExplained = once.length > 1 || parts.some(({ action }) => action === 'ask')
  return isExplained && /; mode \w+ asks for /.test(once[0] ?? '') ? once.slice(1) : once
}

const isThere = ({ lines }: Pick<ApprovalSection, 'lines'>) => !lines[Symbol.iterator]().next().done

function* eachChange(preview: FilePreview | undefined, look: TextLook): Generator<SourceLine> {
  for (const file of preview?.files ?? []) yield* eachDiffLine(file, look)
}

const commandOf = ({ command }: ShownRequest['args']) => (typeof command === 'string' ? command : undefined)

/** Returns true if a reason belongs to the part, whose line shows the reason already. */
const tellsOf = ({ name, why }: DecisionPart, text: string) => text === why || text === `${name}: ${why}`

/**
 * Returns the lines in order: tool, subagent and directory, command, its parts, changes, other arguments,
 * reasons, and rules that "always" stores. A note about a word that looks like another word follows the line
 * in which the word first appears. Each line is made when needed.
 */
export function approvalLines(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
  offerTitle = alwaysTitle,
): Iterable<SourceLine> {
  const { what, how } = approvalSections(request, preview, look)
  const all = iterateAnew(function* () {
    yield* headLines(request)
    for (const { heading, lines } of what) yield* eachTitledLine(heading, lines)
    yield* partLines(request.parts)
    for (const { heading, lines } of how) yield* eachTitledLine(heading, lines)
    yield* offerLines(request.always, commandOf(request.args), look, offerTitle)
  })
  return iterateAnew(() => noteImitations(all))
}

function* eachTitledLine(heading: string, lines: Iterable<SourceLine>): Generator<SourceLine> {
  yield toTitleLine(heading)
  yield* lines
}

const alwaysTitle = '"Always" stores this rule for this workspace'

type LabelledLines = Omit<ApprovalSection, 'heading'>

/**
 * Returns the lines of an approval for the box of a dialog, with a label before each section. `keep` is the
 * label of the rule that would be stored, if it is the only one.
 */
export function approvalColumns(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
  keep: string,
): Iterable<SourceLine> {
  const { child, parts = [], always = [], args } = request
  const { what, how } = approvalSections(request, preview, look)
  const source = originText(request.origin)
  const groups: LabelledLines[] = [
    ...(child === undefined ? [] : [{ label: 'asked by', lines: toProseLines([child]) }]),
    ...(source === undefined ? [] : [{ label: '', lines: [{ text: source }] }]),
    ...what,
    ...parts.map((part, i) => {
      const label = `${i + 1} ${verdicts[part.action].short}`
      return { label, lines: iterateAnew(() => [partLine(part)]) }
    }),
    ...how,
    ...always.flatMap(({ rule, covers }, i) => {
      const label = always.length > 1 ? `rule ${i + 1}` : keep
      const through = toProseLines([covers])
      if (isThisLine(rule, args)) return [{ label, lines: through }]
      const stored = iterateAnew(() => ruleLines(rule, commandOf(args), look))
      return [
        { label, lines: stored },
        { label: 'allows', lines: through },
      ]
    }),
  ]
  const column = groups.reduce((max, { label }) => Math.max(max, label.length), 0) + 1
  const all = iterateAnew(function* () {
    for (const group of groups) yield* eachLabelledLine(group, column)
  })
  // The title of the box shows tool and directory, so only notes about words in them that look like other
  // words are added.
  return iterateAnew(() =>
    noteImitations(
      all,
      [request.tool, request.cwd].map((text) => escapeInvisible(text)),
    ),
  )
}

function* eachLabelledLine({ label, lines }: LabelledLines, column: number): Generator<SourceLine> {
  let lead = label.padEnd(column)
  for (const line of lines) {
    yield label === '' ? line : { ...line, lead }
    lead = ' '.repeat(column)
  }
}

/** The keys that a rule for one exact command may have. */
const plainKeys = new Set(['tool', 'action', 'command', 'cwd', 'origin'])

/**
 * Returns true if the rule allows exactly this command. The rule's text `covers` then
 * describes it completely.
 */
const isThisLine = (rule: PermissionRule, args: ShownRequest['args']) =>
  rule.command === `=${commandOf(args)}` && Object.keys(rule).every((key) => plainKeys.has(key))

const verdicts = {
  allow: { long: 'allowed', short: 'runs' },
  ask: { long: 'asks', short: 'asks' },
  deny: { long: 'denied', short: 'denied' },
} as const

/** Yields one title and then one line for each part of a compound command; nothing for other commands. */
function* partLines(parts: ShownRequest['parts']): Generator<SourceLine> {
  if (!parts) return
  yield toTitleLine(`Its ${parts.length} parts`)
  for (const [i, part] of parts.entries()) yield partLine(part, `${i + 1} ${verdicts[part.action].long}  `)
}

/** Returns the line of one part: `before`, the text of the part, and the reason of its decision. */
const partLine = (part: DecisionPart, before = ''): SourceLine => ({
  text: `${before}${escapeInvisible(describePart(part))}`,
  foreign: true,
})

/** Returns the part's text and its reason, which does not repeat the text at its start or end. */
function describePart({ name, why }: DecisionPart): string {
  const reason = why.startsWith(name)
    ? why.slice(name.length).replace(/^:? /, '')
    : why.endsWith(` ${name}`)
      ? `${why.slice(0, -name.length)}it`
      : why
  return reason === '' ? name : `${name}: ${reason}`
}

/**
 * Returns the lines of the question about one part: a title, the directory, the part with the reason of its
 * decision, the whole command, and the rules that "always" would store for the part.
 */
export function partQuestionLines(
  request: ShownRequest,
  at: number,
  offers: readonly number[],
  look: TextLook,
): Iterable<SourceLine> {
  return iterateAnew(() => noteImitations(eachPartLine(request, at, offers, look)))
}

function* eachPartLine(
  { tool, cwd, args, parts = [], always = [] }: ShownRequest,
  at: number,
  offers: readonly number[],
  look: TextLook,
): Generator<SourceLine> {
  const command = commandOf(args)
  const part = parts[at]
  const partRules = always.filter((_, place) => offers.includes(place))
  yield {
    text: `Allow part ${at + 1} of ${parts.length} of ${escapeInvisible(tool)}?`,
    style: { bold: true },
  }
  yield* eachForeignLine([`in ${escapeInvisible(cwd)}`])
  if (part) yield partLine(part)
  if (command !== undefined) yield* eachTitledLine('The whole command', commandLines(command, look))
  yield* offerLines(partRules.length > 0 ? partRules : undefined, command, look, alwaysTitle)
}

function* headLines({ tool, origin, child, cwd }: ShownRequest): Generator<SourceLine> {
  const asks =
    child === undefined
      ? `Allow ${escapeInvisible(tool)}?`
      : `A subagent asks: allow ${escapeInvisible(tool)}?`
  const source = originText(origin)
  yield { text: asks, style: { bold: true } }
  if (child !== undefined) yield* eachForeignLine([`task: ${escapeInvisible(child)}`])
  if (source !== undefined) yield { text: source }
  yield* eachForeignLine([`in ${escapeInvisible(cwd)}`])
}

/** Returns a sentence with the tool's origin, such as an MCP server; undefined for tools of Anode itself. */
function originText(origin: string): string | undefined {
  const [kind, name = ''] = origin.split(' ', 2)
  if (kind === 'mcp') return `The MCP server ${escapeInvisible(name)} runs it.`
  if (kind === 'plugin') return `The plugin ${escapeInvisible(name)} runs it.`
  return kind === 'native' ? undefined : `It comes from: ${escapeInvisible(origin)}`
}

function* offerLines(
  always: ApprovalRequest['always'],
  command: string | undefined,
  look: TextLook,
  offerTitle: string,
): Generator<SourceLine> {
  if (!always) return
  const isOne = always.length === 1
  yield toTitleLine(
    isOne ? offerTitle : offerTitle.replace('this rule', `these ${countNoun(always.length, 'rule')}`),
  )
  for (const [at, { rule }] of always.entries()) {
    if (!isOne) yield toTitleLine(`Rule ${at + 1}`)
    yield* ruleLines(rule, command, look)
  }
  yield toTitleLine(`${isOne ? 'It allows' : 'They allow'} from now on`)
  yield* toProseLines(always.map(({ covers }, at) => (isOne ? covers : `${at + 1} ${covers}`)))
}

function* ruleLines(
  rule: PermissionRule,
  command: string | undefined,
  look: TextLook,
): Generator<SourceLine> {
  const isWhole = command !== undefined && rule.command === `=${command}` && command.includes('\n')
  const { origin: _, examples: __, ...stored } = rule
  yield* argumentLines(stored, look, isWhole ? ['command'] : [])
  if (isWhole) yield { text: 'only for exactly the command above' }
}

const toTitleLine = (text: string): SourceLine => ({ text, style: { dim: true } })

function* eachForeignLine(texts: Iterable<string>): Generator<SourceLine> {
  for (const text of texts) yield { text, foreign: true }
}

/**
 * Returns sentences as lines. They may contain text that is not from Anode, so invisible
 * characters are escaped.
 */
const toProseLines = (texts: readonly string[]) =>
  texts.map((text): SourceLine => ({ text: escapeInvisible(text), foreign: true }))
