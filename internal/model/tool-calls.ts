// The conversion of received pieces of calls into complete calls, or into invalid calls with the reason.

import { EndlessReplyError } from './endpoint/connection-errors.ts'
import type { ModelMessage, ModelToolCall } from './model.ts'
import { readJson } from './strict-json.ts'

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
 * `malformed`. `cut`: the response was truncated. Calls without arguments mean `{}`, except for the last one
 * at a truncation, which may have removed them. A repeated call with the same id, name and arguments is
 * dropped. A call whose id is missing, too long, or that of another call of this response or of the `earlier`
 * messages gets a new id, if possible from `mint`.
 */
export function finalizeCalls(
  drafts: readonly CallDraft[],
  cut: boolean,
  mint: (index: number) => string,
  earlier: readonly ModelMessage[] = [],
): ModelToolCall[] {
  const taken = new Set<string>()
  const seen = new Set<string>()
  const calls: ModelToolCall[] = []
  for (const [index, draft] of drafts.entries()) {
    const whole = `${draft.id} ${contentOf(draft)}`
    if (draft.id !== '' && seen.has(whole)) continue
    seen.add(whole)
    const isUsable = draft.id !== '' && draft.id.length <= maxIdChars && !taken.has(draft.id)
    let id = isUsable ? draft.id : mint(index)
    for (let n = 2; hasCallId(earlier, id) || taken.has(id); n++) id = `${draft.id}_${n}`
    taken.add(id)
    calls.push(read(draft, id, cut && index === drafts.length - 1))
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

function read(draft: CallDraft, id: string, atCut: boolean): ModelToolCall {
  const { name, raw } = draft
  if (draft.isLate)
    return refuse(draft, id, 'it came, wholly or in part, after the provider had ended the reply', 0)
  const empty = raw.trim() === ''
  if (empty && !atCut) return { id, name, args: {} }
  const json = readJson(raw)
  if (json.ok) return readWhole(draft, id, json.value)
  if (atCut)
    return refuse(
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
  if (half) return refuse(draft, id, 'a string holds half of a surrogate pair', draft.raw.search(/\\u[dD]/))
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

function refuse(draft: CallDraft, id: string, error: string, position: number): ModelToolCall {
  return { id, name: draft.name, args: undefined, malformed: { raw: draft.raw, error, position } }
}
