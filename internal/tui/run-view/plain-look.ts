// The drawing of a run as lines for a log or a screen reader.
import { escapeInvisible } from '../../base/text/invisible-chars.ts'
import { describeCode, describeRunReason } from '../../base/text/reason-words.ts'
import { makePen } from '../../render/pen.ts'
import { sanitizeText } from '../../render/text/terminal-filter.ts'
import { describeRunningCheck } from '../../session/view/check-run.ts'
import {
  type CallBlock,
  type ConversationBlock,
  findCallBlock,
  type SessionView,
} from '../../session/view/session-view.ts'
import { formatDuration } from '../duration.ts'
import { nextStepOf } from './run-end.ts'
import { compactionLine, type RunLook, type RunStep } from './run-view.ts'
import { drawOutcome } from './tool-lines.ts'
import { outcomeOfBlock } from './tool-outcome.ts'

const cleanText = (text: string) => sanitizeText(text, { keepLines: true })

/**
 * Creates a function that returns the lines of the blocks that an event has added or completed. A call has
 * lines when it appears, and further lines when it ends.
 */
export const logLook =
  (width: number): RunLook =>
  ({ before, view }) => {
    if (before.blocks === view.blocks) return { lines: [] }
    const earlierBlocks = new Set(before.blocks)
    const changed = view.blocks.filter((block) => !earlierBlocks.has(block))
    return { lines: changed.flatMap((block) => logLines(block, before, width)) }
  }

function logLines(block: ConversationBlock, before: SessionView, width: number): string[] {
  const earlier = block.kind === 'call' ? findCallBlock(before, block.id) : undefined
  if (!earlier) return pastLinesOf(block, width)
  return earlier.state === 'ended' ? [] : blockLinesOf(block, width)
}

/**
 * Creates a function that draws an active run as lines. A response is printed in complete
 * paragraphs, each once.
 */
export function openPlainLook(width: () => number): RunLook {
  /** The text of the open response that was printed already. */
  let printedText = ''
  const say = (text: string): string[] => {
    const more = cleanText(text.slice(printedText.length)).replace(/^\n+/, '')
    const lead = printedText === '' ? 'anode: ' : ''
    printedText = text
    return [lead + more]
  }
  const drawReply = (text: string): string[] => {
    const lines = text.length > printedText.length ? say(text) : []
    printedText = ''
    return lines
  }
  // Only complete paragraphs are printed, because a line that is read aloud must not change later.
  const drawParagraphs = ({ openReply }: SessionView): string[] => {
    const text = openReply?.text ?? ''
    const end = text.lastIndexOf('\n\n')
    return end > printedText.length ? say(text.slice(0, end)) : []
  }
  const drawEvent = (step: RunStep): string[] => {
    const { event, view } = step
    switch (event.type) {
      case 'message.delta': {
        if (event.status !== 'discarded') return drawParagraphs(view)
        const lines = printedText === '' ? [] : drawNewBlock(step, width())
        printedText = ''
        return lines
      }
      case 'message':
        return event.payload.role === 'assistant'
          ? drawReply(event.payload.text)
          : drawNewBlock(step, width())
      case 'tool.call':
        return [callStartLine(event.payload)]
      case 'tool.result': {
        const block = findCallBlock(view, event.payload.call)
        return block ? blockLinesOf(block, width()) : []
      }
      case 'check.running': {
        const { check } = event.payload
        return check === null ? [] : [sanitizeText(describeRunningCheck(check))]
      }
      case 'check.ran':
      case 'approval.reviewed':
        return view.blocks
          .filter((block) => !step.before.blocks.includes(block))
          .flatMap((block) => blockLinesOf(block, width()))
      case 'run.ended':
      case 'model.notice':
      case 'job.ended':
      case 'limit':
        return drawNewBlock(step, width())
      default:
        return []
    }
  }
  return (step) => ({ lines: drawEvent(step) })
}

function drawNewBlock({ view, before }: RunStep, width: number): string[] {
  const last = view.blocks.at(-1)
  return last && last !== before.blocks.at(-1) ? blockLinesOf(last, width) : []
}

/** Returns the lines of a block from the past, including the start of a call. */
export const pastLinesOf = (block: ConversationBlock, width: number): string[] => [
  ...(block.kind === 'call' ? [callStartLine(block)] : []),
  ...blockLinesOf(block, width),
]

function blockLinesOf(block: ConversationBlock, width: number): string[] {
  switch (block.kind) {
    case 'user':
      return block.origin === undefined ? [`you: ${cleanText(block.text)}`] : []
    case 'answer':
      return [`anode: ${cleanText(block.text)}${block.interrupted ? '\n(stopped here)' : ''}`]
    case 'reasoning':
      return []
    case 'notice':
      return [`note: ${sanitizeText(block.text)}`]
    case 'summary':
      return [compactionLine(block)]
    case 'call':
      return block.state === 'ended' ? callEndLines(block, width) : []
    case 'end':
      return [endLine(block), block.proof ?? '', nextStepOf(block)].filter((line) => line !== '')
  }
}

function callStartLine({ tool, args }: Pick<CallBlock, 'tool' | 'args'>): string {
  const first = Object.values(Object(args)).find((value) => typeof value === 'string' && value !== '')
  return escapeInvisible(`${tool} started  ${String(first ?? '').split('\n', 1)[0]}`.trimEnd())
}

/**
 * Returns the lines for the end of a call: its outcome, and its diff, output or list. A call without a result
 * has one line which says that it did not end.
 */
function callEndLines(block: CallBlock, width: number): string[] {
  const { result } = block
  const outcome = outcomeOfBlock(block)
  if (!result || !outcome) return [`${sanitizeText(block.tool)} did not end`]
  const { ok, code, exit, ms } = result
  const how = exit !== undefined ? `exit ${exit}` : ok ? 'ok' : describeCode(code ?? 'failed', {})
  const took = ms === undefined ? [] : [formatDuration(ms)]
  const pen = makePen({ width, color: 0, unicode: false, ambiguous: 1, all: false })
  const [, ...below] = drawOutcome(outcome, pen)
  return [[`${sanitizeText(block.tool)} ended`, how, ...took].join(', '), ...below]
}

function endLine({ end, reason, message, ms, usd }: Extract<ConversationBlock, { kind: 'end' }>): string {
  const took = ms === undefined ? '' : ` ${formatDuration(ms)}`
  const cost = usd === undefined || usd === null ? '' : ` $${usd.toFixed(2)}`
  if (end === 'done') return `done${took}${cost}`
  const why = message ?? (reason === undefined ? undefined : describeRunReason(reason))
  return `${end}${why === undefined ? '' : `: ${sanitizeText(why)}`}${took}${cost}`
}
