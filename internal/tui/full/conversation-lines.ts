// The lines of a conversation for the full screen. Finished parts are laid out only once.
import { appendLines } from '../../base/text/append-lines.ts'
import type { RenderLook } from '../../render/pen.ts'
import type { ConversationBlock, SessionView } from '../../session/view/session-view.ts'
import { drawPart, findMainBlock, needsGap, partConversation } from '../run-view/conversation.ts'
import { drawDim } from '../run-view/message.ts'
import {
  advanceReply,
  drawFinishedPart,
  drawOpenPart,
  drawReplyState,
  noReplyParts,
  type ReplyParts,
} from '../run-view/open-reply.ts'

/**
 * Lines of Anode itself between the blocks (messages and calls) of a thread. They follow the
 * first `after` blocks.
 */
export interface PlacedNote {
  after: number
  lines: readonly string[]
}

export interface DrawnLines {
  lines: readonly string[]
  /** Indexes of the lines at which the user's messages begin. */
  messages: readonly number[]
}

interface ConversationSource {
  view: SessionView
  /**
   * `older` are the blocks that precede those of the view. `before` is a text with the number of events
   * before these blocks, or empty.
   */
  older: readonly ConversationBlock[]
  before: string
  notes: readonly PlacedNote[]
}

export interface ConversationLines {
  draw(source: ConversationSource, now: number, look: RenderLook): DrawnLines
}

export function openConversationLines(): ConversationLines {
  const reply = openReplyLines()
  let cache: { key: readonly unknown[]; drawn: DrawnLines } | undefined
  return {
    draw(source, now, look) {
      const { view, older, notes, before } = source
      const isMoving = view.blocks.some((block) => block.kind === 'call' && block.state !== 'ended')
      const key = [view.blocks, older, before, notes.length, look, view.run === undefined]
      if (!cache || isMoving || key.some((one, i) => one !== cache?.key[i]))
        cache = { key, drawn: layOut(source, now, look) }
      const { lines, messages } = cache.drawn
      const open = reply(view, now, look, lines.length > 0)
      return open.length === 0 ? cache.drawn : { lines: [...lines, ...open], messages }
    },
  }
}

function layOut(
  { view, older, notes, before }: ConversationSource,
  now: number,
  look: RenderLook,
): DrawnLines {
  const lines: string[] = before === '' ? [] : drawDim(before, look)
  const messages: number[] = []
  const waiting = [...notes]
  const parts = partConversation([...older, ...view.blocks], view.run === undefined)
  let at = view.dropped - older.length
  const stack = (rows: readonly string[], isApart: boolean) => {
    if (rows.length === 0) return
    if (isApart && lines.length > 0 && lines.at(-1) !== '') lines.push('')
    appendLines(lines, rows)
  }
  const stackNotes = () => {
    while (waiting[0] && waiting[0].after <= at) stack(waiting.shift()?.lines ?? [], true)
  }
  stackNotes()
  for (const [i, part] of parts.entries()) {
    const rows = drawPart(part, now, look)
    const before = lines.length
    stack(rows, i === 0 || needsGap(parts[i - 1], part))
    const block = findMainBlock(part)
    if (block?.kind === 'user' && block.origin === undefined && rows.length > 0)
      messages.push(before === 0 ? 0 : lines.length - rows.length)
    at += part.blocks.length
    stackNotes()
  }
  for (const { lines: rows } of waiting) stack(rows, true)
  return { lines, messages }
}

/**
 * Creates a function that lays out the response that is being written. Finished parts are laid out once for
 * each look of the screen.
 */
function openReplyLines() {
  let parts: ReplyParts = noReplyParts
  let finishedLines: string[] = []
  let drawnFor: RenderLook | undefined
  return ({ openReply }: SessionView, now: number, look: RenderLook, follows: boolean): string[] => {
    const isSame = openReply && drawnFor === look && parts.since === openReply.since
    if (!isSame) {
      parts = openReply ? { ...noReplyParts, since: openReply.since } : noReplyParts
      finishedLines = []
      drawnFor = look
    }
    if (!openReply) return []
    const next = advanceReply(parts, openReply)
    parts = next.parts
    if (next.finished) appendLines(finishedLines, drawFinishedPart(next.finished, look))
    const lines = [...finishedLines, ...drawOpenPart(parts, look), ...drawReplyState(openReply, now, look)]
    return follows && lines.length > 0 ? ['', ...lines] : lines
  }
}
