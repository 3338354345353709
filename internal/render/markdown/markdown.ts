// Renderer of Markdown for a terminal.
import type { Token } from 'marked'
import { makePen, type RenderLook } from '../pen.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { drawBlocks } from './blocks.ts'
import { readBlocks } from './read-blocks.ts'

/**
 * Returns lines of at most `look.width` cells. The text is sanitized first, so the only control characters
 * are the color codes of this program.
 */
export function drawMarkdown(text: string, look: RenderLook): string[] {
  return drawReadBlocks(readBlocks(sanitizeText(text, { keepLines: true })), look)
}

/** Returns the lines of blocks that were parsed from a sanitized text. */
export const drawReadBlocks = (blocks: readonly Token[], look: RenderLook): string[] =>
  drawBlocks(blocks, look.width, makePen(look)).map((line) => line.text)
