// Everything a person has to see of a call before it may run, as lines in their order.
import { countNoun } from '../../base/text/count-noun.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { DecisionPart } from '../../policy/policy.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import type { ApprovalRequest, FilePreview } from '../../tool/ask.ts'
import { eachDiffLine } from '../run-view/diff-lines.ts'
import { iterateAnew } from '../terminal/lazy-list.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { argumentLines, blockLines, type TextLook } from './argument-lines.ts'
import { noteImitations } from './imitation-notes.ts'

export type ShownRequest = Pick<
  ApprovalRequest,
  'tool' | 'origin' | 'child' | 'args' | 'cwd' | 'reasons' | 'parts' | 'always'
>

interface ApprovalSection {
  heading: string
  /** What it is in one word, before its first line. */
  label: string
  lines: Iterable<SourceLine>
}

/** What runs, what changes, all other arguments, and why it asks where no part of the line says so. */
function approvalSections(
  { args, reasons, parts = [] }: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
): { what: ApprovalSection[]; how: ApprovalSection[] } {
  const command = commandOf(args)
  const shown = [...(preview?.shows ?? []), ...(command === undefined ? [] : ['command'])]
  const own = reasons.filter((text) => !parts.some((part) => tellsOf(part, text)))
  const runs = iterateAnew(() => (command === undefined ? [] : foreign(blockLines(command, look))))
  const how = [
    { heading: 'Changes', label: '', lines: iterateAnew(() => eachChange(preview, look)) },
    {
      heading: shown.length > 0 ? 'Other arguments' : 'Arguments',
      label: 'with',
      lines: iterateAnew(() => argumentLines(args, look, shown)),
    },
    { heading: 'Why it asks', label: 'why', lines: prose(own) },
  ]
  return {
    what: [{ heading: 'Command', label: 'runs', lines: runs }].filter(isThere),
    how: how.filter(isThere),
  }
}

const isThere = ({ lines }: Pick<ApprovalSection, 'lines'>) => !lines[Symbol.iterator]().next().done

function* eachChange(preview: FilePreview | undefined, look: TextLook): Generator<SourceLine> {
  for (const file of preview?.files ?? []) yield* eachDiffLine(file, look)
}

const commandOf = ({ command }: ShownRequest['args']) => (typeof command === 'string' ? command : undefined)

/** Whether the reason is that of the part, which stands beside the part already. */
const tellsOf = ({ name, why }: DecisionPart, text: string) => text === why || text === `${name}: ${why}`

/**
 * Who asks and where, what runs, all other arguments, why it asks, and which answer stores what. Lines are
 * made when they are asked for.
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
    for (const { heading, lines } of what) yield* titled(heading, lines)
    yield* partLines(request.parts)
    for (const { heading, lines } of how) yield* titled(heading, lines)
    yield* offerLines(request.always, commandOf(request.args), look, offerTitle)
  })
  return iterateAnew(() => noteImitations(all))
}

function* titled(heading: string, lines: Iterable<SourceLine>): Generator<SourceLine> {
  yield title(heading)
  yield* lines
}

const alwaysTitle = '"Always" stores this rule for this workspace'

type LabelledLines = Omit<ApprovalSection, 'heading'>

/** The same for little room: what each line is stands before it. `keep`: which keys store a rule. */
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
    ...(child === undefined ? [] : [{ label: 'asked by', lines: prose([child]) }]),
    ...(source === undefined ? [] : [{ label: '', lines: [{ text: source }] }]),
    ...what,
    ...parts.map((part, i) => {
      const label = `${i + 1} ${verdicts[part.action].short}`
      return { label, lines: iterateAnew(() => [partLine(part)]) }
    }),
    ...how,
    ...always.flatMap(({ rule, covers }, i) => {
      const label = always.length > 1 ? `rule ${i + 1}` : keep
      const through = prose([covers])
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
    for (const group of groups) yield* labelled(group, column)
  })
  // the title of a box shows the tool and its directory
  return iterateAnew(() =>
    noteImitations(
      all,
      [request.tool, request.cwd].map((text) => escapeInvisible(text)),
    ),
  )
}

function* labelled({ label, lines }: LabelledLines, column: number): Generator<SourceLine> {
  let lead = label.padEnd(column)
  for (const line of lines) {
    yield label === '' ? line : { ...line, lead }
    lead = ' '.repeat(column)
  }
}

/** What else a rule may hold that is kept for one line word for word. */
const plainKeys = new Set(['tool', 'action', 'command', 'cwd', 'origin'])

/** Of such a rule, what it lets through says all. */
const isThisLine = (rule: PermissionRule, args: ShownRequest['args']) =>
  rule.command === `=${commandOf(args)}` && Object.keys(rule).every((key) => plainKeys.has(key))

const verdicts = {
  allow: { long: 'allowed', short: 'runs' },
  ask: { long: 'asks', short: 'asks' },
  deny: { long: 'denied', short: 'denied' },
} as const

/** Every part of a line with what was made of it; those that ask come with the reason. */
function* partLines(parts: ShownRequest['parts']): Generator<SourceLine> {
  if (!parts) return
  yield title(`Its ${parts.length} parts`)
  for (const [i, part] of parts.entries()) yield partLine(part, `${i + 1} ${verdicts[part.action].long}  `)
}

/** A part of more characters is broken where the row ends, as far as somebody looks. */
const maxSentenceChars = 2_000

/** The line as it will run stands above, blank by blank: here its reason is to be read. */
function partLine(part: DecisionPart, before = ''): SourceLine {
  const text = `${before}${escapeInvisible(describePart(part))}`
  return { text, foreign: true, wraps: text.length <= maxSentenceChars }
}

/** Its words and what was made of them, which may begin with them too. */
function describePart({ name, why }: DecisionPart): string {
  const own = why.startsWith(name)
    ? why.slice(name.length).replace(/^:? /, '')
    : why.endsWith(` ${name}`)
      ? `${why.slice(0, -name.length)}it`
      : why
  return own === '' ? name : `${name}: ${own}`
}

/** One part by itself: what was made of it, the whole line, and what "always" would store for the part. */
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
  const own = always.filter((_, place) => offers.includes(place))
  yield {
    text: `Allow part ${at + 1} of ${parts.length} of ${escapeInvisible(tool)}?`,
    style: { bold: true },
  }
  yield* foreign([`in ${escapeInvisible(cwd)}`])
  if (part) yield partLine(part)
  if (command !== undefined) yield* titled('The whole line', foreign(blockLines(command, look)))
  yield* offerLines(own.length > 0 ? own : undefined, command, look, alwaysTitle)
}

function* headLines({ tool, origin, child, cwd }: ShownRequest): Generator<SourceLine> {
  const asks =
    child === undefined
      ? `Allow ${escapeInvisible(tool)}?`
      : `A child agent asks: allow ${escapeInvisible(tool)}?`
  const source = originText(origin)
  yield { text: asks, style: { bold: true } }
  if (child !== undefined) yield* foreign([`task: ${escapeInvisible(child)}`])
  if (source !== undefined) yield { text: source }
  yield* foreign([`in ${escapeInvisible(cwd)}`])
}

/** Undefined for what comes with the program. */
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
  yield title(
    isOne ? offerTitle : offerTitle.replace('this rule', `these ${countNoun(always.length, 'rule')}`),
  )
  for (const [at, { rule }] of always.entries()) {
    if (!isOne) yield title(`Rule ${at + 1}`)
    yield* ruleLines(rule, command, look)
  }
  yield title(`${isOne ? 'It lets' : 'They let'} through from then on`)
  yield* prose(always.map(({ covers }, at) => (isOne ? covers : `${at + 1} ${covers}`)))
}

function* ruleLines(
  rule: PermissionRule,
  command: string | undefined,
  look: TextLook,
): Generator<SourceLine> {
  const isWhole = command !== undefined && rule.command === `=${command}` && command.includes('\n')
  const { origin: _, examples: __, ...stored } = rule
  yield* argumentLines(stored, look, isWhole ? ['command'] : [])
  if (isWhole) yield { text: 'with exactly the command that stands above, word for word' }
}

const title = (text: string): SourceLine => ({ text, style: { dim: true } })

function* foreign(texts: Iterable<string>): Generator<SourceLine> {
  for (const text of texts) yield { text, foreign: true }
}

/** Sentences, which may hold words of others. */
const prose = (texts: readonly string[]) =>
  texts.map((text): SourceLine => ({ text: escapeInvisible(text), foreign: true, wraps: true }))
