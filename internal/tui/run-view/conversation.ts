// The lines of a conversation, with blocks in order and with folded reads. Each finished part is laid
// out only once.
import type { RenderLook } from '../../render/pen.ts'
import type { CallBlock, ConversationBlock } from '../../session/view/session-view.ts'
import { drawCall, drawReads, isFoldedRead } from './call-view.ts'
import { drawAnswer, drawReasoning, drawSummary, drawUserMessage } from './message.ts'
import { drawNotice, drawRunEnd } from './run-end.ts'

/** A block, or neighboring reads that share a row, with the hidden reasoning before them. */
export interface ConversationPart {
  blocks: readonly ConversationBlock[]
  /**
   * True if neither the lines of the part nor those of earlier parts can change any more, so that they can be
   * printed to the scrollback.
   */
  isFinal: boolean
}

/**
 * Splits blocks into parts. `isIdle` means that no run is active, so that no further reads can join those of
 * the last part.
 */
export function partConversation(blocks: readonly ConversationBlock[], isIdle: boolean): ConversationPart[] {
  const parts: ConversationPart[] = []
  let isFinal = true
  for (let i = 0; i < blocks.length; ) {
    const part = blocks.slice(i, endOfPart(blocks, i))
    i += part.length
    const isOpen = part.some((block) => block.kind === 'call' && block.state !== 'ended')
    const isLast = !isIdle && nextSpoken(blocks, i) === blocks.length
    const mayGrow = isLast && (isRead(part.at(-1)) || isQuiet(part.at(-1)))
    // A part is not printed before all parts above it are final.
    isFinal &&= !isOpen && !mayGrow
    parts.push({ blocks: part, isFinal })
  }
  return parts
}

const isRead = (block: ConversationBlock | undefined) => block?.kind === 'call' && isFoldedRead(block)

const isQuiet = (block: ConversationBlock | undefined) => block?.kind === 'reasoning' && block.isQuiet

/**
 * Returns the index after the last block of a part. Hidden reasoning between reads does not separate them.
 */
function endOfPart(blocks: readonly ConversationBlock[], from: number): number {
  let end = nextSpoken(blocks, from) + 1
  if (!isRead(blocks[end - 1])) return Math.min(end, blocks.length)
  for (let next = nextSpoken(blocks, end); isRead(blocks[next]); next = nextSpoken(blocks, end))
    end = next + 1
  return end
}

function nextSpoken(blocks: readonly ConversationBlock[], from: number): number {
  let at = from
  while (isQuiet(blocks[at])) at++
  return at
}

/** Returns the first visible block of a part; its first block if all are hidden. */
export const findMainBlock = ({ blocks }: ConversationPart): ConversationBlock | undefined =>
  blocks.find((block) => !isQuiet(block)) ?? blocks[0]

interface DrawnPart {
  look: RenderLook
  blocks: readonly ConversationBlock[]
  lines: string[]
}

/**
 * Lines of drawn parts by the main block of the part. Blocks are immutable, so a changed block
 * is another object.
 */
const drawn = new WeakMap<ConversationBlock, DrawnPart>()

/** Returns the lines of a part. Lines of a running call are not cached, because they show elapsed time. */
export function drawPart(part: ConversationPart, now: number, look: RenderLook): string[] {
  const { blocks } = part
  const first = findMainBlock(part) as ConversationBlock
  const cachedPart = drawn.get(first)
  if (cachedPart && cachedPart.look === look && isSameList(cachedPart.blocks, blocks)) return cachedPart.lines
  const calls = blocks.filter((block): block is CallBlock => block.kind === 'call')
  const lines = calls.length > 1 ? drawReads(calls, look) : drawBlock(first, now, look)
  const isRunning = first.kind === 'call' && first.state !== 'ended'
  if (!isRunning) drawn.set(first, { look, blocks, lines })
  return lines
}

const isSameList = (a: readonly unknown[], b: readonly unknown[]) =>
  a.length === b.length && a.every((one, i) => one === b[i])

function drawBlock(block: ConversationBlock, now: number, look: RenderLook): string[] {
  switch (block.kind) {
    case 'user':
      return drawUserMessage(block, look)
    case 'answer':
      return drawAnswer(block, look)
    case 'call':
      return drawCall(block, now, look)
    case 'reasoning':
      return drawReasoning(block, look)
    case 'notice':
      return drawNotice(block, look)
    case 'summary':
      return drawSummary(block, look)
    case 'end':
      return drawRunEnd(block, look)
  }
}

/**
 * Returns true if an empty line separates two parts; false without a previous part. Calls follow each other
 * without an empty line.
 */
export function needsGap(previous: ConversationPart | undefined, below: ConversationPart): boolean {
  const kindOf = (part: ConversationPart) => findMainBlock(part)?.kind
  return previous !== undefined && !(kindOf(previous) === 'call' && kindOf(below) === 'call')
}

/** Returns the lines of several parts, with empty lines between them where needed. */
export function drawConversation(
  parts: readonly ConversationPart[],
  now: number,
  look: RenderLook,
  previous?: ConversationPart,
): string[] {
  return parts.flatMap((part, i) => {
    const lines = drawPart(part, now, look)
    return lines.length > 0 && needsGap(i === 0 ? previous : parts[i - 1], part) ? ['', ...lines] : lines
  })
}
