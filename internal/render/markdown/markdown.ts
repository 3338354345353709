// Draws Markdown for a terminal: a whole text, or one that arrives in pieces, block by block.

import type { Token } from 'marked'
import { appendLines } from '../../base/text/append-lines.ts'
import { makePen, type RenderedLine, type RenderLook } from '../pen.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { drawBlocks, drawCode } from './blocks.ts'
import { countFinished, openCode, rawOf } from './finished-blocks.ts'
import { readBlocks } from './read-blocks.ts'

/**
 * Lines of at most `look.width` cells. The text is filtered first: its only control characters are our
 * colours.
 */
export function drawMarkdown(text: string, look: RenderLook): string[] {
  const tokens = readBlocks(sanitizeText(text, { keepLines: true }))
  return drawBlocks(tokens, look.width, makePen(look)).map((line) => line.text)
}

/** Takes a text in pieces and gives each block's lines as soon as nothing that follows can change them. */
interface MarkdownStream {
  /** Lines that are final now; none while the open block goes on. */
  push(text: string): string[]
  /** The lines of what is still open. The stream is empty afterwards and can be used again. */
  end(): string[]
}

/** Characters of an open block below which it is read again at every line end. */
const small = 4_096

/**
 * Lines that `push` and `end` give are those of `drawMarkdown` for the whole, but for what later references
 * define.
 */
export function streamMarkdown(look: RenderLook): MarkdownStream {
  const pen = makePen(look)
  let open = ''
  let begun = false
  /** The open block is code of which lines were given already. */
  let inCode = false
  /** Length that makes reading worth while: a long block is read again when it has grown by a tenth. */
  let enough = 0
  const textOf = (lines: readonly RenderedLine[]) => lines.map((line) => line.text)
  const spaced = (lines: string[]) => {
    if (lines.length === 0) return lines
    const lead = begun ? [''] : []
    begun = true
    return [...lead, ...lines]
  }
  const close = (tokens: readonly Token[]) => {
    if (!inCode) return spaced(textOf(drawBlocks(tokens, look.width, pen)))
    inCode = false
    const [code, ...rest] = tokens
    const left = code?.type === 'code' && code.text !== '' ? drawCode(code.text, look.width, pen) : []
    return [...textOf(left), ...spaced(textOf(drawBlocks(rest, look.width, pen)))]
  }
  return {
    push(text) {
      open += text
      // only a line end finishes anything, and half a line may be read as something else
      const cut = open.lastIndexOf('\n') + 1
      if (!text.includes('\n') || cut < enough) return []
      const tokens = readBlocks(sanitizeText(open.slice(0, cut), { keepLines: true }))
      const { last, ended } = countFinished(tokens)
      const done = ended > 0 ? close(tokens.slice(0, ended)) : []
      let rest = rawOf(tokens.slice(Math.max(0, ended)))
      const code = ended > last ? undefined : openCode(tokens[last])
      if (code) {
        const lines = textOf(drawCode(code.text, look.width, pen))
        appendLines(done, inCode ? lines : spaced(lines))
        inCode = true
        rest = code.fence
      }
      open = rest + open.slice(cut)
      enough = rest.length < small ? 0 : rest.length * 1.1
      return done
    },
    end() {
      const lines = close(readBlocks(sanitizeText(open, { keepLines: true })))
      open = ''
      begun = false
      enough = 0
      return lines
    },
  }
}
