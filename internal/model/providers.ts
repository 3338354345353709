// The providers that are known by name, as data: their URLs, the variables of their keys,
// and their differences.
import type { Effort } from './model.ts'
import type { ModelPrice } from './model-price.ts'
import type { EndpointQuirks } from './wire/endpoint-quirks.ts'

export interface ModelProvider {
  readonly id: string
  /** Root URL of the API without a slash at the end; empty if only the configuration can set it. */
  readonly baseUrl: string
  /** Environment variables that may contain the key, best first. Empty: no key is needed. */
  readonly keys: readonly string[]
  /** Environment variables that replace `baseUrl`. */
  readonly baseUrlVars?: readonly string[]
  /** Default model; empty if the user has to name one. */
  readonly model: string
  readonly quirks: EndpointQuirks
  /** Wire format unless the configuration sets another. Default: `chat`. */
  readonly apiFormat?: ApiFormat
}

/** Chat Completions, OpenAI's Responses, Anthropic's Messages. */
export type ApiFormat = 'chat' | 'responses' | 'messages'

/** Settings of a provider in the configuration. */
export interface ProviderSettings {
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly model?: string | undefined
  /** Names of the only models that may be used from this provider. Default: any model. */
  readonly models?: readonly string[] | undefined
  readonly apiFormat?: ApiFormat | undefined
  /**
   * Cache time of a prefix; `false` requests no caching. Only for the format `messages` and for models that
   * need cache marks in the format `chat`.
   */
  readonly cache?: '5m' | '1h' | false | undefined
  readonly tools?: 'native' | 'text' | undefined
  /**
   * True if the models of this provider read PDFs as documents. Default: the value in the table of providers.
   */
  readonly documents?: boolean | undefined
  /** `optional`: responses of this endpoint may end without a finish reason. */
  readonly finishReason?: 'required' | 'optional' | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly window?: number | undefined
  readonly timeouts?:
    | { readonly idle?: number | undefined; readonly firstByte?: number | undefined }
    | undefined
  /** Largest number of parallel requests to the provider; further requests wait. */
  readonly maxConcurrent?: number | undefined
  readonly price?:
    | {
        input: number
        output: number
        cached?: number | undefined
        cacheWrite?: number | undefined
        cacheWrite1h?: number | undefined
      }
    | undefined
}

const low: readonly Effort[] = ['low', 'medium', 'high']

const glmQuirks: EndpointQuirks = {
  thinking: true,
  efforts: [[/^glm-5\.2/, ['high', 'max']]],
  returnReasoning: true,
  maxTokens: true,
}
const openWeights = [[/gpt-oss/i, low]] as const

/** The providers, in the order in which a key in the environment selects the default. State of mid 2026. */
export const providers: readonly ModelProvider[] = [
  {
    id: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keys: ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN'],
    baseUrlVars: ['ANTHROPIC_BASE_URL'],
    model: 'claude-sonnet-5',
    apiFormat: 'messages',
    quirks: { documents: /^claude-(?!instant|2|3-(?:haiku|opus|sonnet)-2024)/ },
  },
  {
    id: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keys: ['OPENAI_API_KEY'],
    baseUrlVars: ['OPENAI_BASE_URL'],
    model: 'gpt-5.4',
    quirks: {
      cacheKey: true,
      documents: /^(?:gpt-4o|gpt-4\.1|gpt-[5-9]|o1(?!-mini)|o3(?!-mini)|o[4-9])/,
      efforts: [
        [/^gpt-5\.1/, ['none', ...low]],
        [/^gpt-(5\.[2-9]|[6-9])/, ['none', ...low, 'xhigh']],
        [/^gpt-5(?!\.|-chat)/, ['minimal', ...low]],
        [/^o\d/, low],
      ],
    },
  },
  {
    id: 'zai',
    baseUrl: 'https://api.z.ai/api/paas/v4',
    keys: ['ZAI_API_KEY', 'ZHIPU_API_KEY'],
    model: 'glm-5.2',
    quirks: glmQuirks,
  },
  {
    id: 'zai-coding',
    baseUrl: 'https://api.z.ai/api/coding/paas/v4',
    keys: ['ZAI_CODING_API_KEY', 'ZAI_API_KEY', 'ZHIPU_API_KEY'],
    model: 'glm-5.2',
    quirks: glmQuirks,
  },
  {
    id: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
    model: 'gemini-3.5-flash',
    quirks: {
      efforts: [
        [/^gemini-3.*flash/, ['minimal', ...low]],
        [/^gemini-(2\.5|[3-9])/, low],
      ],
      maxTokens: true,
    },
  },
  {
    id: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keys: ['GROQ_API_KEY'],
    model: 'openai/gpt-oss-120b',
    quirks: { efforts: openWeights },
  },
  {
    id: 'deepseek',
    baseUrl: 'https://api.deepseek.com/v1',
    keys: ['DEEPSEEK_API_KEY'],
    model: 'deepseek-v4-pro',
    quirks: {
      thinking: true,
      efforts: [[/^deepseek-v4/, ['high', 'max']]],
      returnReasoning: true,
      maxTokens: true,
    },
  },
  {
    id: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keys: ['MISTRAL_API_KEY'],
    model: 'devstral-latest',
    quirks: { noStreamOptions: true, shortIds: true, maxTokens: true, noUserAfterResults: true },
  },
  {
    id: 'fireworks',
    baseUrl: 'https://api.fireworks.ai/inference/v1',
    keys: ['FIREWORKS_API_KEY'],
    model: 'accounts/fireworks/models/glm-5p2',
    quirks: { efforts: openWeights, maxTokens: true },
  },
  {
    id: 'xai',
    baseUrl: 'https://api.x.ai/v1',
    keys: ['XAI_API_KEY'],
    model: 'grok-4.3',
    quirks: { efforts: [[/^grok-4\.3/, ['none', ...low]]] },
  },
  {
    id: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keys: ['OPENROUTER_API_KEY'],
    model: 'anthropic/claude-sonnet-5',
    quirks: {
      efforts: [[/./, ['minimal', ...low, 'xhigh']]],
      reasoningObject: true,
      cacheControl: /^anthropic\//,
      reportsCost: true,
      maxTokens: true,
    },
  },
  {
    id: 'together',
    baseUrl: 'https://api.together.xyz/v1',
    keys: ['TOGETHER_API_KEY'],
    model: 'zai-org/GLM-5.2',
    quirks: { efforts: openWeights, maxTokens: true },
  },
  {
    id: 'cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    keys: ['CEREBRAS_API_KEY'],
    model: 'gpt-oss-120b',
    quirks: { efforts: openWeights },
  },
  {
    id: 'deepinfra',
    baseUrl: 'https://api.deepinfra.com/v1/openai',
    keys: ['DEEPINFRA_API_KEY', 'DEEPINFRA_TOKEN'],
    model: 'zai-org/GLM-5.2',
    quirks: { efforts: openWeights, maxTokens: true },
  },
  {
    id: 'huggingface',
    baseUrl: 'https://router.huggingface.co/v1',
    keys: ['HF_TOKEN', 'HUGGINGFACE_API_KEY'],
    model: 'openai/gpt-oss-120b',
    quirks: { efforts: openWeights, maxTokens: true },
  },
  {
    id: 'ollama',
    baseUrl: 'http://127.0.0.1:11434/v1',
    keys: [],
    baseUrlVars: ['OLLAMA_BASE_URL', 'OLLAMA_HOST'],
    model: 'gpt-oss:20b',
    quirks: { efforts: openWeights, maxTokens: true },
  },
  // names for the user's own endpoints, whose URLs are in the configuration
  { id: 'openai-compatible', baseUrl: '', keys: ['OPENAI_COMPATIBLE_API_KEY'], model: '', quirks: {} },
  { id: 'custom', baseUrl: '', keys: ['CUSTOM_API_KEY'], model: '', quirks: {} },
]

/** Returns the price that the settings of a provider contain, or undefined. */
export function priceOf(settings: ProviderSettings): ModelPrice | undefined {
  if (!settings.price) return undefined
  const { input, output, ...cache } = settings.price
  return { input, output, ...cache }
}
