// The text of responses on a terminal. It is drawn in blocks as it arrives, each block once.
import { appendLines } from '../../base/text/append-lines.ts'
import type { EventPayload } from '../../event/event.ts'
import { drawMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'
import { advanceReply, drawFinishedPart, type FinishedPart, finishReply, noReplyParts } from './open-reply.ts'

interface ReplyWords {
  delta(payload: EventPayload<'message.delta'>): readonly string[]
  /** Drops the open response. Returns true if a part of it had arrived. */
  discard(): boolean
  message(payload: EventPayload<'message'>): readonly string[]
  /** Ends an interrupted response. Returns the lines of its rest. */
  end(): readonly string[]
  /** Returns the lines of the last answer; an empty list if the answer is shown already. */
  answer(text: string): readonly string[]
  /** Returns the received characters of the last line, which is not complete yet; at most 1,000. */
  tail(): string
}

/**
 * Opens the drawing of responses. With `isWhole`, the final answer is printed separately, so only text before
 * calls is shown, in complete blocks.
 */
export function openReplyWords(look: () => RenderLook, { isWhole }: { isWhole: boolean }): ReplyWords {
  let stream: WordStream | undefined
  let shownText: string | undefined
  const end = () => {
    const rest = stream && !isWhole ? stream.end() : []
    stream = undefined
    return rest
  }
  return {
    delta({ text = '' }) {
      if (text === '') return []
      stream ??= openWordStream(look())
      const lines = stream.push(text)
      return isWhole ? [] : lines
    },
    discard: () => stream?.discard() ?? false,
    message({ role, text, calls = [] }) {
      if (role !== 'assistant') return []
      if (text !== '') shownText = text
      const isStreamed = stream !== undefined && !isWhole
      const rest = end()
      return !isStreamed && (!isWhole || calls.length > 0) ? drawMarkdown(text, look()) : rest
    },
    end,
    answer: (text) => (text === shownText ? [] : drawMarkdown(text, look())),
    tail: () => stream?.tail() ?? '',
  }
}

interface WordStream {
  /** Adds text of the response and returns the lines that are final. */
  push(text: string): string[]
  /** Drops the open text; lines that were already returned stay. Returns true if the response had begun. */
  discard(): boolean
  /** Ends the response and returns its remaining lines. */
  end(): string[]
  tail(): string
}

/** Largest number of characters of the open text that a row can show. */
const maxTail = 1_000

/**
 * Largest length in characters of an unfinished block that is parsed at every line end. Longer blocks are
 * parsed less often.
 */
const small = 4_096

/**
 * Returns a stream of lines. If a response is sent again after an interruption, its lines are skipped as long
 * as they equal the printed ones. At the first difference, the response is printed again from its start. So
 * the last printed lines are always the response.
 */
function openWordStream(look: RenderLook): WordStream {
  let parts = noReplyParts
  let text = ''
  let hasLines = false
  /**
   * Length from which the open text is parsed again. A long block is parsed only after it has grown
   * by a tenth.
   */
  let enough = 0
  let printedLines: string[] = []
  /** Lines of a repeated response that so far equal the printed lines. */
  let heldLines: string[] | undefined
  const draw = (finished: FinishedPart | undefined): string[] => {
    const lines = finished
      ? drawFinishedPart({ ...finished, follows: finished.follows && hasLines }, look, 0)
      : []
    hasLines ||= lines.length > 0
    return lines
  }
  const pass = (lines: readonly string[], isLast: boolean): string[] => {
    if (!heldLines) {
      appendLines(printedLines, lines)
      return [...lines]
    }
    appendLines(heldLines, lines)
    const isSame = heldLines.every((line, i) => i >= printedLines.length || line === printedLines[i])
    const isComplete = heldLines.length >= printedLines.length
    if (isSame && !isComplete && !isLast) return []
    const fresh = isSame && isComplete ? heldLines.slice(printedLines.length) : heldLines
    printedLines = heldLines
    heldLines = undefined
    return fresh
  }
  return {
    push(more) {
      text += more
      // Only a line end can finish a block, so other text is not parsed.
      if (!more.includes('\n') || text.length < enough) return []
      const lines: string[] = []
      do {
        const next = advanceReply(parts, { text, since: parts.since })
        parts = next.parts
        appendLines(lines, draw(next.finished))
      } while (parts.taken < text.length)
      enough = parts.open.length < small ? 0 : text.length + parts.open.length / 10
      return pass(lines, false)
    },
    discard() {
      const isBegun = text !== '' || printedLines.length > 0
      parts = noReplyParts
      text = ''
      hasLines = false
      enough = 0
      if (printedLines.length > 0) heldLines = []
      return isBegun
    },
    end: () => pass(draw(finishReply(parts, parts.given + parts.open + text.slice(parts.taken))), true),
    tail: () => text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - maxTail)),
  }
}
