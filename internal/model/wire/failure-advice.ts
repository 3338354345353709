// Advice for a refused request: the intended name, the provider of a key, the URL to check.
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { timeLimit } from '../../base/time-limit.ts'
import { describeUrl } from '../endpoint/endpoint-url.ts'
import type { ModelFailure } from '../model.ts'
import { knownModels } from '../prices.ts'
import { getJson } from './endpoint-client.ts'
import { HttpStatusError } from './endpoint-failure.ts'
import { redactLine } from './key-redaction.ts'
import type { ModelEndpoint } from './model-endpoint.ts'

/** Longest wait for advice, in milliseconds. */
const patience = 3000

/**
 * Returns the failure with the next step added to its message; unchanged if none is known. Only failures of
 * the kinds `not_found` and `auth` have advice.
 */
export async function adviseOn(
  failure: ModelFailure,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<ModelFailure> {
  const advice =
    failure.kind === 'not_found' && !signal.aborted
      ? await adviseOnMissing(failure, endpoint, signal)
      : failure.kind === 'auth'
        ? adviseOnKey(endpoint)
        : ''
  if (advice === '') return failure
  return { ...failure, message: `${failure.message} (${redactLine(advice, endpoint.keys)})` }
}

/**
 * Prefixes of API keys with their providers. A longer prefix precedes a shorter one with the same beginning.
 */
const keyForms: readonly [RegExp, string][] = [
  [/^sk-ant-/, 'anthropic'],
  [/^sk-or-/, 'openrouter'],
  [/^sk-(?:proj|svcacct|admin)-/, 'openai'],
  [/^gsk_/, 'groq'],
  [/^xai-/, 'xai'],
  [/^AIza/, 'gemini'],
  [/^csk-/, 'cerebras'],
]

/**
 * Returns how to store another key, after the name of the provider to which the refused key seems to belong,
 * if that is another one.
 */
function adviseOnKey({ keys, provider, newKey }: ModelEndpoint): string {
  const owner = keyForms.find(([form]) => keys.some((key) => form.test(key)))?.[1]
  const isOther = owner !== undefined && owner !== provider
  const form = isOther ? [`the key of ${provider} looks like one of ${owner}`] : []
  return [...form, newKey ?? `store another key: anode login ${provider}`].join('; ')
}

/**
 * Returns advice on an unknown model: a similar name from the list of the endpoint or from the known models
 * of its provider, or a question about the URL if it lists no models. Empty without any.
 */
async function adviseOnMissing(
  failure: ModelFailure,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<string> {
  const { model, provider } = endpoint
  const listed = await listModels(endpoint, signal)
  // The endpoint lists the model, so it did not refuse the request because of the name.
  if (listed.names.includes(model)) return ''
  const knownNames = knownModels(provider)
  const near =
    suggestNames(model, listed.names) || (knownNames.includes(model) ? '' : suggestNames(model, knownNames))
  if (near !== '') return near
  const saysModel = /model/i.test(failure.message)
  const setting = `is providers.${provider}.baseUrl right?`
  return listed.isMissing && !saysModel
    ? `${describeUrl(endpoint.endpoint.baseUrl)} serves no models; ${setting}`
    : ''
}

/**
 * Returns the listed models; no names if the request fails or takes more than 3 seconds. `isMissing`: the URL
 * has no list.
 */
async function listModels(
  { endpoint }: ModelEndpoint,
  signal: AbortSignal,
): Promise<{ names: string[]; isMissing: boolean }> {
  const limit = AbortSignal.any([signal, timeLimit(patience)])
  try {
    return { names: namesIn(await getJson(endpoint, '/models', limit)), isMissing: false }
  } catch (error) {
    const isMissing =
      error instanceof SyntaxError || (error instanceof HttpStatusError && error.status === 404)
    return { names: [], isMissing }
  }
}

function namesIn(list: unknown): string[] {
  const data = (list as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return []
  return data.flatMap((entry: { id?: unknown } | null) => (typeof entry?.id === 'string' ? [entry.id] : []))
}
