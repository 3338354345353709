// The only parser of inline markup: emphasis, code and links in Markdown, reStructuredText and code comments.
import { Lexer, type Token, type Tokens } from 'marked'
import { decodeHtmlEntities } from '../../base/text/html-entities.ts'
import { type InlineRun, joinRuns } from './inline-run.ts'
import { parseRstInline } from './rst-inline.ts'

/** `comment`: text in program code, where `_` and `\` are ordinary characters. */
export type InlineMarkup = 'markdown' | 'rst' | 'comment'

/** Longest text that is parsed, because the time of the parser grows with the square of the length. */
const maxChars = 8_000

/**
 * Returns the runs of a text without blocks, in order. Adjacent runs of one style are joined. A text that is
 * too long or cannot be parsed is one plain run.
 */
export function parseInline(text: string, markup: InlineMarkup = 'markdown'): InlineRun[] {
  if (text.length > maxChars) return [{ text }]
  if (markup !== 'markdown') return joinRuns(parseRstInline(text, markup))
  try {
    return joinRuns(readInline(Lexer.lexInline(protectGlobs(text))))
  } catch (error) {
    if (error instanceof RangeError) return [{ text }]
    throw error
  }
}

/** Escapes asterisks next to a slash, because they belong to a glob such as `src/**` or to a comment. */
const protectGlobs = (text: string): string =>
  text.replace(/\\.|(`+)(?!`).*?(?<!`)\1(?!`)|`+|\/\*+|\*+\//gs, (match) =>
    /^[`\\]/.test(match) ? match : match.replaceAll('*', '\\*'),
  )

/** Returns the runs of the inline tokens of a block. `look` is the style that surrounds them. */
export function readInline(tokens: readonly Token[] = [], look: Omit<InlineRun, 'text'> = {}): InlineRun[] {
  return tokens.flatMap((token): InlineRun[] => {
    switch (token.type) {
      case 'strong':
        return readInline(token.tokens, { ...look, isBold: true })
      case 'em':
        return readInline(token.tokens, { ...look, isItalic: true })
      case 'del':
        return readInline(token.tokens, { ...look, isStruck: true })
      case 'codespan':
        return [{ ...look, text: token.text, isCode: true }]
      case 'br':
        return [{ ...look, text: '\n' }, ...spacesAfter(token.raw, look)]
      case 'link':
        return readInline(token.tokens, { ...look, link: { href: token.href, isImage: false } })
      case 'image':
        return readImage(token as Tokens.Image, look)
      case 'checkbox':
        return [{ ...look, text: token.checked ? '[x] ' : '[ ] ' }]
      case 'escape':
      case 'html':
        return [{ ...look, text: token.text }]
      default:
        if ('tokens' in token && token.tokens) return readInline(token.tokens, look)
        return [{ ...look, text: decodeHtmlEntities('text' in token ? String(token.text) : token.raw) }]
    }
  })
}

function readImage({ text, href }: Tokens.Image, look: Omit<InlineRun, 'text'>): InlineRun[] {
  return [{ ...look, text, isItalic: true, link: { href, isImage: true } }]
}

/**
 * Returns the spaces at the start of the line after a hard line break as a run, or no run
 * without such spaces.
 */
function spacesAfter(lineEnd: string, look: Omit<InlineRun, 'text'>): InlineRun[] {
  const text = lineEnd.slice(lineEnd.indexOf('\n') + 1)
  return text === '' ? [] : [{ ...look, text }]
}
