// The differences between compatible endpoints. Every field is optional, and the default is the
// behavior of OpenAI.
import { fingerprint } from '../../base/fingerprint.ts'
import { nearestEffort } from '../effort.ts'
import type { Effort } from '../model.ts'
import { strictCallId } from '../strict/tool-names.ts'

export interface EndpointQuirks {
  /**
   * Matches models whose prompts are cached only up to a mark in the request, for example Claude
   * models through OpenRouter.
   */
  readonly cacheControl?: RegExp
  /**
   * Accepted efforts by model; the first expression that matches the model counts. Without a match, requests
   * set no effort.
   */
  readonly efforts?: readonly (readonly [RegExp, readonly Effort[]])[]
  /** True if the effort is sent in an object `reasoning` instead of the field `reasoning_effort`. */
  readonly reasoningObject?: boolean
  /**
   * True if the endpoint accepts `thinking: {type: enabled | disabled}`, in addition to an effort or
   * instead of it.
   */
  readonly thinking?: boolean
  /** True if the endpoint refuses `stream_options`. It reports usage without that field. */
  readonly noStreamOptions?: boolean
  /** True if the endpoint requires `max_tokens` instead of `max_completion_tokens`. */
  readonly maxTokens?: boolean
  /** True if call ids must be nine letters or digits. */
  readonly shortIds?: boolean
  /** True if reasoning is sent back with every message. Default: only with messages that contain calls. */
  readonly returnReasoning?: boolean
  /**
   * Rule about reasoning in earlier messages that a refusal of the endpoint has shown: they must not, or
   * must, contain it.
   */
  readonly returned?: 'no_returned_reasoning' | 'needs_reasoning' | undefined
  /** True if the endpoint refuses a user message directly after the results of calls. */
  readonly noUserAfterResults?: boolean
  /** True if the endpoint finds a cached prefix by the field `prompt_cache_key`. */
  readonly cacheKey?: boolean
  /** Matches models that read PDFs as documents. Default: none. */
  readonly documents?: RegExp
  /** True if the endpoint reports the price of a request that contains `usage: {include: true}`. */
  readonly reportsCost?: boolean
}

/**
 * Returns the fields that set the effort of `model`; empty without an effort, and if the endpoint has no
 * setting for this model. The field `thinking`, if the endpoint has it, comes alone if the model accepts no
 * effort or if `effort` turns thinking off.
 */
export function effortFields(
  effort: Effort | undefined,
  model: string,
  quirks: EndpointQuirks,
): Record<string, unknown> {
  if (effort === undefined) return {}
  const off = effort === 'none' || effort === 'minimal'
  const fields: Record<string, unknown> = quirks.thinking
    ? { thinking: { type: off ? 'disabled' : 'enabled' } }
    : {}
  const accepted = quirks.efforts?.find(([form]) => form.test(model))?.[1]
  const value = accepted && nearestEffort(effort, accepted)
  if (value === undefined || (quirks.thinking && off)) return fields
  return quirks.reasoningObject
    ? { ...fields, reasoning: { effort: value } }
    : { ...fields, reasoning_effort: value }
}

/** Returns an id that the endpoint accepts. Equal ids give equal results. */
export function callId(id: string, quirks: EndpointQuirks): string {
  if (!quirks.shortIds) return strictCallId(id)
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return fingerprint(id).slice(0, 9)
}
