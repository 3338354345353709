// The reader of JSON with comments, and errors with line and reason for invalid JSON.
import type { ParseError } from 'jsonc-parser'
import { UserError } from '../errors.ts'

/** An error in the form in which jsonc-parser reports it. */
interface ParserError {
  error: number
  offset: number
  length: number
}

interface JsonError {
  /** Line and column, both from 1. */
  line: number
  column: number
  what: string
}

/** Messages by the numbers of `ParseErrorCode` in jsonc-parser, whose own names are for programmers. */
const words: Readonly<Record<number, string>> = {
  2: 'this is not a number',
  3: 'a name in double quotes is missing',
  4: 'a value is missing',
  5: 'a colon is missing',
  6: 'a comma is missing',
  7: 'a closing } is missing',
  8: 'a closing ] is missing',
  9: 'nothing may follow the closing bracket',
  10: 'comments are not allowed here',
  11: 'a comment has no end',
  12: 'a text has no closing quote',
  13: 'a number has no end',
  14: 'after \\u four hexadecimal digits are needed',
  15: 'this character may not follow a backslash',
  16: 'a text contains a control character; write it as \\n, \\t or \\u00xx',
}

/**
 * Resolves to the value of JSON with comments and trailing commas. Rejects with UserError that contains the
 * line of the first mistake. The parser loads on first use.
 */
export async function parseJsonc(text: string): Promise<unknown> {
  const { parse } = await import('jsonc-parser')
  const errors: ParseError[] = []
  const value: unknown = parse(text, errors, { allowTrailingComma: true })
  const [first] = describeJsonErrors(text, errors)
  if (first) throw new UserError(`not valid JSON in line ${first.line}: ${first.what}`)
  return value
}

/** Returns the first problem of every line, because one mistake causes several errors of the parser. */
export function describeJsonErrors(text: string, reported: readonly ParserError[]): JsonError[] {
  const errors: JsonError[] = []
  for (const error of reported) {
    const before = text.slice(0, error.offset)
    const line = before.split('\n').length
    if (errors.some((one) => one.line === line)) continue
    const column = error.offset - before.lastIndexOf('\n')
    errors.push({
      line,
      column,
      what: wordsFor(text.slice(error.offset, error.offset + error.length), error),
    })
  }
  return errors
}

function wordsFor(token: string, { error }: ParserError): string {
  if (error !== 1) return words[error] ?? 'this is not JSON'
  const shortToken = token.length > 30 ? `${token.slice(0, 30)}…` : token
  if (/^['`‘“”]/.test(token)) return `${shortToken} is not in double quotes`
  const near = ['true', 'false', 'null'].find((word) => word === token.toLowerCase())
  if (near !== undefined) return `${shortToken} is written ${near}`
  return /^[\p{L}_$]/u.test(token)
    ? `${shortToken} is not in double quotes`
    : `${shortToken} means nothing here`
}
