// Parser of a spec from bytes or text that reports the place of invalid UTF-8 or JSON.
import type { SpecIssue } from './issues.ts'

type ParseResult = { ok: true; spec: unknown } | { ok: false; issue: SpecIssue }

/**
 * Parses JSON, or returns an issue with the line and column of the error; for empty text, an issue
 * without a position. A byte order mark is accepted. If an object has a key twice, the last value counts,
 * as in JSON.parse.
 */
export function parseText(text: string): ParseResult {
  if (text.replace(/^\ufeff/, '').trim() === '')
    return toParseIssue('it is empty; a spec is a JSON object with root and elements')
  try {
    return { ok: true, spec: JSON.parse(text.replace(/^\ufeff/, '')) }
  } catch (error) {
    const at = faultOf(text)
    const before = text.slice(0, at).split('\n')
    const column = (before.at(-1) as string).length + 1
    const problem = at >= text.length ? 'it ends too early' : `unexpected ${JSON.stringify(text[at])}`
    const message = at < 0 ? String(error) : `line ${before.length}, column ${column}: ${problem}`
    return toParseIssue(message)
  }
}

/** Parses bytes as JSON. Returns the problem if they are not UTF-8 or not JSON. */
export function parseBytes(bytes: Uint8Array): ParseResult {
  try {
    return parseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return toParseIssue(`not UTF-8 from byte ${invalidByte(bytes)} on`)
  }
}

const toParseIssue = (message: string): ParseResult => ({
  ok: false,
  issue: { code: 'bad_json', path: '', message },
})

/**
 * Returns the offset of the first byte that is not valid UTF-8. It is found by bisection: if a beginning of
 * `bytes` is invalid, every longer beginning is invalid too.
 */
function invalidByte(bytes: Uint8Array): number {
  const broken = (end: number) => {
    try {
      // With `stream`, an incomplete UTF-8 sequence at the end does not count as an error.
      new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, end), {
        stream: true,
      })
      return false
    } catch {
      return true
    }
  }
  let good = 0
  let bad = bytes.length + 1
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (middle > bytes.length || broken(middle)) bad = middle
    else good = middle
  }
  return sequenceStart(bytes, Math.min(good, bytes.length))
}

/**
 * Returns the offset of the first byte of an incomplete sequence that ends directly before
 * `offset`, else `offset`.
 */
function sequenceStart(bytes: Uint8Array, offset: number): number {
  for (let back = 1; back <= 3 && back <= offset; back++) {
    const byte = bytes[offset - back] as number
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? offset - back : offset
    }
    if (byte < 0x80) break
  }
  return offset
}

const space = new Set([' ', '\t', '\n', '\r'])
const scalar = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y

/**
 * Returns the offset of the first invalid character of a JSON text, its length if it is truncated, or -1 if
 * it is valid. An explicit stack is used, so that deep nesting cannot overflow the call stack.
 */
export function faultOf(text: string): number {
  const open: ('{' | '[')[] = []
  let want: 'value' | 'key' | 'colon' | 'next' | 'end' = 'value'
  let mayClose = false
  let i = text.startsWith('\ufeff') ? 1 : 0
  const after = () => (open.length > 0 ? 'next' : 'end')
  for (; i < text.length; i++) {
    const char = text[i] as string
    if (space.has(char)) continue
    if (want === 'end') return i
    if (want === 'colon') {
      if (char !== ':') return i
      want = 'value'
      mayClose = false
    } else if (char === '}' || char === ']') {
      const closes = open.at(-1) === (char === '}' ? '{' : '[')
      if (!closes || !(want === 'next' || mayClose)) return i
      open.pop()
      want = after()
    } else if (want === 'next') {
      if (char !== ',') return i
      want = open.at(-1) === '{' ? 'key' : 'value'
      mayClose = false
    } else if (char === '"') {
      const end = endOfString(text, i)
      if (end.fault !== undefined) return end.fault
      i = end.last
      want = want === 'key' ? 'colon' : after()
    } else if (want === 'key') {
      return i
    } else if (char === '{' || char === '[') {
      open.push(char)
      want = char === '{' ? 'key' : 'value'
      mayClose = true
    } else {
      scalar.lastIndex = i
      const scalarMatch = scalar.exec(text)
      if (!scalarMatch) return i
      i += scalarMatch[0].length - 1
      want = after()
    }
  }
  return want === 'end' ? -1 : text.length
}

/**
 * Returns as `last` the index of the closing quote. For a character that is invalid in a string, or the end
 * of the text, returns that index as `fault` too.
 */
function endOfString(text: string, start: number): { last: number; fault?: number } {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) return { last: i }
    if (code < 0x20) return { last: i, fault: i }
    if (code !== 0x5c) continue
    const letter = text[i + 1] ?? ''
    if (letter === '') break
    if (letter === 'u') {
      if (!/^[0-9a-fA-F]{4}$/.test(text.slice(i + 2, i + 6))) return { last: i, fault: i }
      i += 5
    } else {
      if (!'"\\/bfnrt'.includes(letter)) return { last: i, fault: i }
      i++
    }
  }
  return { last: text.length, fault: text.length }
}
