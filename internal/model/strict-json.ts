// A strict JSON parser that reports the position of the first mistake, so that the author can fix it.
import type { MalformedArgs } from './model.ts'

type Read = { ok: true; value: unknown } | { ok: false; malformed: MalformedArgs }

/**
 * Parses all of `raw`. Returns the value, or the first mistake with its position, also for a nesting above
 * `maxDepth`. Nothing is repaired.
 */
export function readJson(raw: string): Read {
  try {
    const value: unknown = JSON.parse(raw)
    const position = deepAt(raw)
    if (position < 0) return { ok: true, value }
    return { ok: false, malformed: { raw, error: 'nested too deeply', position } }
  } catch {
    // JSON.parse describes errors in words that change between versions and often without a position, so the
    // text is scanned again.
    const { position, error } = locate(raw)
    return { ok: false, malformed: { raw, error, position } }
  }
}

/**
 * Largest nesting depth, above that of any intended value. Deeper values would overflow the stack
 * of recursive code.
 */
const maxDepth = 500

/** Returns the position at which valid JSON becomes too deep, or -1. */
function deepAt(raw: string): number {
  if (raw.length <= maxDepth * 2) return -1
  let depth = 0
  for (let i = 0; i < raw.length; i++) {
    const char = raw[i]
    if (char === '"') {
      for (i++; raw[i] !== '"'; i++) if (raw[i] === '\\') i++
    } else if (char === '{' || char === '[') {
      if (++depth > maxDepth) return i
    } else if (char === '}' || char === ']') depth--
  }
  return -1
}

interface Mistake {
  position: number
  error: string
}

/** Returns the first mistake of `raw`, which must not be valid JSON. */
function locate(raw: string): Mistake {
  try {
    const end = skip(raw, value(raw, skip(raw, 0), 0))
    if (end < raw.length)
      return { position: end, error: `unexpected ${show(raw, end)} after the end of the JSON` }
    return { position: raw.length, error: 'not valid JSON' }
  } catch (error) {
    if (error instanceof Mark) return { position: error.position, error: error.message }
    throw error
  }
}

/** Thrown from inside the scan, caught by `locate`. */
class Mark extends Error {
  readonly position: number
  constructor(position: number, message: string) {
    super(message)
    this.position = position
  }
}

function show(raw: string, at: number): string {
  const char = raw.slice(at, at + 1)
  return char === '' ? 'end' : char === '\n' ? 'line break' : JSON.stringify(char)
}

function miss(raw: string, at: number, expected: string): never {
  throw new Mark(Math.min(at, raw.length), `expected ${expected}, found ${show(raw, at)}`)
}

function skip(raw: string, at: number): number {
  let i = at
  while (raw[i] === ' ' || raw[i] === '\n' || raw[i] === '\r' || raw[i] === '\t') i++
  return i
}

const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Returns the position after the value that starts at `at`. Throws `Mark` at a mistake. */
function value(raw: string, at: number, depth: number): number {
  if (depth > maxDepth) throw new Mark(at, 'nested too deeply')
  const char = raw[at]
  if (char === '{') return list(raw, at, '}', depth, true)
  if (char === '[') return list(raw, at, ']', depth, false)
  if (char === '"') return text(raw, at)
  for (const word of ['true', 'false', 'null']) if (raw.startsWith(word, at)) return at + word.length
  numberForm.lastIndex = at
  const number = numberForm.exec(raw)
  return number ? at + number[0].length : miss(raw, at, 'a value')
}

function list(raw: string, open: number, close: string, depth: number, keyed: boolean): number {
  let at = skip(raw, open + 1)
  if (raw[at] === close) return at + 1
  for (;;) {
    if (keyed) {
      if (raw[at] !== '"') miss(raw, at, 'a quoted key')
      at = skip(raw, text(raw, at))
      if (raw[at] !== ':') miss(raw, at, '":"')
      at = skip(raw, at + 1)
    }
    at = skip(raw, value(raw, at, depth + 1))
    if (raw[at] === close) return at + 1
    if (raw[at] !== ',') miss(raw, at, `"," or "${close}"`)
    at = skip(raw, at + 1)
  }
}

function text(raw: string, open: number): number {
  for (let i = open + 1; i < raw.length; i++) {
    const char = raw[i] as string
    if (char === '"') return i + 1
    if (char < ' ') throw new Mark(i, `a ${show(raw, i)} inside a string must be escaped`)
    if (char !== '\\') continue
    const next = raw[++i]
    if (next === undefined) break
    if (next === 'u' ? !/^[0-9a-fA-F]{4}$/.test(raw.slice(i + 1, i + 5)) : !'"\\/bfnrt'.includes(next)) {
      throw new Mark(i - 1, `\\${next} is not an escape of JSON`)
    }
  }
  throw new Mark(raw.length, `the string that starts at ${open} is not closed`)
}
