// Tool results: text for a model, data for a program, and how a failure is worded.
import type { Failure, FailureCode } from '../base/errors.ts'

/** An image as base64. */
interface ResultPicture {
  type: 'image'
  mime: string
  base64: string
}

/**
 * A PDF as base64, for models that read documents. `text` is the part of the result's text that it replaces.
 */
interface ResultDocument {
  type: 'document'
  mime: 'application/pdf'
  name: string
  base64: string
  pages: number
  text: string
}

/** Something other than text for the model. */
export type ResultMedia = ResultPicture | ResultDocument

/** `text` is what a model reads, `data` what a program reads. Both are always there. */
export interface ToolResult<D = unknown> {
  text: string
  /** Present where the tool itself shows less than it has: the whole text, kept for the tool `result`. */
  whole?: string
  /** Stands below the text, whatever had to be cut of that: a status, what is missing and why. */
  closing?: string
  data: D
  media?: ResultMedia[]
  /** Texts without the frame of `text`, for results that a face writes in its own form; never logged. */
  raw?: Readonly<Partial<Record<'content' | 'output' | 'stdout' | 'stderr', string>>>
  /** Present when the call did not do what was asked; `text` then says why and what to do next. */
  failed?: Failure
  /** Called once the text has reached its reader: printed, or persisted in the prompt. */
  settle?: () => Promise<void>
}

/** A failed result whose text is the message and the next step. */
export function failedResult<D = null>(
  code: FailureCode,
  message: string,
  rest: { hint?: string; detail?: Record<string, unknown>; data?: D } = {},
): ToolResult<D | null> {
  const { data, ...more } = rest
  return failureResult({ code, message, ...more }, data)
}

/** The failed result of a Failure that exists already. */
export function failureResult<D = null>(failure: Failure, data?: D): ToolResult<D | null> {
  const text = failure.hint ? `${failure.message}\n${failure.hint}` : failure.message
  return { text: `error ${failure.code}: ${text}`, data: data ?? null, failed: failure }
}

/** What there is so far, below the failure that ended the call, if one has. */
export function partialResult<D>(result: ToolResult<D>, failure: Failure | undefined): ToolResult<D> {
  if (!failure) return result
  return { ...result, text: `${failureResult(failure).text}\n${result.text}`, failed: failure }
}

/** A text with lines below it; empty ones are left out. */
export function withNotes(text: string, notes: readonly string[]): string {
  const lines = notes.filter((note) => note !== '')
  if (lines.length === 0) return text
  return [...(text === '' ? [] : [text.replace(/\n$/, '')]), ...lines].join('\n')
}
