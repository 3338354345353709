// The line at the end of a run, and notices between its blocks.
import { describeRunReason } from '../../base/text/reason-words.ts'
import type { RenderLook } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { handedOverReason } from '../../session/view/fold-run.ts'
import type { ConversationBlock } from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { indentLines, margin, narrowLook, penOfLook } from '../view/look-pen.ts'

type EndBlock = Extract<ConversationBlock, { kind: 'end' }>
type NoticeBlock = Extract<ConversationBlock, { kind: 'notice' }>

/**
 * Returns lines about the end of a run, for example `done 8.2 s $0.04`. For an end other than `done` or a
 * handoff, the reason and its message are added. The run's proof follows if there is one, and a hint is last.
 */
export function drawRunEnd({ end, reason, message, ms, usd, proof }: EndBlock, look: RenderLook): string[] {
  const pen = penOfLook(narrowLook(look, margin))
  // A run that moved to another process continues there, so it does not count as failed.
  const isDone = end === 'done' || end === handedOverReason
  const cause = isDone || reason === undefined || reason === end ? '' : `: ${describeRunReason(reason)}`
  const figures = [...(ms === undefined ? [] : [formatDuration(ms)]), ...costFacts(usd)]
  const line = [`${end}${cause}`, ...figures].join('  ')
  const paint = pen.paint(isDone ? { dim: true } : { color: 'yellow' })
  const why = isDone || message === undefined ? [] : pen.wrap(sanitizeText(message), pen.look.width)
  const next = pen.wrap(nextStepOf({ end, reason }), pen.look.width).filter((row) => row !== '')
  const rows = [...pen.wrap(sanitizeText(line), pen.look.width), ...why].map(paint)
  const proven = proof === undefined ? [] : pen.wrap(sanitizeText(proof), pen.look.width).map(paint)
  return indentLines([...rows, ...proven, ...next.map(pen.paint({ dim: true }))])
}

const otherModel = '/model switches to another model'
const secondTry = 'say "continue" to try again'

const nextSteps: Readonly<Record<string, string>> = {
  auth: 'store another key with anode login, then choose the model again with /model',
  payment: otherModel,
  forbidden: otherModel,
  not_found: otherModel,
  tools_unsupported: otherModel,
  context_too_long: '/compact compacts the conversation, /new starts another one',
  rate_limit: `${secondTry}; ${otherModel}`,
  server: `${secondTry}; ${otherModel}`,
  unreachable: `${secondTry}; ${otherModel}`,
  broken: secondTry,
  stalled: secondTry,
  turns: 'say "continue" for as many steps again',
  unrecorded: 'the last event was not recorded; after that works again, say "continue"',
}

/** Returns a hint on what to do after a run that ended too early; an empty text if no hint applies. */
export function nextStepOf({ end, reason }: { end: string; reason?: string | undefined }): string {
  const isOver = end === 'failed' || end === 'limit' || end === 'partial'
  return isOver && reason !== undefined && Object.hasOwn(nextSteps, reason) ? (nextSteps[reason] ?? '') : ''
}

/** Returns a list with the cost as its only item; an empty list if the price is unknown. */
export const costFacts = (usd: number | null | undefined) =>
  usd === undefined || usd === null ? [] : [formatCost(usd)]

/**
 * Returns the cost in US dollars as text, with two decimals, or four for more than 0 and less than a cent.
 */
export function formatCost(usd: number): string {
  return usd > 0 && usd < 0.01 ? `$${usd.toFixed(4)}` : `$${usd.toFixed(2)}`
}

export function drawNotice(
  { text, tone, mark: ownMark }: Omit<NoticeBlock, 'id' | 'kind'>,
  look: RenderLook,
): string[] {
  const pen = penOfLook(narrowLook(look, margin + 2))
  const paint = pen.paint(
    { plain: { dim: true }, warning: { color: 'yellow' }, error: { color: 'red' } }[tone],
  )
  const mark = ownMark ?? (tone === 'plain' ? '-' : '!')
  const rows = pen.wrap(sanitizeText(text, { keepLines: true }), pen.look.width)
  return indentLines(rows.map((row, i) => paint(`${i === 0 ? mark : ' '} ${row}`)))
}
