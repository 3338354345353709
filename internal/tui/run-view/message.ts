// The lines of messages: those of the user and of the model, the model's reasoning, and summaries.
import { countNoun } from '../../base/text/count-noun.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import type { ConversationBlock } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { foldRows, indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'
import { compactionLine } from './run-view.ts'

type BlockOf<K extends ConversationBlock['kind']> = Extract<ConversationBlock, { kind: K }>

/** Largest number of rows of a user message. A longer message is folded. */
const maxUserRows = 20

const lead = '> '

/**
 * Returns the lines of a user message, which begins with `>`. Mail and notes are dim and begin with `-`.
 * Notes of Anode for the model are visible only if `look.all` is set, because other rows already show the
 * job, command or change that they report.
 */
export function drawUserMessage(block: BlockOf<'user'>, look: RenderLook): string[] {
  if (block.origin === 'note' && !look.all) return []
  const pen = penOfLook(narrowLook(look, margin + lead.length))
  const text = sanitizeText(block.text, { keepLines: true }).trimEnd()
  const pictures = block.images === 0 ? [] : [`[${countNoun(block.images, 'picture')}]`]
  const words = text === '' && pictures.length > 0 ? [] : pen.wrap(text, pen.look.width)
  const all = [...words, ...pictures]
  const rows = block.origin === 'note' ? all : foldRows(all, maxUserRows, pen)
  const paint = pen.paint(block.origin === undefined ? { bold: true } : { dim: true })
  const mark = block.origin === undefined ? lead : '- '
  return rows.map((row, i) => ' '.repeat(margin) + paint(i === 0 ? mark + row : `  ${row}`.trimEnd()))
}

export function drawAnswer({ text, interrupted }: BlockOf<'answer'>, look: RenderLook): string[] {
  const lines = indentLines(drawMarkdown(text, narrowLook(look, margin)))
  return interrupted ? [...lines, ...drawDim('stopped here', look)] : lines
}

/**
 * Returns a line such as `compacted 212k to 61k tokens, 34 messages`. The summary itself follows if
 * `look.all` is set.
 */
export function drawSummary({ text, replaced, tokens }: BlockOf<'summary'>, look: RenderLook): string[] {
  const line = compactionLine({ replaced, tokens })
  const body = look.all ? indentLines(drawMarkdown(text, narrowLook(look, margin + 2)), margin + 2) : []
  return [...drawDim(line, look), ...body]
}

/**
 * Returns a line such as `thought  12 s`, followed by the reasoning if `look.all` is set. Without
 * `look.all`, returns no lines if `isQuiet` is set. A time under 1 s is left out, because a provider that
 * sends the reasoning in one piece takes no time for it.
 */
export function drawReasoning({ text, ms, isQuiet }: BlockOf<'reasoning'>, look: RenderLook): string[] {
  const line = drawDim(ms < 1000 ? 'thought' : `thought  ${formatDuration(ms)}`, look)
  if (!look.all) return isQuiet ? [] : line
  const pen = penOfLook(narrowLook(look, margin + 2))
  const words = sanitizeText(text, { keepLines: true }).trim()
  return [...line, ...indentLines(pen.wrap(words, pen.look.width).map(pen.paint({ dim: true })), margin + 2)]
}

/** Returns a note of Anode as dim lines. */
export function drawDim(text: string, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  return indentLines(pen.wrap(sanitizeText(text), pen.look.width).map(pen.paint({ dim: true })))
}
