// A reply that arrives in pieces as drawn lines: each block once, also when a broken reply comes again.
import { appendLines } from '../../base/text/append-lines.ts'
import { streamMarkdown } from '../../render/markdown/markdown.ts'
import type { RenderLook } from '../../render/pen.ts'

export interface ReplyStream {
  /** Lines that are final now. */
  push(text: string): string[]
  /** What was open is dropped; lines that were given stay. Tells whether the reply had begun. */
  discard(): boolean
  /** The rest of the reply. The next piece begins another one. */
  end(): string[]
  /** The last characters that came, of a block that goes on. */
  tail(): string
}

/** As much of the open text as a row can show. */
const maxTail = 1_000

/**
 * A reply that comes again after a break goes on where it broke off, as long as it says the same; else it
 * follows whole. So nothing stands there twice, and what stands last is the reply.
 */
export function openReplyStream(look: RenderLook): ReplyStream {
  const markdown = streamMarkdown(look)
  let shown: string[] = []
  /** Lines of the reply that came again, which so far are those that were given. */
  let held: string[] | undefined
  let open = ''
  const pass = (lines: readonly string[], isLast: boolean): string[] => {
    if (!held) {
      appendLines(shown, lines)
      return [...lines]
    }
    appendLines(held, lines)
    const isSame = held.every((line, i) => i >= shown.length || line === shown[i])
    const isWhole = held.length >= shown.length
    if (isSame && !isWhole && !isLast) return []
    const fresh = isSame && isWhole ? held.slice(shown.length) : held
    shown = held
    held = undefined
    return fresh
  }
  return {
    push(text) {
      open = (open + text).slice(-maxTail)
      return pass(markdown.push(text), false)
    },
    discard() {
      const isBegun = open !== '' || shown.length > 0
      markdown.end()
      open = ''
      if (shown.length > 0) held = []
      return isBegun
    },
    end() {
      const lines = pass(markdown.end(), true)
      shown = []
      held = undefined
      open = ''
      return lines
    },
    tail: () => open.slice(open.lastIndexOf('\n') + 1),
  }
}
