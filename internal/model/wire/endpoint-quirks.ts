// The differences between compatible endpoints. Every field is optional, and the default is the
// behavior of OpenAI.
import { fingerprint } from '../../base/fingerprint.ts'
import { nearestEffort } from '../effort.ts'
import type { Effort } from '../model.ts'
import { strictCallId } from '../strict/tool-names.ts'

export interface EndpointQuirks {
  /** Models whose prompts are kept only where they are marked, as Claude models are behind OpenRouter. */
  readonly cacheControl?: RegExp
  /** Efforts accepted, by model; the first match counts. No match: the request says nothing about effort. */
  readonly efforts?: readonly (readonly [RegExp, readonly Effort[]])[]
  /** Effort goes into an object `reasoning` instead of the field `reasoning_effort`. */
  readonly reasoningObject?: boolean
  /** Accepts `thinking: {type: enabled | disabled}` in addition to an effort or instead of one. */
  readonly thinking?: boolean
  /** Refuses `stream_options`; usage comes anyway. */
  readonly noStreamOptions?: boolean
  /** Wants `max_tokens` rather than `max_completion_tokens`. */
  readonly maxTokens?: boolean
  /** Call ids must be nine letters or digits. */
  readonly shortIds?: boolean
  /** Reasoning goes back with every message; elsewhere with those that have calls. */
  readonly returnReasoning?: boolean
  /** The rule about reasoning in the history that a refusal has shown. */
  readonly returned?: 'no_returned_reasoning' | 'needs_reasoning' | undefined
  /** Takes no user message right after the results of calls. */
  readonly noUserAfterResults?: boolean
  /** Finds a kept prefix by the field `prompt_cache_key`. */
  readonly cacheKey?: boolean
  /** Models that read PDFs as documents; absent: none. */
  readonly documents?: RegExp
  /** Reports the price of a request when asked with `usage: {include: true}`. */
  readonly reportsCost?: boolean
}

/** The fields that tell `model` how hard to think; empty when it is not told. */
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

/** An id the endpoint accepts, the same for the same `id`. */
export function callId(id: string, quirks: EndpointQuirks): string {
  if (!quirks.shortIds) return strictCallId(id)
  if (/^[A-Za-z0-9]{9}$/.test(id)) return id
  return fingerprint(id).slice(0, 9)
}
