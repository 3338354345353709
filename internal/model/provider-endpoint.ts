// The endpoint of `provider/model`: URL, key, limits and prices, or the error that the user has to fix.
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { isLocalAddress } from '../base/local-address.ts'
import { findNearest, suggestNames } from '../base/text/name-suggestion.ts'
import { encodeCredentials, hideUrlSecrets } from '../base/url-credentials.ts'
import { changePath, secretsInUrl } from './endpoint/endpoint-url.ts'
import { knownModel, knownModels } from './prices.ts'
import { type ApiFormat, type ModelProvider, type ProviderSettings, priceOf, providers } from './providers.ts'
import type { ModelEndpoint } from './wire/model-endpoint.ts'

export type ProviderSettingsTable = Readonly<Record<string, ProviderSettings>>

/**
 * Assumed window in tokens if neither the configuration nor, at the provider's usual URL, the
 * catalog contains one.
 */
const usualWindow = 128_000

/** Default number of milliseconds without a byte from the server after which a response counts as stalled. */
export const usualIdleMs = 90_000

/** Returns the wire format of a provider: the configured one, else that of a known provider, else `chat`. */
export function apiFormatOf(id: string, settings: ProviderSettings | undefined): ApiFormat {
  return settings?.apiFormat ?? providerOf(id).apiFormat ?? 'chat'
}

/** Returns every name of a provider that may precede the slash in `provider/model`. */
export function providerNames(settings: ProviderSettingsTable): string[] {
  return [...new Set([...providers.map(({ id }) => id), ...Object.keys(settings)])]
}

/**
 * Returns the usable providers, configured ones first: those with a key, or with a URL that the user has set.
 * A server that needs no key counts only with a URL or a key in the configuration; otherwise it must be
 * chosen by name. Settings that refer to a missing environment variable do not count.
 */
export function listUsableProviders(env: EnvironmentVariables, settings: ProviderSettingsTable): string[] {
  const set = (id: string) => {
    const providerSettings = settings[id]
    return (
      Boolean(providerSettings?.apiKey || providerSettings?.baseUrl) &&
      unsetVariable(providerSettings) === undefined
    )
  }
  const names = providerNames(settings)
  const envProviders = names.filter((id) => {
    const { keys, baseUrlVars = [] } = providerOf(id)
    return !set(id) && keys.length > 0 && [...keys, ...baseUrlVars].some((name) => env[name])
  })
  return [...names.filter(set), ...envProviders]
}

/**
 * Returns the first environment variable that the settings refer to as `{env:NAME}` and that has no value.
 */
function unsetVariable(settings: ProviderSettings | undefined): string | undefined {
  return /\{env:([A-Za-z_][A-Za-z0-9_]*)\}/.exec(JSON.stringify(settings ?? {}))?.[1]
}

const providerOf = (id: string): ModelProvider =>
  providers.find((provider) => provider.id === id) ?? { id, baseUrl: '', keys: [], model: '', quirks: {} }

function keyOf(
  provider: ModelProvider,
  env: EnvironmentVariables,
  settings: ProviderSettings | undefined,
): string | undefined {
  return settings?.apiKey || provider.keys.map((name) => env[name]).find(Boolean) || undefined
}

/** Returns true if the user has set another URL for the provider, in the configuration or in a variable. */
function hasOwnUrl(
  provider: ModelProvider,
  env: EnvironmentVariables,
  settings: ProviderSettings | undefined,
): boolean {
  return Boolean(settings?.baseUrl) || (provider.baseUrlVars ?? []).some((name) => env[name])
}

/**
 * Returns the API keys in the environment variables of known providers and in the configuration, and the
 * values of configured headers that may contain one, so that they can be removed from texts.
 */
export function allKeys(env: EnvironmentVariables, settings: ProviderSettingsTable): string[] {
  const named = providers.flatMap(({ keys }) => keys.map((name) => env[name]))
  const configuredKeys = Object.values(settings).flatMap((provider) => [
    provider.apiKey,
    ...Object.entries(provider.headers ?? {})
      .filter(([name]) => /auth|key|token|cookie/i.test(name))
      .map(([, value]) => value),
  ])
  return [...new Set([...named, ...configuredKeys])].filter((key): key is string => Boolean(key))
}

/**
 * Returns the endpoint of `provider` (with its default model) or `provider/model`. Throws UserError for an
 * unknown provider, a model outside of the configured `models`, a missing model, key, variable or URL, and
 * an invalid URL.
 */
export function findEndpoint(
  name: string,
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): ModelEndpoint {
  const slash = name.indexOf('/')
  const id = slash < 0 ? name : name.slice(0, slash)
  const names = providerNames(settings)
  if (!names.includes(id)) throw unknownProvider(name, id, slash < 0, names)
  const provider = providerOf(id)
  const providerSettings = settings[id] ?? {}
  const unset = unsetVariable(providerSettings)
  if (unset !== undefined) {
    throw new UserError(`${id} needs the environment variable ${unset}, which is not set`, {
      hint: `providers.${id} in the configuration refers to it: set it, or take the reference out.`,
    })
  }
  const model = (slash < 0 ? '' : name.slice(slash + 1)) || providerSettings.model || provider.model
  if (!model) {
    throw new UserError(`${id} has no default model`, {
      hint: `Write --model ${id}/MODEL, or set one: anode config set providers.${id}.model MODEL`,
    })
  }
  if (providerSettings.models && !providerSettings.models.includes(model))
    throw unknownModel(id, model, providerSettings.models)
  const baseUrl = addressOf(provider, env, providerSettings)
  const key = keyOf(provider, env, providerSettings)
  const elsewhere = hasOwnUrl(provider, env, providerSettings)
  if (key === undefined && provider.keys.length > 0 && !elsewhere) throw noKey(provider)
  // A known model name at a URL that the user has set may be another model with another price.
  const catalogModel = elsewhere ? undefined : knownModel(id, model, env)
  return {
    id: `${id}/${model}`,
    provider: id,
    model,
    endpoint: {
      baseUrl,
      key,
      headers: providerSettings.headers ?? {},
      ...timeoutsOf(baseUrl, providerSettings),
      maxConcurrent: providerSettings.maxConcurrent,
    },
    quirks: provider.quirks,
    window: providerSettings.window ?? catalogModel?.window ?? usualWindow,
    isWindowGuessed: (providerSettings.window ?? catalogModel?.window) === undefined ? true : undefined,
    takesDocuments: providerSettings.documents ?? provider.quirks.documents?.test(model) ?? false,
    isFinishOptional: providerSettings.finishReason === 'optional' ? true : undefined,
    cache: providerSettings.cache,
    price: priceOf(providerSettings) ?? catalogModel?.price,
    keys: [...allKeys(env, settings), ...secretsInUrl(baseUrl)],
    newKey: providerSettings.apiKey || provider.keys.length === 0 ? describeNewKey(provider) : undefined,
  }
}

/** Returns how to replace a key of the configuration, which takes precedence over a stored key. */
function describeNewKey({ id, keys }: ModelProvider): string {
  const set = `set another key: anode config set providers.${id}.apiKey KEY`
  return keys.length > 0
    ? `${set}, or remove it there and run anode login ${id}`
    : `${set}; anode login stores the keys of known providers`
}

/**
 * Default limit in milliseconds of the wait for the first byte of a local server, which may read a long
 * prompt or process queued requests first.
 */
const localFirstByteMs = 30 * 60_000

function timeoutsOf(baseUrl: string, { timeouts }: ProviderSettings) {
  const idleMs = timeouts?.idle ?? usualIdleMs
  // If a user sets only `idle` for a local server, that limit also applies to the wait for the first byte.
  const usual = timeouts?.idle === undefined && isLocalAddress(baseUrl) ? localFirstByteMs : undefined
  return { idleMs, firstByteMs: timeouts?.firstByte ?? usual }
}

function addressOf(provider: ModelProvider, env: EnvironmentVariables, settings: ProviderSettings): string {
  const variable = provider.baseUrlVars?.find((name) => env[name])
  const address = settings.baseUrl || (variable && env[variable])
  const source = settings.baseUrl ? `providers.${provider.id}.baseUrl` : variable
  if (!address) {
    if (provider.baseUrl) return provider.baseUrl
    throw new UserError(`${provider.id} has no URL`, {
      hint: `anode config set providers.${provider.id}.baseUrl https://host/v1`,
    })
  }
  // OLLAMA_HOST is often only a host and a port, and may be the address 0.0.0.0, to which
  // clients cannot connect.
  const text = /^[a-z]+:\/\//i.test(address) ? address : `http://${address}`
  let url: URL
  try {
    url = new URL(text.replace('//0.0.0.0', '//127.0.0.1'))
  } catch (cause) {
    throw new UserError(`${source} is not a valid URL: ${hideUrlSecrets(address)}`, {
      hint: 'Write it like https://host/v1.',
      cause,
    })
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new UserError(`${source} must begin with http:// or https://`, {
      hint: `It is ${hideUrlSecrets(address)}.`,
    })
  }
  encodeCredentials(url)
  if (variable === 'OLLAMA_HOST' && url.pathname === '/') url.pathname = '/v1'
  return changePath(url.href, (path) => path)
}

function unknownProvider(name: string, id: string, bare: boolean, names: readonly string[]): UserError {
  // users often write the model alone, so the hint names its provider
  const home = bare && providers.find((provider) => knownModels(provider.id).includes(name))
  const guess = home ? `did you mean ${home.id}/${name}?` : suggestNames(id, [...names, 'builtin/extract'])
  const more = 'builtin/extract, script:FILE, record:FILE,MODEL, replay:FILE'
  const hint = `Providers: ${names.join(', ')}; also ${more}.`
  return new UserError(`unknown model ${name}${guess ? `, ${guess}` : ''}`, { hint })
}

function unknownModel(id: string, model: string, modelNames: readonly string[]): UserError {
  const near = findNearest(model, modelNames)
  const list = near.length > 0 ? near : modelNames
  return new UserError(`${id} has no model ${model} in the configuration`, {
    hint: `Models: ${list.map((name) => `${id}/${name}`).join(', ')}.`,
  })
}

function noKey(provider: ModelProvider): UserError {
  const [first, ...others] = provider.keys
  const also = others.length > 0 ? ` (or ${others.join(', ')})` : ''
  return new UserError(`${provider.id} needs a key and ${first} is not set`, {
    hint: `run anode login ${provider.id}, or set ${first}${also}`,
  })
}
