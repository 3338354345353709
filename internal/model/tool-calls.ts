// The tool calls of a response as the loop gets them, and the strict parser of their JSON.
import { EndlessReplyError } from './endpoint/connection-errors.ts'
import type { MalformedArgs, ModelMessage, ModelToolCall } from './model.ts'

/** A call as received. `raw` contains its arguments, all pieces joined. */
export interface CallDraft {
  id: string
  name: string
  raw: string
  /** True if a part of the call arrived after the finish reason of the response. */
  isLate?: boolean
}

/**
 * Largest numbers of characters and calls of one response, far above any normal one. A response above them
 * is an error.
 */
const maxReplyChars = 8 * 1024 * 1024
const maxCalls = 1024

/** Throws `EndlessReplyError` for a response with more characters or calls than the limits allow. */
export function checkReplySize(chars: number, calls: number): void {
  if (chars > maxReplyChars)
    throw new EndlessReplyError(`the reply has more than ${maxReplyChars} characters`)
  if (calls > maxCalls) throw new EndlessReplyError(`the reply has more than ${maxCalls} calls`)
}

/** Largest number of characters of a call id. A longer id is replaced by a new one. */
const maxIdChars = 256

/**
 * Returns the calls of one complete response, in order; a call that cannot be read contains the reason in
 * `malformed`. `isCut`: the response was truncated. Calls without arguments mean `{}`, except for the last
 * one at a truncation, which may have removed them. A repeated call with the same id, name and arguments is
 * dropped. A call whose id is missing, too long, or that of another call of this response gets an id from
 * `mint`. If a call of the `earlier` messages has the id of a call, a number is added to the id.
 */
export function finalizeCalls(
  drafts: readonly CallDraft[],
  isCut: boolean,
  mint: (index: number) => string,
  earlier: readonly ModelMessage[] = [],
): ModelToolCall[] {
  const usedIds = new Set<string>()
  const seenCalls = new Set<string>()
  const calls: ModelToolCall[] = []
  for (const [index, draft] of drafts.entries()) {
    const whole = `${draft.id} ${contentOf(draft)}`
    if (draft.id !== '' && seenCalls.has(whole)) continue
    seenCalls.add(whole)
    const isUsable = draft.id !== '' && draft.id.length <= maxIdChars && !usedIds.has(draft.id)
    let id = isUsable ? draft.id : mint(index)
    for (let n = 2; hasCallId(earlier, id) || usedIds.has(id); n++) id = `${draft.id}_${n}`
    usedIds.add(id)
    calls.push(readDraft(draft, id, isCut && index === drafts.length - 1))
  }
  return calls
}

/**
 * Returns true if a call of an earlier response has this id. Some endpoints start the ids of each response at
 * the same number.
 */
function hasCallId(messages: readonly ModelMessage[], id: string): boolean {
  return messages.some((one) => one.role === 'assistant' && one.calls?.some((call) => call.id === id))
}

/** Returns the text that identifies a call: name and arguments, regardless of spacing. */
function contentOf({ name, raw }: CallDraft): string {
  const json = readJson(raw.trim() === '' ? '{}' : raw)
  return JSON.stringify([name, json.ok ? json.value : raw])
}

function readDraft(draft: CallDraft, id: string, atCut: boolean): ModelToolCall {
  const { name, raw } = draft
  if (draft.isLate)
    return refuseDraft(draft, id, 'it came, wholly or in part, after the provider had ended the reply', 0)
  const empty = raw.trim() === ''
  if (empty && !atCut) return { id, name, args: {} }
  const json = readJson(raw)
  if (json.ok) return readWhole(draft, id, json.value)
  if (atCut)
    return refuseDraft(
      draft,
      id,
      'the reply was cut off (output limit or filter) in the middle of this call',
      raw.length,
    )
  return { id, name, args: undefined, malformed: json.malformed }
}

/**
 * Reads a complete call. A call with half of a surrogate pair becomes malformed, because that is valid JSON,
 * but not text that could be written, sent or searched.
 */
function readWhole(draft: CallDraft, id: string, args: unknown): ModelToolCall {
  const half = /\\u[dD][89a-fA-F]/.test(draft.raw) && !isWellFormed(args)
  if (half)
    return refuseDraft(draft, id, 'a string holds half of a surrogate pair', draft.raw.search(/\\u[dD]/))
  return { id, name: draft.name, args: unwrapArgs(args) }
}

/**
 * Returns the object in a JSON string, because some models write arguments in this way, and `{}` for `null`,
 * which means none. Other values are unchanged.
 */
function unwrapArgs(args: unknown): unknown {
  if (args === null) return {}
  if (typeof args !== 'string') return args
  const inner = readJson(args)
  return inner.ok && typeof inner.value === 'object' && inner.value !== null && !Array.isArray(inner.value)
    ? inner.value
    : args
}

function isWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item))
}

function refuseDraft(draft: CallDraft, id: string, error: string, position: number): ModelToolCall {
  return { id, name: draft.name, args: undefined, malformed: { raw: draft.raw, error, position } }
}

type JsonResult = { ok: true; value: unknown } | { ok: false; malformed: MalformedArgs }

/**
 * Parses all of `raw`. Returns the value, or the first mistake with its position, also for a nesting above
 * `maxDepth`. Nothing is repaired.
 */
export function readJson(raw: string): JsonResult {
  try {
    const value: unknown = JSON.parse(raw)
    const position = deepAt(raw)
    if (position < 0) return { ok: true, value }
    return { ok: false, malformed: { raw, error: 'nested too deeply', position } }
  } catch {
    // JSON.parse describes errors in words that change between versions and often without a position, so the
    // text is scanned again.
    const { position, error } = locateMistake(raw)
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

interface JsonMistake {
  position: number
  error: string
}

/** Returns the first mistake of `raw`, which must not be valid JSON. */
function locateMistake(raw: string): JsonMistake {
  try {
    const end = skipSpace(raw, scanValue(raw, skipSpace(raw, 0), 0))
    if (end < raw.length)
      return { position: end, error: `unexpected ${showChar(raw, end)} after the end of the JSON` }
    return { position: raw.length, error: 'not valid JSON' }
  } catch (error) {
    if (error instanceof MistakeError) return { position: error.position, error: error.message }
    throw error
  }
}

/** Thrown from inside the scan, caught by `locateMistake`. */
class MistakeError extends Error {
  readonly position: number
  constructor(position: number, message: string) {
    super(message)
    this.position = position
  }
}

function showChar(raw: string, at: number): string {
  const char = raw.slice(at, at + 1)
  return char === '' ? 'end' : char === '\n' ? 'line break' : JSON.stringify(char)
}

function throwMistake(raw: string, at: number, expected: string): never {
  throw new MistakeError(Math.min(at, raw.length), `expected ${expected}, found ${showChar(raw, at)}`)
}

function skipSpace(raw: string, at: number): number {
  let i = at
  while (raw[i] === ' ' || raw[i] === '\n' || raw[i] === '\r' || raw[i] === '\t') i++
  return i
}

const numberForm = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Returns the position after the value that starts at `at`. Throws `MistakeError` at a mistake. */
function scanValue(raw: string, at: number, depth: number): number {
  if (depth > maxDepth) throw new MistakeError(at, 'nested too deeply')
  const char = raw[at]
  if (char === '{') return scanList(raw, at, '}', depth, true)
  if (char === '[') return scanList(raw, at, ']', depth, false)
  if (char === '"') return scanText(raw, at)
  for (const word of ['true', 'false', 'null']) if (raw.startsWith(word, at)) return at + word.length
  numberForm.lastIndex = at
  const number = numberForm.exec(raw)
  return number ? at + number[0].length : throwMistake(raw, at, 'a value')
}

function scanList(raw: string, open: number, close: string, depth: number, keyed: boolean): number {
  let at = skipSpace(raw, open + 1)
  if (raw[at] === close) return at + 1
  for (;;) {
    if (keyed) {
      if (raw[at] !== '"') throwMistake(raw, at, 'a quoted key')
      at = skipSpace(raw, scanText(raw, at))
      if (raw[at] !== ':') throwMistake(raw, at, '":"')
      at = skipSpace(raw, at + 1)
    }
    at = skipSpace(raw, scanValue(raw, at, depth + 1))
    if (raw[at] === close) return at + 1
    if (raw[at] !== ',') throwMistake(raw, at, `"," or "${close}"`)
    at = skipSpace(raw, at + 1)
  }
}

function scanText(raw: string, open: number): number {
  for (let i = open + 1; i < raw.length; i++) {
    const char = raw[i] as string
    if (char === '"') return i + 1
    if (char < ' ') throw new MistakeError(i, `a ${showChar(raw, i)} inside a string must be escaped`)
    if (char !== '\\') continue
    const next = raw[++i]
    if (next === undefined) break
    if (next === 'u' ? !/^[0-9a-fA-F]{4}$/.test(raw.slice(i + 1, i + 5)) : !'"\\/bfnrt'.includes(next)) {
      throw new MistakeError(i - 1, `\\${next} is not an escape of JSON`)
    }
  }
  throw new MistakeError(raw.length, `the string that starts at ${open} is not closed`)
}
