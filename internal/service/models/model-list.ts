// List of the models that the user can choose: those of the catalog, of the configuration and
// of local servers.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { acceptedEfforts } from '../../model/accepted-efforts.ts'
import { readModelCatalog } from '../../model/catalog/model-catalog.ts'
import { findLocalServers, type LocalServer } from '../../model/local-servers.ts'
import type { Effort } from '../../model/model.ts'
import type { ModelPrice } from '../../model/model-price.ts'
import { knownModel, knownModels } from '../../model/prices.ts'
import {
  findEndpoint,
  listUsableProviders,
  type ProviderSettingsTable,
  providerNames,
} from '../../model/provider-endpoint.ts'
import { type ProviderSettings, priceOf } from '../../model/providers.ts'
import { withStoredKeys } from '../../model/stored-keys.ts'

export interface ModelRow {
  /** The value for `--model`. */
  id: string
  provider: string
  /** Tokens that a request may contain; null if the number is unknown. */
  window: number | null
  /** US dollars for a million tokens; null if the price is unknown. */
  price: ModelPrice | null
  /**
   * The supported levels of reasoning effort; empty if the model has none, and for models of local servers.
   */
  efforts: readonly Effort[]
  /** Whether its provider can be used with the current configuration. */
  usable: boolean
  /** URL of the local server that has the model. */
  server?: string
}

interface ModelList {
  /** Date on which the prices and context windows were updated. */
  date: string
  models: ModelRow[]
}

/** Returns the model servers that begin to answer on their usual local ports within a fifth of a second. */
export const findServers = (signal: AbortSignal): Promise<LocalServer[]> => findLocalServers(signal)

/**
 * Returns the models of all providers in their order, or of the provider `only`, and last the other models of
 * the local `servers`. Those of the catalog are sorted by name, those of the configuration stay in its order.
 * Sends nothing. Throws UserError if `only` is unknown or no model of it is known.
 */
export function listModels(
  processEnv: EnvironmentVariables,
  settings: ProviderSettingsTable,
  only: string | undefined,
  servers: readonly LocalServer[] = [],
): ModelList {
  const env = withStoredKeys(processEnv)
  const names = providerNames(settings)
  if (only !== undefined && !names.includes(only)) {
    const near = suggestNames(only, names)
    throw new UserError(`unknown provider "${only}"${near ? `, ${near}` : ''}`, {
      hint: `Providers: ${names.join(', ')}.`,
    })
  }
  const usable = new Set(listUsableProviders(env, settings))
  const models = (only === undefined ? names : [only]).flatMap((provider) =>
    listProviderModels(provider, env, settings[provider]).map((row) => ({
      ...row,
      usable: usable.has(provider),
    })),
  )
  const local = listServerModels(servers, env, settings)
  const ids = new Set(models.map(({ id }) => id))
  models.push(
    ...local.filter(({ id, provider }) => !ids.has(id) && (only === undefined || provider === only)),
  )
  if (only !== undefined && models.length === 0) {
    throw new UserError(`no model of ${only} is known`, {
      hint: `Set providers.${only}.models, or run \`anode models check ${only}/MODEL\`.`,
    })
  }
  return { date: readModelCatalog(env).date, models }
}

/**
 * Returns the models of a provider: those that the configuration lists under `models`, otherwise its `model`
 * and the models of the catalog. A context window and price in the configuration apply to all of them.
 */
function listProviderModels(
  provider: string,
  env: EnvironmentVariables,
  settings: ProviderSettings = {},
): Omit<ModelRow, 'usable'>[] {
  const listed = settings.models ?? [
    ...(settings.model === undefined ? [] : [settings.model]),
    ...knownModels(provider, env),
  ]
  return [...new Set(listed)].map((model) => {
    const catalogEntry = knownModel(provider, model, env)
    const window = settings.window ?? catalogEntry?.window ?? null
    const price = priceOf(settings) ?? catalogEntry?.price ?? null
    return { id: `${provider}/${model}`, provider, window, price, efforts: acceptedEfforts(provider, model) }
  })
}

/** Returns the models of local servers. */
export const listServerModels = (
  servers: readonly LocalServer[],
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): ModelRow[] => servers.flatMap((server) => listLocalModels(server, env, settings))

/** Provider name for models of local servers that belong to no configured provider. */
const ownProvider = 'custom'

/**
 * Returns the models of a server under the provider that has the URL of the server. Without such a provider,
 * they belong to `custom`, which the user has to configure first.
 */
function listLocalModels(
  { address, models }: LocalServer,
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): ModelRow[] {
  const leadsHere = (name: string) => addressOf(name, env, settings) === new URL(address).host
  const providerName = ['ollama', ...Object.keys(settings)].find(leadsHere)
  const provider = providerName ?? ownProvider
  return models.map(({ id, window = null }) => {
    const row = { id: `${provider}/${id}`, provider, window, price: null, efforts: [] }
    return { ...row, usable: providerName !== undefined, server: address }
  })
}

/**
 * Returns `HOST:PORT` of a provider, or undefined if the provider cannot be used now. PORT is empty if it is
 * the default port of the scheme.
 */
function addressOf(
  name: string,
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): string | undefined {
  try {
    const { hostname, port } = new URL(
      findEndpoint(`${name}/MODEL`, env, { [name]: { ...settings[name], models: undefined } }).endpoint
        .baseUrl,
    )
    return `${hostname === 'localhost' ? '127.0.0.1' : hostname}:${port}`
  } catch {
    return undefined
  }
}
