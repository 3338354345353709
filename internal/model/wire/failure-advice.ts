// What helps against a refusal: the name that was meant, the provider of a key, the address to look at.
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { timeLimit } from '../../base/time-limit.ts'
import { describeUrl } from '../endpoint/endpoint-url.ts'
import type { ModelFailure } from '../model.ts'
import { knownModels } from '../prices.ts'
import { getJson } from './endpoint-client.ts'
import { HttpStatusError } from './endpoint-failure.ts'
import { redactLine } from './key-redaction.ts'
import type { ModelEndpoint } from './model-endpoint.ts'

/** A hint is worth this many milliseconds of waiting, not more. */
const patience = 3000

/** The same failure, with the next step in its message where there is one. */
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

/** How keys begin, the longest beginning first. */
const keyForms: readonly [RegExp, string][] = [
  [/^sk-ant-/, 'anthropic'],
  [/^sk-or-/, 'openrouter'],
  [/^sk-(?:proj|svcacct|admin)-/, 'openai'],
  [/^gsk_/, 'groq'],
  [/^xai-/, 'xai'],
  [/^AIza/, 'gemini'],
  [/^csk-/, 'cerebras'],
]

function adviseOnKey({ keys, provider }: ModelEndpoint): string {
  const owner = keyForms.find(([form]) => keys.some((key) => form.test(key)))?.[1]
  return owner === undefined || owner === provider ? '' : `the key of ${provider} looks like one of ${owner}`
}

/** The models that an endpoint lists come first; one that lists none may be known by its provider. */
async function adviseOnMissing(
  failure: ModelFailure,
  endpoint: ModelEndpoint,
  signal: AbortSignal,
): Promise<string> {
  const { model, provider } = endpoint
  const listed = await listModels(endpoint, signal)
  // a name that is on the list was not what the endpoint missed
  if (listed.names.includes(model)) return ''
  const known = knownModels(provider)
  const near = suggestNames(model, listed.names) || (known.includes(model) ? '' : suggestNames(model, known))
  if (near !== '') return near
  const saysModel = /model/i.test(failure.message)
  const setting = `is providers.${provider}.baseUrl right?`
  return listed.isMissing && !saysModel
    ? `${describeUrl(endpoint.endpoint.baseUrl)} serves no models; ${setting}`
    : ''
}

/** Where no list comes in time there are no names; `isMissing`: the address knows of no list. */
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
