// What known models cost and hold, as published on the date below. What is not here is unknown, never free.
import type { TokenUsage } from './model.ts'

/** The day these figures were true. The configuration can replace any of them. */
export const pricesDate = '2026-07-02'

/**
 * US dollars for a million tokens. `above` replaces the prices for requests with more input than `tokens`.
 */
export interface ModelPrice {
  input: number
  output: number
  cached?: number
  /** For what is written to the provider's cache, kept for minutes, and for an hour; else as `input`. */
  cacheWrite?: number
  cacheWrite1h?: number
  above?: Omit<ModelPrice, 'above'> & { tokens: number }
}

interface KnownModel {
  price: ModelPrice
  window: number
}

/** `window` is what a request may hold, where the provider says that apart from what a reply may add. */
type Row = [
  model: string,
  window: number,
  input: number,
  output: number,
  cached?: number,
  above?: ModelPrice['above'],
]

const long = (tokens: number, input: number, output: number, cached: number) => ({
  tokens,
  input,
  output,
  cached,
})

const rows: Readonly<Record<string, readonly Row[]>> = {
  anthropic: [
    ['claude-sonnet-5', 1_000_000, 2, 10, 0.2],
    ['claude-sonnet-4-6', 1_000_000, 3, 15, 0.3],
    ['claude-opus-4-8', 1_000_000, 5, 25, 0.5],
    ['claude-haiku-4-5', 200_000, 1, 5, 0.1],
  ],
  openai: [
    ['gpt-5.5', 922_000, 5, 30, 0.5, long(272_000, 10, 45, 1)],
    ['gpt-5.4', 922_000, 2.5, 15, 0.25, long(272_000, 5, 22.5, 0.5)],
    ['gpt-5.4-mini', 272_000, 0.75, 4.5, 0.075],
    ['gpt-5.4-nano', 272_000, 0.2, 1.25, 0.02],
    ['gpt-5.3-codex', 272_000, 1.75, 14, 0.175],
    ['gpt-5.2', 272_000, 1.75, 14, 0.175],
    ['gpt-5.1', 272_000, 1.25, 10, 0.125],
    ['gpt-5', 272_000, 1.25, 10, 0.125],
    ['gpt-5-mini', 272_000, 0.25, 2, 0.025],
    ['gpt-4.1', 1_047_576, 2, 8, 0.5],
    ['gpt-4.1-mini', 1_047_576, 0.4, 1.6, 0.1],
    ['gpt-4o', 128_000, 2.5, 10, 1.25],
    ['gpt-4o-mini', 128_000, 0.15, 0.6, 0.075],
    ['o3', 200_000, 2, 8, 0.5],
    ['o4-mini', 200_000, 1.1, 4.4, 0.275],
  ],
  zai: [
    ['glm-5.2', 1_000_000, 1.4, 4.4, 0.26],
    ['glm-5.1', 200_000, 1.4, 4.4, 0.26],
    ['glm-4.7', 204_800, 0.6, 2.2, 0.11],
    ['glm-4.5-air', 131_072, 0.2, 1.1, 0.03],
  ],
  gemini: [
    ['gemini-3.5-flash', 1_048_576, 1.5, 9, 0.15],
    ['gemini-3.1-pro-preview', 1_048_576, 2, 12, 0.2, long(200_000, 4, 18, 0.4)],
    ['gemini-2.5-pro', 1_048_576, 1.25, 10, 0.125, long(200_000, 2.5, 15, 0.25)],
    ['gemini-2.5-flash', 1_048_576, 0.3, 2.5, 0.03],
  ],
  deepseek: [
    ['deepseek-v4-pro', 1_000_000, 0.435, 0.87, 0.003625],
    ['deepseek-v4-flash', 1_000_000, 0.14, 0.28, 0.0028],
    ['deepseek-chat', 1_000_000, 0.14, 0.28, 0.0028],
  ],
  mistral: [
    ['devstral', 262_144, 0.4, 2],
    ['mistral-large', 262_144, 0.5, 1.5],
    ['codestral', 256_000, 0.3, 0.9],
  ],
  xai: [['grok-4.3', 1_000_000, 1.25, 2.5, 0.2, long(200_000, 2.5, 5, 0.4)]],
  cerebras: [['gpt-oss-120b', 131_072, 0.35, 0.75]],
}

/** The row of a model; a dated or `-latest` name counts as the model it dates. */
export function knownModel(provider: string, model: string): KnownModel | undefined {
  const name = model.replace(/-(latest|\d{4}-?\d{2}-?\d{2}|\d{4})$/, '')
  const row = rows[provider]?.find(([known]) => known === model || known === name)
  if (!row) return undefined
  const [, window, input, output, cached, longContext] = row
  const price: ModelPrice = { input, output }
  if (cached !== undefined) price.cached = cached
  if (provider === 'anthropic') {
    // the provider's multiples of the input price, the same for all its models
    price.cacheWrite = input * 1.25
    price.cacheWrite1h = input * 2
  }
  if (longContext !== undefined) price.above = longContext
  return { price, window }
}

/** Names of the models of a provider that have a row. */
export const knownModels = (provider: string): string[] => (rows[provider] ?? []).map(([model]) => model)

/** The dearest that a request can be, for holding money back before it is sent. */
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
 * US dollars of a request, or null when the price is unknown. What was read from a cache and written to it is
 * part of `input`.
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
