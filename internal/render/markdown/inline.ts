// The only parser of inline markup: emphasis, code and links in Markdown, reStructuredText and code comments.
import { Lexer, type Token, type Tokens } from 'marked'
import { decodeHtmlEntities } from '../../base/text/html-entities.ts'
import { type InlineRun, joinRuns } from './inline-run.ts'
import { parseRstInline } from './rst-inline.ts'

/** `comment`: text in program code, where `_` and `\` are ordinary characters. */
export type InlineMarkup = 'markdown' | 'rst' | 'comment'

/**
 * Longest text in characters that is parsed. A longer one stays plain, because the time of the parser grows
 * with the square of the length.
 */
const maxChars = 8_000

/**
 * Returns the runs of a text without blocks, in order. Adjacent runs of one style are joined. Only a hard
 * line break of Markdown is a line feed in a run. A text that is too long or cannot be parsed is one run
 * without a style.
 */
export function parseInline(text: string, markup: InlineMarkup = 'markdown'): InlineRun[] {
  if (text.length > maxChars) return [{ text: joinLines(text) }]
  if (markup !== 'markdown') return joinRuns(parseRstInline(joinLines(text), markup))
  try {
    return joinRuns(readInline(Lexer.lexInline(protectGlobs(text))))
  } catch (error) {
    if (error instanceof RangeError) return [{ text: joinLines(text) }]
    throw error
  }
}

/**
 * Matches the end of a line after which Markdown breaks the line: two or more spaces, or
 * an unescaped backslash.
 */
const hardEnd = / {2,}$|(?<!\\)(?:\\\\)*\\$/

/**
 * Returns the lines of a paragraph as one text without their indentation. Only hard line breaks stay line
 * feeds, with their two spaces or backslash before them. Any other line end becomes one space.
 */
export const joinParagraph = (lines: readonly string[]): string =>
  lines
    .map((line, i) => {
      const lineText = line.trimStart()
      if (i === lines.length - 1) return lineText.trimEnd()
      return hardEnd.test(lineText) ? `${lineText}\n` : `${lineText.trimEnd()} `
    })
    .join('')

/** Returns a paragraph of `joinParagraph` as its lines, without the marks of hard line breaks. */
export const splitParagraph = (text: string): string[] => text.split(/(?: {2,}|\\)\n/)

const joinLines = (text: string) => text.replace(/\s*\n\s*/g, ' ')

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
        return readInline(token.tokens, { ...look, link: linkTo(token.href, false) })
      case 'image':
        return readImage(token as Tokens.Image, look)
      case 'checkbox':
        return [{ ...look, text: token.checked ? '[x] ' : '[ ] ' }]
      case 'escape':
        return [{ ...look, text: token.text }]
      case 'html':
        return [{ ...look, text: joinLines(token.text) }]
      default:
        if ('tokens' in token && token.tokens) return readInline(token.tokens, look)
        // The parser has already decoded numeric references such as `&#27;` in `token.text`, which could be
        // control characters. So the original text is used.
        return [{ ...look, text: decodeHtmlEntities(joinLines(token.raw)) }]
    }
  })
}

/** Returns the description of an image as runs. Inside a link, they lead where the link leads. */
const readImage = ({ tokens, href }: Tokens.Image, look: Omit<InlineRun, 'text'>): InlineRun[] =>
  readInline(tokens, { ...look, isItalic: true, link: look.link ?? linkTo(href, true) })

const linkTo = (href: string, isImage: boolean) => ({ href: decodeHtmlEntities(href), isImage })

/**
 * Returns the spaces at the start of the line after a hard line break as a run, or no run
 * without such spaces.
 */
function spacesAfter(lineEnd: string, look: Omit<InlineRun, 'text'>): InlineRun[] {
  const text = lineEnd.slice(lineEnd.indexOf('\n') + 1)
  return text === '' ? [] : [{ ...look, text }]
}
