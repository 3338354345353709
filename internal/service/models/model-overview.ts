// State of each model provider, found without a request: key, URL, model, and which provider a run would use.
import { messageOf, UserError } from '../../base/errors.ts'
import { splitModelList } from '../../model/choice/fallback-model.ts'
import { describeUrl } from '../../model/endpoint/endpoint-url.ts'
import {
  findEndpoint,
  listUsableProviders,
  type ProviderSettingsTable,
  providerNames,
} from '../../model/provider-endpoint.ts'
import { providers } from '../../model/providers.ts'
import { readStoredKeys, withStoredKeys } from '../../model/stored-keys.ts'
import type { WorkspaceContext } from '../../runtime/workspace/workspace.ts'

interface ProviderOverview {
  provider: string
  /** The source of the provider's key, or `none needed`; undefined if the key is missing. */
  key: string | undefined
  /**
   * The first environment variable for the provider's key; undefined if the provider needs no key, or is
   * known only from the configuration.
   */
  variable: string | undefined
  model: string
  address: string
  /** The missing setup step, such as a key; undefined if the provider can be used. */
  missing: string | undefined
  /** Command or setting with which the user can do the missing step. */
  fix?: string | undefined
}

export interface ModelOverview {
  providers: ProviderOverview[]
  /**
   * The model of a run without `--model`, and the setting or key that selects it. Undefined if no provider
   * can be used and no model is configured.
   */
  chosen: { model: string; address: string; because: string } | undefined
  /** Why the selected model cannot be used; undefined if it can, or if no model is selected. */
  problem: string | undefined
  /** What the user can do about the problem; undefined without a problem. */
  hint?: string | undefined
}

/**
 * Returns the values of `--model` that are known without a request: the default model of each provider, and
 * the built-in model.
 */
export function listKnownModels(): string[] {
  return [...providers.map(({ id, model }) => `${id}/${model}`), 'builtin/extract']
}

/** Returns the state of all providers, and the chosen model with its problem, if any. Sends nothing. */
export function readModelOverview({
  env: processEnv,
  loaded,
}: Pick<WorkspaceContext, 'env' | 'loaded'>): ModelOverview {
  const env = withStoredKeys(processEnv)
  const settings = (loaded.config.providers ?? {}) as ProviderSettingsTable
  const rows = providerNames(settings).map((name) => describeProvider(name, processEnv, env, settings))
  const [first] = listUsableProviders(env, settings)
  const spec = loaded.config.model ?? first
  if (spec === undefined) return { providers: rows, chosen: undefined, problem: undefined }
  const because = loaded.config.model
    ? `model in ${loaded.origins.get('model') ?? 'the configuration'}`
    : (rows.find(({ provider }) => provider === first)?.key ?? 'the configuration')
  if (/^(?:builtin\/|script:|record:|replay:)/.test(spec)) {
    const isUnknown = /^builtin\/(?!extract(?:,|$))/.test(spec)
    const problem = isUnknown ? `unknown model ${spec}, did you mean builtin/extract?` : undefined
    return { providers: rows, chosen: { model: spec, address: '', because }, problem }
  }
  try {
    // each model of a list has to be usable, but requests are sent to the first one
    const endpoints = splitModelList(spec).map((name) => findEndpoint(name, env, settings))
    const [{ endpoint } = findEndpoint(spec, env, settings)] = endpoints
    const id = endpoints.map((one) => one.id).join(',')
    return {
      providers: rows,
      chosen: { model: id, address: describeUrl(endpoint.baseUrl), because },
      problem: undefined,
    }
  } catch (error) {
    const hint = error instanceof UserError ? error.hint : undefined
    return { providers: rows, chosen: { model: spec, address: '', because }, problem: messageOf(error), hint }
  }
}

/** A model that cannot be used, the reason, and what the user can do about it. */
export interface ModelProblem {
  model: string
  problem: string
  hint: string | undefined
}

/** Returns those models of the lists `specs` that cannot be used. Only values that are strings count. */
export function findModelProblems(
  specs: readonly unknown[],
  { env, loaded }: Pick<WorkspaceContext, 'env' | 'loaded'>,
): ModelProblem[] {
  const models = specs.flatMap((spec) => (typeof spec === 'string' ? splitModelList(spec) : []))
  return models.flatMap((model) => {
    const candidate = { ...loaded, config: { ...loaded.config, model } }
    const { problem, hint } = readModelOverview({ env, loaded: candidate })
    return problem === undefined ? [] : [{ model, problem, hint }]
  })
}

function describeProvider(
  name: string,
  processEnv: WorkspaceContext['env'],
  env: WorkspaceContext['env'],
  settings: ProviderSettingsTable,
): ProviderOverview {
  const builtinProvider = providers.find(({ id }) => id === name)
  const variable = builtinProvider?.keys.find((key) => processEnv[key])
  const stored = readStoredKeys(processEnv)[name] !== undefined
  const key = settings[name]?.apiKey
    ? 'configuration'
    : (variable ?? (stored ? 'anode login' : builtinProvider?.keys.length ? undefined : 'none needed'))
  const model = settings[name]?.model ?? builtinProvider?.model ?? ''
  const row = { provider: name, key, variable: builtinProvider?.keys[0], model }
  try {
    const { model: endpointModel, endpoint } = findEndpoint(`${name}/${row.model || 'MODEL'}`, env, settings)
    return {
      ...row,
      model: row.model || endpointModel,
      address: describeUrl(endpoint.baseUrl),
      missing: undefined,
    }
  } catch (error) {
    const address = settings[name]?.baseUrl ?? builtinProvider?.baseUrl ?? ''
    const hint = error instanceof UserError ? error.hint : undefined
    // a key alone does not help without a URL, so the hint of the error is shown instead
    const fix = key === undefined && address !== '' ? `anode login ${name}` : hint
    return { ...row, address, missing: messageOf(error), fix }
  }
}
