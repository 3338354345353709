// The thinking settings of a model with the Messages API: adaptive if it supports that, else with a budget.
import { nearestEffort } from '../effort.ts'
import type { Effort } from '../model.ts'

/** Tokens of reasoning by effort, for models with a budget. The API requires at least 1,024. */
const budgets: Readonly<Partial<Record<Effort, number>>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
  xhigh: 24_576,
  max: 30_000,
}

const adaptiveEfforts: readonly Effort[] = ['low', 'medium', 'high', 'xhigh', 'max']

/**
 * Matches the version in the name of a Claude model:
 * `claude-sonnet-5`, `claude-haiku-4-5-20251001`, `us.anthropic.claude-opus-4-8`.
 */
const named = /claude-(?:[a-z]+-)?(\d{1,2})(?:[-.](\d{1,2})(?!\d))?/

/** Returns the version of a Claude model as one number, 4.6 as 406; undefined for other models. */
export function claudeVersion(model: string): number | undefined {
  const match = named.exec(model)
  return match ? Number(match[1]) * 100 + Number(match[2] ?? 0) : undefined
}

/**
 * Returns the fields of a request that set the effort. Empty without an effort and for models that are
 * unknown or do not reason. Empty also for models with a budget if the effort is `none` or `minimal` or no
 * budget fits. `maxTokens` limits reasoning and response together.
 */
export function thinkingFields(
  effort: Effort | undefined,
  model: string,
  maxTokens: number,
): Record<string, unknown> {
  const version = claudeVersion(model)
  if (effort === undefined || version === undefined || version < 307) return {}
  const isOff = effort === 'none' || effort === 'minimal'
  if (version >= 406) {
    if (effort === 'none') return { thinking: { type: 'disabled' } }
    const level = nearestEffort(effort, adaptiveEfforts)
    return { thinking: { type: 'adaptive' }, output_config: { effort: level } }
  }
  if (isOff) return {}
  // At least 1,024 of `maxTokens` stay for the response.
  const budget = Math.min(budgets[effort] ?? 0, maxTokens - 1_024)
  return budget < 1_024 ? {} : { thinking: { type: 'enabled', budget_tokens: budget } }
}

/** Returns the efforts that a model supports; empty for a model that does not reason or is unknown. */
export function thinkingEfforts(model: string): readonly Effort[] {
  const version = claudeVersion(model) ?? 0
  if (version >= 406) return ['none', ...adaptiveEfforts]
  return version >= 307 ? adaptiveEfforts : []
}

/** Returns the header that some models need to reason between calls; empty for other models. */
export function thinkingHeaders(model: string): Record<string, string> {
  const version = claudeVersion(model) ?? 0
  return version >= 400 && version < 406 ? { 'anthropic-beta': 'interleaved-thinking-2025-05-14' } : {}
}
