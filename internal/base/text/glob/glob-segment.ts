// One path segment of a glob: its tokens, and matching in time proportional to both lengths multiplied.
import { type ByteName, bytesOfText } from '../byte-name.ts'

/**
 * `text` is literal, `star` matches any text, `any` one character, and a class one character in its ranges
 * of code points.
 */
type GlobToken =
  | { kind: 'text'; text: ByteName }
  | { kind: 'star' }
  | { kind: 'any' }
  | { kind: 'class'; not: boolean; fold: boolean; ranges: readonly (readonly [number, number])[] }

export type GlobSegment = readonly GlobToken[]

/**
 * Parses one segment of a pattern without braces. `fold`: letter case does not count, and names must be in
 * lower case. Throws SyntaxError with the reason.
 */
export function parseSegment(source: string, fold = false): GlobSegment {
  const tokens: GlobToken[] = []
  const chars = [...source]
  let text = ''
  const flush = () => {
    if (text !== '') tokens.push({ kind: 'text', text: bytesOfText(fold ? text.toLowerCase() : text) })
    text = ''
  }
  for (let at = 0; at < chars.length; at++) {
    const char = chars[at] as string
    if (char === '\\') {
      at++
      if (at === chars.length) throw new SyntaxError('a backslash at the end escapes nothing')
      text += chars[at]
    } else if (char === '*') {
      flush()
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' })
    } else if (char === '?') {
      flush()
      tokens.push({ kind: 'any' })
    } else if (char === '[') {
      flush()
      at = readClass(chars, at, tokens, fold)
    } else {
      text += char
    }
  }
  flush()
  return tokens
}

/** Adds the class that begins at `from` to `tokens` and returns the position of its closing bracket. */
function readClass(chars: readonly string[], from: number, tokens: GlobToken[], fold: boolean): number {
  let at = from + 1
  const not = chars[at] === '!' || chars[at] === '^'
  if (not) at++
  const ranges: [number, number][] = []
  const take = () => {
    if (chars[at] === '\\') at++
    const code = chars[at++]?.codePointAt(0)
    if (code === undefined) throw new SyntaxError('[ is never closed; write \\[ for a bracket itself')
    return code
  }
  for (let first = true; first || chars[at] !== ']'; first = false) {
    const low = take()
    const isRange = chars[at] === '-' && chars[at + 1] !== undefined && chars[at + 1] !== ']'
    if (isRange) at++
    const high = isRange ? take() : low
    if (high < low) throw new SyntaxError('a range in [ ] runs backwards')
    ranges.push([low, high])
  }
  tokens.push({ kind: 'class', not, fold, ranges })
  return at
}

/**
 * Returns true if the segment matches `name` between `start` and `end`. Only the last star is tried again,
 * which is enough because a star matches anything. The time is therefore at most proportional to the product
 * of both lengths.
 */
export function matchSegment(tokens: GlobSegment, name: ByteName, start: number, end: number): boolean {
  let token = 0
  let at = start
  let star = -1
  let mark = start
  while (at < end || token < tokens.length) {
    const next = token < tokens.length ? matchToken(tokens[token] as GlobToken, name, at, end) : -1
    if (tokens[token]?.kind === 'star') {
      star = token++
      mark = at
    } else if (next >= 0) {
      at = next
      token++
    } else if (star >= 0 && mark < end) {
      mark = charEnd(name, mark, end)
      at = mark
      token = star + 1
    } else {
      return false
    }
  }
  return true
}

/** Returns the position in the name after one token; -1 if the token does not match at `at`. */
function matchToken(token: GlobToken, name: ByteName, at: number, end: number): number {
  if (token.kind === 'text') {
    return at + token.text.length <= end && name.startsWith(token.text, at) ? at + token.text.length : -1
  }
  if (token.kind === 'star' || at >= end) return -1
  const stop = charEnd(name, at, end)
  if (token.kind === 'any') return stop
  const code = codePoint(name, at, stop)
  const inside = isInClass(token.ranges, code) || (token.fold && isInClass(token.ranges, upperCase(code)))
  return inside !== token.not ? stop : -1
}

const isInClass = (ranges: readonly (readonly [number, number])[], code: number) =>
  ranges.some(([low, high]) => low <= code && code <= high)

const upperCase = (code: number) => String.fromCodePoint(code).toUpperCase().codePointAt(0) as number

/** Returns the position after the UTF-8 character that begins at `at`. */
function charEnd(name: ByteName, at: number, end: number): number {
  let stop = at + 1
  if (name.charCodeAt(at) >= 0xc0) {
    while (stop < end && (name.charCodeAt(stop) & 0xc0) === 0x80) stop++
  }
  return stop
}

function codePoint(name: ByteName, at: number, stop: number): number {
  if (stop - at === 1) return name.charCodeAt(at)
  return Buffer.from(name.slice(at, stop), 'latin1').toString('utf8').codePointAt(0) ?? 0xfffd
}
