// Everything a person has to see of a call before it may run, as lines in their order.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import type { ApprovalRequest, FilePreview } from '../../tool/ask.ts'
import { diffLines } from '../call/diff-lines.ts'
import type { SourceLine } from '../terminal/rows.ts'
import { argumentLines, blockLines, type TextLook } from './argument-lines.ts'

type Shown = Pick<ApprovalRequest, 'tool' | 'origin' | 'child' | 'args' | 'cwd' | 'reasons' | 'always'>

/** Who asks and where, what runs, all other arguments, why it asks, and what "always" would store. */
export function approvalLines(
  request: Shown,
  preview: FilePreview | undefined,
  look: TextLook,
): SourceLine[] {
  const { args, reasons } = request
  const command = typeof args.command === 'string' ? args.command : undefined
  const shown = [...(preview?.shows ?? []), ...(command === undefined ? [] : ['command'])]
  const rest = argumentLines(args, look, shown)
  return [
    ...headLines(request),
    ...(command === undefined ? [] : [title('Command'), ...foreign(blockLines(command, look))]),
    ...(preview ? [title('Changes'), ...preview.files.flatMap((file) => diffLines(file, look))] : []),
    ...(rest.length > 0 ? [title(shown.length > 0 ? 'Other arguments' : 'Arguments'), ...rest] : []),
    ...(reasons.length > 0
      ? [title('Why it asks'), ...foreign(reasons.map((text) => escapeInvisible(text)))]
      : []),
    ...offerLines(request.always, command, look),
  ]
}

function headLines({ tool, origin, child, cwd }: Shown): SourceLine[] {
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
): SourceLine[] {
  if (!always) return []
  const { rule, covers } = always
  const isWhole = command !== undefined && rule.command === `=${command}` && command.includes('\n')
  const { origin: _, examples: __, ...stored } = rule
  return [
    title('"Always" stores this rule for this workspace'),
    ...argumentLines(stored, look, isWhole ? ['command'] : []),
    ...(isWhole ? [{ text: 'with exactly the command that stands above, word for word' }] : []),
    ...(covers === undefined
      ? []
      : [title('It lets through from then on'), ...foreign([escapeInvisible(covers)])]),
  ]
}

const title = (text: string): SourceLine => ({ text, style: { dim: true } })
const foreign = (texts: readonly string[]) => texts.map((text) => ({ text, foreign: true }))
