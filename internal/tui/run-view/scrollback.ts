// The printing of a conversation on an inline screen. Finished lines are returned once and in order, and the
// rest is drawn anew in each frame.
import { appendLines } from '../../base/text/append-lines.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import { type ConversationPart, drawPart, findMainBlock, needsGap, partConversation } from './conversation.ts'
import { drawDim } from './message.ts'
import {
  advanceReply,
  createTallSplit,
  drawFinishedPart,
  drawOpenPart,
  drawReplyState,
  finishReply,
  noReplyParts,
  type ReplyParts,
} from './open-reply.ts'

/** Lines that are printed permanently, and lines that may still change. */
interface DrawnConversation {
  finished: string[]
  live: string[]
}

interface PrintedConversation {
  /** Marks the first `blocks` blocks of the view as printed. */
  skip(view: SessionView, blocks: number): void
  /** Returns new finished lines and the lines that may still change. `rows` is the height of the terminal. */
  advance(view: SessionView, now: number, look: RenderLook, rows: number): DrawnConversation
}

export function openScrollback(): PrintedConversation {
  /** Number of printed blocks, including blocks that the view has dropped since. */
  let printed = 0
  let last: ConversationPart | undefined
  let reply: ReplyParts = noReplyParts
  const gap = openReplyGap()
  const isReplyBegun = () => reply.given !== '' || reply.repeats !== undefined

  const printPart = (part: ConversationPart, now: number, look: RenderLook): string[] => {
    const block = findMainBlock(part)
    const isGoingOn = block?.kind === 'answer' && isReplyBegun()
    const lines = isGoingOn
      ? gap.close(endReply(reply, block, look))
      : withGap(drawPart(part, now, look), needsGap(last, part))
    if (block?.kind === 'answer' || block?.kind === 'end') reply = noReplyParts
    gap.parted(isReplyBegun(), lines)
    last = part
    return lines
  }
  const printReply = (view: SessionView, look: RenderLook, rows: number): string[] => {
    if (!view.openReply) return []
    const isFirst = !isReplyBegun()
    const { parts, finished } = advanceReply(reply, view.openReply, createTallSplit(rows / 3, look))
    reply = parts
    const lines = finished ? drawFinishedPart(finished, look) : []
    return gap.close(withGap(lines, isFirst && last !== undefined))
  }
  return {
    skip(view, blocks) {
      printed = view.dropped + blocks
    },
    advance(view, now, look, rows) {
      const from = Math.max(0, printed - view.dropped)
      const parts = partConversation(view.blocks.slice(from), view.run === undefined)
      const finished: string[] = []
      let open = 0
      for (const part of parts) {
        if (!part.isFinal) break
        appendLines(finished, printPart(part, now, look))
        printed = Math.max(printed, view.dropped) + part.blocks.length
        open++
      }
      const rest = parts.slice(open)
      // The response is not printed before all parts of the conversation above it are final.
      if (rest.length === 0) appendLines(finished, printReply(view, look, rows))
      const draft = rest.length === 0 ? reply : peekReply(reply, view)
      const live = rest.flatMap((part, i) =>
        withGap(drawPart(part, now, look), needsGap(i === 0 ? last : rest[i - 1], part)),
      )
      return {
        finished,
        live: [
          ...live,
          ...drawLiveReply(draft, view, now, look, last !== undefined && (gap.isOpen() || !isReplyBegun())),
        ],
      }
    },
  }
}

/**
 * Tracks whether an empty line must precede the next part of a response, because other lines were printed
 * below the previous part.
 */
function openReplyGap() {
  let isDue = false
  return {
    isOpen: () => isDue,
    parted(isBegun: boolean, lines: readonly string[]) {
      isDue = isBegun && (isDue || lines.length > 0)
    },
    close(lines: string[]): string[] {
      const isMissing = isDue && lines.length > 0 && lines[0] !== ''
      isDue &&= lines.length === 0
      return isMissing ? ['', ...lines] : lines
    },
  }
}

const withGap = (lines: string[], isApart: boolean) => (isApart && lines.length > 0 ? ['', ...lines] : lines)

/**
 * Returns the lines of the complete answer that were not printed as parts of the response, and a note if the
 * answer was interrupted.
 */
function endReply(
  reply: ReplyParts,
  block: Extract<ConversationBlock, { kind: 'answer' }>,
  look: RenderLook,
): string[] {
  const rest = finishReply(reply, block.text)
  const lines = rest ? drawFinishedPart(rest, look) : []
  return block.interrupted ? [...lines, ...drawDim('stopped here', look)] : lines
}

/**
 * Returns the response with all its unprinted text as the open part. The response is below an open part of
 * the conversation, so nothing of it can be printed yet.
 */
function peekReply(reply: ReplyParts, { openReply }: SessionView): ReplyParts {
  if (!openReply) return reply
  const { parts, finished } = advanceReply(reply, openReply)
  if (!finished) return parts
  const { text, fence, list } = finished
  return { ...parts, given: reply.given, open: text + parts.open, fence, list }
}

function drawLiveReply(
  reply: ReplyParts,
  { openReply }: SessionView,
  now: number,
  look: RenderLook,
  isApart: boolean,
): string[] {
  if (!openReply) return []
  const lines = [...drawOpenPart(reply, look), ...drawReplyState(openReply, now, look)]
  return withGap(lines, isApart && lines[0] !== '')
}
