// Draws Markdown for a terminal.
import type { Token } from 'marked'
import { makePen, type RenderLook } from '../pen.ts'
import { sanitizeText } from '../text/terminal-filter.ts'
import { drawBlocks } from './blocks.ts'
import { readBlocks } from './read-blocks.ts'

/**
 * Lines of at most `look.width` cells. The text is filtered first: its only control characters are our
 * colours.
 */
export function drawMarkdown(text: string, look: RenderLook): string[] {
  return drawReadBlocks(readBlocks(sanitizeText(text, { keepLines: true })), look)
}

/** The lines of blocks that were read from a filtered text. */
export const drawReadBlocks = (blocks: readonly Token[], look: RenderLook): string[] =>
  drawBlocks(blocks, look.width, makePen(look)).map((line) => line.text)
