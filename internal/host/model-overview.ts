// What is known of each model provider here, without asking any: key, address, model, and which one would be used.
import { messageOf } from '../base/errors.ts'
import { findEndpoint, providerNames, registered, type Settings } from '../model/endpoint.ts'
import { providers } from '../model/providers.ts'
import { readStoredKeys, withStoredKeys } from '../model/stored-keys.ts'
import type { Surroundings } from './surroundings.ts'

export interface ProviderOverview {
  provider: string
  /** Where its key comes from; `none needed`; undefined when it lacks one. */
  key: string | undefined
  model: string
  address: string
  /** What has to be done before it can be used; undefined when nothing has. */
  missing: string | undefined
}

export interface ModelOverview {
  providers: ProviderOverview[]
  /** What a run without `--model` asks, and what says so. */
  chosen: { model: string; address: string; because: string } | undefined
  /** Why what was chosen cannot be used. */
  problem: string | undefined
}

/** Sends nothing. */
export function modelOverview({ env: given, loaded }: Pick<Surroundings, 'env' | 'loaded'>): ModelOverview {
  const env = withStoredKeys(given)
  const settings = (loaded.config.providers ?? {}) as Settings
  const rows = providerNames(settings).map((name) => describe(name, given, env, settings))
  const [first] = registered(env, settings)
  const spec = loaded.config.model ?? first
  if (spec === undefined) return { providers: rows, chosen: undefined, problem: undefined }
  const because = loaded.config.model
    ? `model in ${loaded.origins.get('model') ?? 'the configuration'}`
    : (rows.find(({ provider }) => provider === first)?.key ?? 'the configuration')
  if (/^(?:builtin\/|script:|record:|replay:)/.test(spec))
    return { providers: rows, chosen: { model: spec, address: '', because }, problem: undefined }
  try {
    const { id, endpoint } = findEndpoint(spec, env, settings)
    return { providers: rows, chosen: { model: id, address: endpoint.baseUrl, because }, problem: undefined }
  } catch (error) {
    return { providers: rows, chosen: { model: spec, address: '', because }, problem: messageOf(error) }
  }
}

function describe(
  name: string,
  given: Surroundings['env'],
  env: Surroundings['env'],
  settings: Settings,
): ProviderOverview {
  const known = providers.find(({ id }) => id === name)
  const variable = known?.keys.find((key) => given[key])
  const stored = readStoredKeys(given)[name] !== undefined
  const key = settings[name]?.apiKey
    ? 'configuration'
    : (variable ?? (stored ? 'anode login' : known?.keys.length ? undefined : 'none needed'))
  const row = { provider: name, key, model: settings[name]?.model ?? known?.model ?? '' }
  try {
    const { model, endpoint } = findEndpoint(`${name}/${row.model || 'MODEL'}`, env, settings)
    return { ...row, model: row.model || model, address: endpoint.baseUrl, missing: undefined }
  } catch (error) {
    const address = settings[name]?.baseUrl ?? known?.baseUrl ?? ''
    return { ...row, address, missing: messageOf(error) }
  }
}

/** The variables whose keys `anode login` need not ask for, by provider. */
export const keyVariables = (provider: string): readonly string[] =>
  providers.find(({ id }) => id === provider)?.keys ?? []
