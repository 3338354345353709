// Reasoning efforts (`low`, `high` and others) that a provider's model accepts, from the tables of
// its wire format.
import type { Effort } from './model.ts'
import { providers } from './providers.ts'
import { thinkingEfforts } from './wire/messages-thinking.ts'

/**
 * Returns the efforts from least to most; empty for an unknown provider and for a model without this setting.
 */
export function acceptedEfforts(provider: string, model: string): readonly Effort[] {
  const knownProvider = providers.find(({ id }) => id === provider)
  if (knownProvider?.apiFormat === 'messages') return thinkingEfforts(model)
  return knownProvider?.quirks.efforts?.find(([form]) => form.test(model))?.[1] ?? []
}
