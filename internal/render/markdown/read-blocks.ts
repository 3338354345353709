// Parser of Markdown blocks. It accepts any output of a model.
import { lexer, type Token } from 'marked'

export type { Token }

/**
 * Characters of a line above which text stays unparsed, because parsing a paragraph takes time that grows
 * with its square.
 */
const maxLineChars = 8_000

/**
 * Largest nesting depth, which no useful text reaches. A list within a list counts as two levels. A top-level
 * block with deeper parts becomes plain text as a whole.
 */
const maxDepth = 40

/**
 * Parses blocks. A top-level block with parts that are nested too deep becomes a plain paragraph. If a line
 * is too long or the parser fails with a RangeError, the whole text becomes one plain paragraph.
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

/**
 * Returns whether a token is nested too deep; it walks by level, because recursion would fail at such depth.
 */
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
