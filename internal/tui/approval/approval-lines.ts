// Everything a person has to see of a call before it may run, as lines in their order.
import { countNoun } from '../../base/text/count-noun.ts'
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { DecisionPart } from '../../policy/policy.ts'
import type { PermissionRule } from '../../policy/rules/permission-rule.ts'
import type { ApprovalRequest, FilePreview } from '../../tool/ask.ts'
import { diffLines } from '../call/diff-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { argumentLines, blockLines, type TextLook } from './argument-lines.ts'

export type ShownRequest = Pick<
  ApprovalRequest,
  'tool' | 'origin' | 'child' | 'args' | 'cwd' | 'reasons' | 'parts' | 'always'
>

interface ApprovalSection {
  heading: string
  /** What it is in one word, before its first line. */
  label: string
  lines: readonly SourceLine[]
}

/** What runs, what changes, all other arguments, and why it asks where no part of the line says so. */
function approvalSections(
  { args, reasons, parts = [] }: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
): { what: ApprovalSection[]; how: ApprovalSection[] } {
  const command = commandOf(args)
  const shown = [...(preview?.shows ?? []), ...(command === undefined ? [] : ['command'])]
  const runs = command === undefined ? [] : foreign(blockLines(command, look))
  const changes = (preview?.files ?? []).flatMap((file) => diffLines(file, look))
  const own = reasons.filter((text) => !parts.some((part) => tellsOf(part, text)))
  const how = [
    { heading: 'Changes', label: '', lines: changes },
    {
      heading: shown.length > 0 ? 'Other arguments' : 'Arguments',
      label: 'with',
      lines: argumentLines(args, look, shown),
    },
    { heading: 'Why it asks', label: 'why', lines: prose(own) },
  ]
  const isThere = ({ lines }: ApprovalSection) => lines.length > 0
  return {
    what: [{ heading: 'Command', label: 'runs', lines: runs }].filter(isThere),
    how: how.filter(isThere),
  }
}

const commandOf = ({ command }: ShownRequest['args']) => (typeof command === 'string' ? command : undefined)

/** Whether the reason is that of the part, which stands beside the part already. */
const tellsOf = ({ name, why }: DecisionPart, text: string) => text === why || text === `${name}: ${why}`

/** Who asks and where, what runs, all other arguments, why it asks, and which answer stores what. */
export function approvalLines(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
  offerTitle = alwaysTitle,
): SourceLine[] {
  const { what, how } = approvalSections(request, preview, look)
  const titled = ({ heading, lines }: ApprovalSection) => [title(heading), ...lines]
  return [
    ...headLines(request),
    ...what.flatMap(titled),
    ...partLines(request.parts),
    ...how.flatMap(titled),
    ...offerLines(request.always, commandOf(request.args), look, offerTitle),
  ]
}

const alwaysTitle = '"Always" stores this rule for this workspace'

/** The same for little room: what each line is stands before it. `keep`: which keys store a rule. */
export function approvalColumns(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
  keep: string,
): SourceLine[] {
  const { child, parts = [], always = [], args } = request
  const { what, how } = approvalSections(request, preview, look)
  const labelled = ({ label, lines }: Omit<ApprovalSection, 'heading'>) =>
    lines.map((line, i) => (label === '' ? line : { ...line, lead: i === 0 ? label : ' ' }))
  const source = originText(request.origin)
  const lines = [
    ...(child === undefined ? [] : labelled({ label: 'asked by', lines: prose([child]) })),
    ...(source === undefined ? [] : [{ text: source }]),
    ...what.flatMap(labelled),
    ...parts.flatMap((part, i) => {
      const label = `${i + 1} ${verdicts[part.action].short}`
      return labelled({ label, lines: foreign([escapeInvisible(describePart(part))]) })
    }),
    ...how.flatMap(labelled),
    ...always.flatMap(({ rule, covers }, i) => {
      const label = always.length > 1 ? `rule ${i + 1}` : keep
      const through = prose([covers])
      if (isThisLine(rule, args)) return labelled({ label, lines: through })
      const stored = labelled({ label, lines: ruleLines(rule, commandOf(args), look) })
      return [...stored, ...labelled({ label: 'allows', lines: through })]
    }),
  ]
  const column = Math.max(0, ...lines.map(({ lead = '' }) => lead.length)) + 1
  return lines.map((line) => (line.lead === undefined ? line : { ...line, lead: line.lead.padEnd(column) }))
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
function partLines(parts: ShownRequest['parts']): SourceLine[] {
  if (!parts) return []
  return [
    title(`Its ${parts.length} parts`),
    ...foreign(
      parts.map(
        (part, i) => `${i + 1} ${verdicts[part.action].long}  ${escapeInvisible(describePart(part))}`,
      ),
    ),
  ]
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
  { tool, cwd, args, parts = [], always = [] }: ShownRequest,
  at: number,
  offers: readonly number[],
  look: TextLook,
): SourceLine[] {
  const command = typeof args.command === 'string' ? args.command : undefined
  const part = parts[at]
  const own = always.filter((_, place) => offers.includes(place))
  return [
    { text: `Allow part ${at + 1} of ${parts.length} of ${escapeInvisible(tool)}?`, style: { bold: true } },
    ...foreign([`in ${escapeInvisible(cwd)}`]),
    ...foreign(part ? [escapeInvisible(describePart(part))] : []),
    ...(command === undefined ? [] : [title('The whole line'), ...foreign(blockLines(command, look))]),
    ...offerLines(own.length > 0 ? own : undefined, command, look, alwaysTitle),
  ]
}

function headLines({ tool, origin, child, cwd }: ShownRequest): SourceLine[] {
  const asks =
    child === undefined
      ? `Allow ${escapeInvisible(tool)}?`
      : `A child agent asks: allow ${escapeInvisible(tool)}?`
  const source = originText(origin)
  return [
    { text: asks, style: { bold: true } },
    ...(child === undefined ? [] : foreign([`task: ${escapeInvisible(child)}`])),
    ...(source === undefined ? [] : [{ text: source }]),
    ...foreign([`in ${escapeInvisible(cwd)}`]),
  ]
}

/** Undefined for what comes with the program. */
function originText(origin: string): string | undefined {
  const [kind, name = ''] = origin.split(' ', 2)
  if (kind === 'mcp') return `The MCP server ${escapeInvisible(name)} runs it.`
  if (kind === 'plugin') return `The plugin ${escapeInvisible(name)} runs it.`
  return kind === 'native' ? undefined : `It comes from: ${escapeInvisible(origin)}`
}

function offerLines(
  always: ApprovalRequest['always'],
  command: string | undefined,
  look: TextLook,
  offerTitle: string,
): SourceLine[] {
  if (!always) return []
  const isOne = always.length === 1
  return [
    title(isOne ? offerTitle : offerTitle.replace('this rule', `these ${countNoun(always.length, 'rule')}`)),
    ...always.flatMap(({ rule }, at) => [
      ...(isOne ? [] : [title(`Rule ${at + 1}`)]),
      ...ruleLines(rule, command, look),
    ]),
    title(`${isOne ? 'It lets' : 'They let'} through from then on`),
    ...prose(always.map(({ covers }, at) => (isOne ? covers : `${at + 1} ${covers}`))),
  ]
}

function ruleLines(rule: PermissionRule, command: string | undefined, look: TextLook): SourceLine[] {
  const isWhole = command !== undefined && rule.command === `=${command}` && command.includes('\n')
  const { origin: _, examples: __, ...stored } = rule
  return [
    ...argumentLines(stored, look, isWhole ? ['command'] : []),
    ...(isWhole ? [{ text: 'with exactly the command that stands above, word for word' }] : []),
  ]
}

const title = (text: string): SourceLine => ({ text, style: { dim: true } })
const foreign = (texts: readonly string[]) => texts.map((text): SourceLine => ({ text, foreign: true }))
/** Sentences, which may hold words of others. */
const prose = (texts: readonly string[]) =>
  texts.map((text): SourceLine => ({ text: escapeInvisible(text), foreign: true, wraps: true }))
