// Tool results: text for a model, data of limited size for a program, and the wording of failures.
import type { Failure, FailureCode } from '../base/errors.ts'

/** An image in a result, as base64. */
interface ResultPicture {
  type: 'image'
  mime: string
  base64: string
}

/**
 * A PDF in a result, as base64, for models that read documents. `text` is the part of the result's text that
 * the PDF replaces.
 */
interface ResultDocument {
  type: 'document'
  mime: 'application/pdf'
  name: string
  base64: string
  pages: number
  text: string
}

/** Content of a result that the model gets and that is not text. */
export type ResultMedia = ResultPicture | ResultDocument

/** The result of a tool. `text` is for a model, `data` for a program. Both are always set. */
export interface ToolResult<D = unknown> {
  text: string
  /** The complete text of the result for the tool `result`, if the tool itself shows less. */
  whole?: string
  /** Text below `text` that is never truncated: a status, or what is missing and why. */
  closing?: string
  data: D
  media?: ResultMedia[]
  /**
   * Plain parts of the result, without the headings and notes of `text`. An adapter writes them in the form
   * of another program. Never logged.
   */
  raw?: Readonly<Partial<Record<'content' | 'output' | 'stdout' | 'stderr', string>>>
  /**
   * The failure of the call. Set if the call did not do the requested work, or only a part of it; `text` then
   * contains the reason and the next step.
   */
  failed?: Failure
  /** Called once the text of the result has reached its reader: printed, or stored in the prompt. */
  settle?: () => Promise<void>
}

/**
 * Returns a failed result. Its text consists of the failure's code and message, and of the hint with
 * the next step.
 */
export function failedResult<D = null>(
  code: FailureCode,
  message: string,
  rest: { hint?: string; detail?: Record<string, unknown>; data?: D } = {},
): ToolResult<D | null> {
  const { data, ...more } = rest
  return failureResult({ code, message, ...more }, data)
}

/** Returns the failed result of an existing Failure. */
export function failureResult<D = null>(failure: Failure, data?: D): ToolResult<D | null> {
  const text = failure.hint ? `${failure.message}\n${failure.hint}` : failure.message
  return { text: `error ${failure.code}: ${text}`, data: data ?? null, failed: failure }
}

/** Returns the result. If a failure ended the call, returns it as failed, with the failure above its text. */
export function partialResult<D>(result: ToolResult<D>, failure: Failure | undefined): ToolResult<D> {
  if (!failure) return result
  return { ...result, text: `${failureResult(failure).text}\n${result.text}`, failed: failure }
}

/** Returns the text with the notes below it. Empty notes are omitted. */
export function withNotes(text: string, notes: readonly string[]): string {
  const lines = notes.filter((note) => note !== '')
  if (lines.length === 0) return text
  return [...(text === '' ? [] : [text.replace(/\n$/, '')]), ...lines].join('\n')
}

/**
 * Limits for the data of a result. In data whose JSON has more than `maxDataChars` characters, texts are cut
 * to `maxTextChars` characters, and lists and objects to `maxItems` items.
 */
const maxDataChars = 65_536
const maxTextChars = 2_000
const maxItems = 100

/**
 * Returns `data`, or a copy with long texts, long lists and deeply nested values cut and `data_cut: true`, or
 * `data_cut: true` alone if even the copy is too long. Returns an empty object without data.
 */
export function boundData(data: unknown): { data?: unknown; data_cut?: true } {
  if (data === undefined || data === null) return {}
  if (sizeOf(data, maxDataChars) <= maxDataChars) return { data }
  const shortData = shortenValue(data, 6)
  return sizeOf(shortData, maxDataChars) <= maxDataChars
    ? { data: shortData, data_cut: true }
    : { data_cut: true }
}

/**
 * Returns an estimate of the length of `value` as JSON. Counting stops once the estimate exceeds `enough`.
 */
function sizeOf(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  for (const [key, item] of Object.entries(value)) {
    // JSON omits undefined values
    if (item === undefined) continue
    size += key.length + 4 + sizeOf(item, enough - size)
    if (size > enough) return size
  }
  return size
}

function shortenValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    return value.length > maxTextChars ? `${value.slice(0, maxTextChars).toWellFormed()}…` : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '…'
  if (Array.isArray(value)) return value.slice(0, maxItems).map((item) => shortenValue(item, depth - 1))
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .slice(0, maxItems)
  return Object.fromEntries(entries.map(([key, item]) => [key, shortenValue(item, depth - 1)]))
}
