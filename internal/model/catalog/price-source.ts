// The conversion of the data of genai-prices (MIT), a maintained list of models and prices, into Anode's
// catalog of models.
import { countOf, isObject, type JsonObject, listOf, objectOf, stringOf } from '../../base/untrusted-json.ts'
import type { ModelPrice } from '../model-price.ts'
import type { CatalogModel, ModelCatalog } from './catalog-model.ts'
import { readNameMatch } from './name-match.ts'

/** Names of providers in genai-prices, by Anode's name for the provider. */
const sources: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  zai: 'zai',
  gemini: 'google',
  groq: 'groq',
  deepseek: 'deepseek',
  mistral: 'mistral',
  fireworks: 'fireworks',
  xai: 'x-ai',
  openrouter: 'openrouter',
  together: 'together',
  cerebras: 'cerebras',
}

export const sourceProviders: readonly string[] = Object.values(sources)

/**
 * Converts `data`, a list of providers in the format of genai-prices, into the catalog. `date` is the day of
 * the data and selects among several prices. Omits models that are deprecated, that are not for chat with
 * tools, or that have no prices for text or no usable name pattern.
 */
export function convertPriceData(data: unknown, date: string): ModelCatalog {
  const byId = new Map(
    listOf(data).flatMap((provider) =>
      isObject(provider) ? [[stringOf(provider.id), provider] as const] : [],
    ),
  )
  const providers: Record<string, CatalogModel[]> = {}
  for (const [id, source] of Object.entries(sources)) {
    const models = listOf(byId.get(source)?.models).flatMap((model) => readModel(objectOf(model) ?? {}, date))
    if (models.length > 0) providers[id] = models
  }
  return { date, providers }
}

/** Matches ids of models that are not chat models, and of models without tool calls. */
const otherKinds = new RegExp(
  [
    'embed|whisper|tts|transcri|audio|realtime|image|moderation|ocr|rerank|vision|computer-use',
    'davinci|curie|babbage|^ada$|^ft:|instruct$',
  ].join('|'),
  'i',
)

function readModel(model: JsonObject, date: string): CatalogModel[] {
  const id = stringOf(model.id)
  const match = readNameMatch(model.match)
  const price = readPrice(pricesOn(model.prices, date))
  if (id === '' || !match || !price || model.deprecated === true || otherKinds.test(id)) return []
  const window = countOf(model.context_window)
  return [{ id, match, price, window }]
}

/**
 * Returns the prices that are valid on `date` and not only for certain hours: of several, those with the
 * latest start; without any, the first prices of the list.
 */
function pricesOn(prices: unknown, date: string): JsonObject {
  if (!Array.isArray(prices)) return objectOf(prices) ?? {}
  const rows = listOf(prices).map((row) => objectOf(row) ?? {})
  const start = (row: JsonObject) => stringOf(objectOf(row.constraint)?.start_date)
  const valid = rows.filter(
    (row) => stringOf(objectOf(row.constraint)?.type) !== 'time_of_date' && start(row) <= date,
  )
  valid.sort((a, b) => (start(a) < start(b) ? -1 : start(a) > start(b) ? 1 : 0))
  return objectOf((valid.at(-1) ?? rows[0])?.prices) ?? {}
}

const fields = {
  input: 'input_mtok',
  output: 'output_mtok',
  cached: 'cache_read_mtok',
  cacheWrite: 'cache_write_mtok',
  cacheWrite1h: 'cache_write_1h_mtok',
} as const

/**
 * Returns the prices in US dollars for a million tokens; undefined if the price of input or of output is
 * missing. If prices rise with the length of the request, only the first such step is used.
 */
function readPrice(prices: JsonObject): ModelPrice | undefined {
  const base = readRates(prices, undefined)
  if (!base) return undefined
  const steps = Object.values(fields).flatMap((name) => tiersOf(prices[name]).map(({ start }) => start))
  if (steps.length === 0) return base
  const tokens = Math.min(...steps)
  const long = readRates(prices, tokens)
  return long ? { ...base, above: { tokens, ...long } } : base
}

function readRates(prices: JsonObject, tokens: number | undefined): ModelPrice | undefined {
  const rateByName: Partial<Record<keyof typeof fields, number>> = {}
  for (const [name, source] of Object.entries(fields) as [keyof typeof fields, string][]) {
    const value = rateOf(prices[source], tokens)
    if (value !== undefined) rateByName[name] = value
  }
  const { input, output } = rateByName
  return input === undefined || output === undefined ? undefined : { ...rateByName, input, output }
}

function rateOf(value: unknown, tokens: number | undefined): number | undefined {
  const base = countOf(value) ?? countOf(objectOf(value)?.base)
  if (tokens === undefined) return base
  return tiersOf(value).findLast(({ start }) => start <= tokens)?.price ?? base
}

function tiersOf(value: unknown): { start: number; price: number }[] {
  return listOf(objectOf(value)?.tiers).flatMap((tier) => {
    const { start, price } = objectOf(tier) ?? {}
    const from = countOf(start)
    const rate = countOf(price)
    return from === undefined || rate === undefined ? [] : [{ start: from, price: rate }]
  })
}
