// The models of the catalogue as a person can choose among them.
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
  /** As it is written behind `--model`. */
  id: string
  provider: string
  /** Tokens that a request may hold; null where a server on this machine does not say. */
  window: number | null
  /** US dollars for a million tokens; null where nobody has named a price. */
  price: ModelPrice | null
  /** What it can be told about how hard to think; empty when it is told nothing. */
  efforts: readonly Effort[]
  /** Whether its provider could be used as things are. */
  usable: boolean
  /** Address of the server on this machine that has it. */
  server?: string
}

interface ModelList {
  /** The day of the figures. */
  date: string
  models: ModelRow[]
}

/** Model servers on their usual ports of this machine; waits for a fifth of a second at most. */
export const findServers = (signal: AbortSignal): Promise<LocalServer[]> => findLocalServers(signal)

/**
 * In the order of the providers, then by name; last what `servers` on this machine have. Sends nothing.
 * Throws UserError for a provider that nobody knows or whose models nobody has listed.
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
    throw new UserError(`there is no provider ${only}${near ? `, ${near}` : ''}`, {
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
 * Returns the models of the catalog and those that the configuration lists. `models` of the configuration are
 * the only ones that may be named; its window and price apply to all of them.
 */
function listProviderModels(
  provider: string,
  env: EnvironmentVariables,
  own: ProviderSettings = {},
): Omit<ModelRow, 'usable'>[] {
  const listed = own.models ?? [
    ...(own.model === undefined ? [] : [own.model]),
    ...knownModels(provider, env),
  ]
  return [...new Set(listed)].map((model) => {
    const known = knownModel(provider, model, env)
    const window = own.window ?? known?.window ?? null
    const price = priceOf(own) ?? known?.price ?? null
    return { id: `${provider}/${model}`, provider, window, price, efforts: acceptedEfforts(provider, model) }
  })
}

/** What servers on this machine have. */
export const listServerModels = (
  servers: readonly LocalServer[],
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): ModelRow[] => servers.flatMap((server) => listLocalModels(server, env, settings))

/** A provider of one's own for servers that no provider is set up for. */
const ownProvider = 'custom'

/** Models of a server under the provider that leads to it; without one, what would have to be set up. */
function listLocalModels(
  { address, models }: LocalServer,
  env: EnvironmentVariables,
  settings: ProviderSettingsTable,
): ModelRow[] {
  const leadsHere = (name: string) => addressOf(name, env, settings) === new URL(address).host
  const found = ['ollama', ...Object.keys(settings)].find(leadsHere)
  const provider = found ?? ownProvider
  return models.map(({ id, window = null }) => {
    const row = { id: `${provider}/${id}`, provider, window, price: null, efforts: [] }
    return { ...row, usable: found !== undefined, server: address }
  })
}

/** Host and port of a provider; undefined where it cannot be used as things are. */
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
