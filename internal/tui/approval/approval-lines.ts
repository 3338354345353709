// Everything a person has to see of a call before it may run, as lines in their order.
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

/** Who asks and where, what runs, all other arguments, why it asks, and what "always" would store. */
export function approvalLines(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
): SourceLine[] {
  return [...headLines(request), ...approvalBody(request, preview, look, alwaysTitle)]
}

const alwaysTitle = '"Always" stores this rule for this workspace'

/** The same without who asks; `offerTitle` says which answers store the rule. */
export function approvalBody(
  request: ShownRequest,
  preview: FilePreview | undefined,
  look: TextLook,
  offerTitle: string,
): SourceLine[] {
  const { args, reasons } = request
  const command = typeof args.command === 'string' ? args.command : undefined
  const shown = [...(preview?.shows ?? []), ...(command === undefined ? [] : ['command'])]
  const rest = argumentLines(args, look, shown)
  return [
    ...(command === undefined ? [] : [title('Command'), ...foreign(blockLines(command, look))]),
    ...partLines(request.parts),
    ...(preview ? [title('Changes'), ...preview.files.flatMap((file) => diffLines(file, look))] : []),
    ...(rest.length > 0 ? [title(shown.length > 0 ? 'Other arguments' : 'Arguments'), ...rest] : []),
    ...(reasons.length > 0
      ? [title('Why it asks'), ...foreign(reasons.map((text) => escapeInvisible(text)))]
      : []),
    ...offerLines(request.always, command, look, offerTitle),
  ]
}

/** Every part of a line with what was made of it; those that ask come with the reason. */
function partLines(parts: ShownRequest['parts']): SourceLine[] {
  if (!parts) return []
  const verdicts = { allow: 'allowed', ask: 'asks', deny: 'denied' } as const
  return [
    title(`Its ${parts.length} parts`),
    ...foreign(
      parts.map((part, i) => `${i + 1} ${verdicts[part.action]}  ${escapeInvisible(describePart(part))}`),
    ),
  ]
}

/** Its words and what was made of them, which may begin with them too. */
function describePart({ name, why }: DecisionPart): string {
  const own = why.startsWith(name) ? why.slice(name.length).replace(/^:? /, '') : why
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
export function originText(origin: string): string | undefined {
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
    title(isOne ? offerTitle : offerTitle.replace('this rule', `these ${always.length} rules`)),
    ...always.flatMap(({ rule }, at) => [
      ...(isOne ? [] : [title(`Rule ${at + 1}`)]),
      ...ruleLines(rule, command, look),
    ]),
    title(`${isOne ? 'It lets' : 'They let'} through from then on`),
    ...foreign(always.map(({ covers }, at) => escapeInvisible(isOne ? covers : `${at + 1} ${covers}`))),
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
const foreign = (texts: readonly string[]) => texts.map((text) => ({ text, foreign: true }))
