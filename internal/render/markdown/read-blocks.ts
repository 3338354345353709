// Reads Markdown into blocks, whatever a model has written.
import { lexer, type Token } from 'marked'

export type { Token }

/** A paragraph is read in time that grows with its square: a longer line is taken as it is written. */
const maxLineChars = 8_000

/** Parts within parts, of which a list within a list makes two; no screen is wide enough for more. */
const maxDepth = 40

/**
 * What is nested too deep is a plain paragraph; so is the whole text where a line is too long or the parser
 * gives up.
 */
export function readBlocks(text: string): Token[] {
  if (hasLongLine(text)) return [plainBlock(text)]
  try {
    return lexer(text).map((token) => (isTooDeep(token) ? plainBlock(token.raw) : token))
  } catch (error) {
    if (error instanceof RangeError) return [plainBlock(text)]
    throw error
  }
}

function hasLongLine(text: string): boolean {
  if (text.length <= maxLineChars) return false
  return text.split('\n').some((line) => line.length > maxLineChars)
}

/** Level by level: one call within the other would end at the depth that is looked for. */
function isTooDeep(token: Token): boolean {
  let level: Token[] = [token]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return true
    level = level.flatMap((one) => [
      ...(('tokens' in one && one.tokens) || []),
      ...(one.type === 'list' ? one.items : []),
    ])
  }
  return false
}

const plainBlock = (text: string): Token => ({
  type: 'paragraph',
  raw: text,
  text,
  tokens: [{ type: 'text', raw: text, text, escaped: false }],
})
