// The prices and windows of known models, from the catalog and a table of additions, and the cost of a
// request. An unknown price is never treated as free.
import type { EnvironmentVariables } from '../base/environment.ts'
import { findCatalogModel, readModelCatalog } from './catalog/model-catalog.ts'
import type { TokenUsage } from './model.ts'
import type { ModelPrice } from './model-price.ts'

interface KnownModel {
  price: ModelPrice
  window: number
}

/**
 * Price and window of a model that Anode sets itself, because the catalog has no such model or a window that
 * is too large.
 */
type OwnRow = [model: string, window: number, price?: ModelPrice]

const ownRows: Readonly<Record<string, readonly OwnRow[]>> = {
  // These windows are smaller than the published ones, because the response takes a part that no
  // prompt can use.
  openai: [
    ['gpt-5.5', 922_000],
    ['gpt-5.4', 922_000],
    ['gpt-5.4-mini', 272_000],
    ['gpt-5.4-nano', 272_000],
    ['gpt-5.3-codex', 272_000],
    ['gpt-5.2', 272_000],
    ['gpt-5.1', 272_000],
    ['gpt-5', 272_000],
    ['gpt-5-mini', 272_000],
  ],
  zai: [
    ['glm-5.1', 200_000, { input: 1.4, output: 4.4, cached: 0.26 }],
    ['glm-4.7', 204_800, { input: 0.6, output: 2.2, cached: 0.11 }],
    ['glm-4.5-air', 131_072, { input: 0.2, output: 1.1, cached: 0.03 }],
  ],
  gemini: [
    ['gemini-3.1-pro-preview', 1_048_576],
    ['gemini-2.5-pro', 1_048_576],
  ],
  mistral: [
    ['devstral', 262_144, { input: 0.4, output: 2 }],
    ['codestral', 256_000, { input: 0.3, output: 0.9 }],
    ['mistral-large', 262_144],
  ],
}

/** Window in tokens for a model with a known price and an unknown window. */
const usualWindow = 128_000

/**
 * Returns price and window of a model; undefined if its price is unknown. A dated or `-latest` name that the
 * catalog does not list counts as the model without the suffix.
 */
export function knownModel(
  provider: string,
  model: string,
  env?: EnvironmentVariables,
): KnownModel | undefined {
  const name = model.replace(/-(latest|\d{4}-?\d{2}-?\d{2}|\d{4})$/, '')
  const catalog = readModelCatalog(env)
  const row = findCatalogModel(catalog, provider, model) ?? findCatalogModel(catalog, provider, name)
  const [, window, ownPrice] =
    ownRows[provider]?.find(
      ([rowModel]) => rowModel === model || rowModel === name || rowModel === row?.id,
    ) ?? []
  const price = row?.price ?? ownPrice
  return price && { price, window: window ?? row?.window ?? usualWindow }
}

/** Returns the names of a provider's models with a known price, sorted. */
export function knownModels(provider: string, env?: EnvironmentVariables): string[] {
  const rows = readModelCatalog(env).providers[provider] ?? []
  const pricedRows = (ownRows[provider] ?? []).filter(([, , price]) => price)
  return [...new Set([...rows.map(({ id }) => id), ...pricedRows.map(([id]) => id)])].sort()
}

/**
 * Returns the highest prices of input and output tokens that a request can have, to reserve money before it
 * is sent. They are the prices for a long context, if those are higher; cache prices do not count. Empty if
 * the price is unknown.
 */
export function ratesOf(price: ModelPrice | undefined): { rates?: { input: number; output: number } } {
  if (!price) return {}
  const { input, output, above: longContext } = price
  return {
    rates: {
      input: Math.max(input, longContext?.input ?? 0),
      output: Math.max(output, longContext?.output ?? 0),
    },
  }
}

/**
 * Returns the US dollars of a request, or null if the price is unknown. Tokens read from a cache and written
 * to it are part of `input`.
 */
export function computeCost(
  usage: Pick<TokenUsage, 'input' | 'output' | 'cached' | 'cacheWrite' | 'cacheWrite1h'>,
  price: ModelPrice | undefined,
): number | null {
  if (!price) return null
  const rate = price.above && usage.input > price.above.tokens ? price.above : price
  const read = Math.min(usage.cached ?? 0, usage.input)
  const written = Math.min(usage.cacheWrite ?? 0, usage.input - read)
  const forHour = Math.min(usage.cacheWrite1h ?? 0, written)
  const fresh = usage.input - read - written
  const cacheWrite = rate.cacheWrite ?? rate.input
  const sum =
    fresh * rate.input +
    read * (rate.cached ?? rate.input) +
    (written - forHour) * cacheWrite +
    forHour * (rate.cacheWrite1h ?? cacheWrite) +
    usage.output * rate.output
  return sum / 1_000_000
}
