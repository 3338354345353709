// Regular expression for ripgrep that finds an ASCII text in UTF-16 files.
import type { TextQuery } from './text-query.ts'

/**
 * Matches one literal character of a regular expression, also with a backslash, or the
 * bar between alternatives.
 */
const token = /\\[!-/:-@[-`{-~]|[\w\t "'`=<>/,:;@#%&!~-]|\|/g

/**
 * Characters outside of ASCII that equal these letters in a search that ignores case: ſ and the Kelvin sign.
 */
const foldedTo: Readonly<Record<string, number>> = { s: 0x17f, k: 0x212a }

/**
 * Returns an expression for the bytes of the query's texts in UTF-16. Undefined unless the query consists of
 * literal ASCII texts, or of expressions that only list such texts. Other encodings without a byte order mark
 * need no such expression, because ASCII texts have the same bytes in them as in UTF-8.
 */
export function utf16Pattern(
  query: Pick<TextQuery, 'patterns' | 'regex' | 'caseSensitive'>,
): string | undefined {
  const texts: string[] = []
  for (const pattern of query.patterns) {
    const literals = query.regex ? literalsOf(pattern) : [pattern]
    if (!literals?.every((one) => /^[\t\x20-\x7e]+$/.test(one))) return undefined
    texts.push(...literals)
  }
  if (texts.length === 0) return undefined
  const forms = texts.flatMap((text) => [true, false].map((isLittle) => bytesOf(text, isLittle, query)))
  return `(?-u)(?:${forms.join('|')})`
}

/**
 * Returns the literal texts that a regular expression lists, separated by `|`; undefined for an expression
 * with any other operator.
 */
function literalsOf(expression: string): string[] | undefined {
  const tokens = expression.match(token) ?? []
  if (tokens.join('') !== expression) return undefined
  const literals = ['']
  for (const one of tokens) {
    if (one === '|') literals.push('')
    else literals.push(literals.pop() + (one.length > 1 ? one.slice(1) : one))
  }
  return literals
}

function bytesOf(
  text: string,
  isLittle: boolean,
  { caseSensitive }: Pick<TextQuery, 'caseSensitive'>,
): string {
  const unit = (code: number) => {
    const low = escapeByte(code & 0xff)
    const high = escapeByte(code >> 8)
    return isLittle ? low + high : high + low
  }
  return [...text]
    .map((char) => {
      const small = char.toLowerCase()
      const large = char.toUpperCase()
      if (caseSensitive || small === large) return unit(char.charCodeAt(0))
      const codes = [small.charCodeAt(0), large.charCodeAt(0), foldedTo[small] ?? []].flat()
      return `(?:${codes.map(unit).join('|')})`
    })
    .join('')
}

const escapeByte = (value: number) => `\\x${value.toString(16).padStart(2, '0')}`
