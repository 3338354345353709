// The models of the catalogue as a person can choose among them.
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { suggestNames } from '../../base/text/name-suggestion.ts'
import { acceptedEfforts } from '../../model/accepted-efforts.ts'
import { readModelCatalog } from '../../model/catalog/model-catalog.ts'
import type { Effort } from '../../model/model.ts'
import type { ModelPrice } from '../../model/model-price.ts'
import { knownModel, knownModels } from '../../model/prices.ts'
import {
  listUsableProviders,
  type ProviderSettingsTable,
  providerNames,
} from '../../model/provider-endpoint.ts'
import { withStoredKeys } from '../../model/stored-keys.ts'

export interface ModelRow {
  /** As it is written behind `--model`. */
  id: string
  provider: string
  /** Tokens that a request may hold. */
  window: number
  /** US dollars for a million tokens. */
  price: ModelPrice
  /** What it can be told about how hard to think; empty when it is told nothing. */
  efforts: readonly Effort[]
  /** Whether its provider could be used as things are. */
  usable: boolean
}

interface ModelList {
  /** The day of the figures. */
  date: string
  models: ModelRow[]
}

/**
 * In the order of the providers, then by name. Sends nothing. Throws UserError for a provider that nobody
 * knows or whose models nobody has listed.
 */
export function listModels(
  processEnv: EnvironmentVariables,
  settings: ProviderSettingsTable,
  only: string | undefined,
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
    knownModels(provider, env).flatMap((model): ModelRow[] => {
      const known = knownModel(provider, model, env)
      if (!known) return []
      const { window, price } = known
      const efforts = acceptedEfforts(provider, model)
      return [{ id: `${provider}/${model}`, provider, window, price, efforts, usable: usable.has(provider) }]
    }),
  )
  if (only !== undefined && models.length === 0) {
    throw new UserError(`nothing is known of the models of ${only}`, {
      hint: `anode models check ${only}/MODEL asks one whether it works`,
    })
  }
  return { date: readModelCatalog(env).date, models }
}
