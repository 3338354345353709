// The choice of a model from the name after --model, or from the configuration.
import { join } from 'node:path'
import { checksum } from '../base/checksum.ts'
import { dataDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { UserError } from '../base/errors.ts'
import { isLocalAddress } from '../base/local-address.ts'
import { announceWindow } from './choice/endpoint-notices.ts'
import { createFallbackModel, splitModelList } from './choice/fallback-model.ts'
import { createLateModel } from './choice/late-model.ts'
import type { Model } from './model.ts'
import {
  allKeys,
  apiFormatOf,
  findEndpoint,
  listUsableProviders,
  type ProviderSettingsTable,
} from './provider-endpoint.ts'
import type { ProviderSettings } from './providers.ts'
import { withStoredKeys } from './stored-keys.ts'
import { type RetryOptions, retryModel } from './stream-retry.ts'
import type { ModelTape, PickedModel } from './taped-model.ts'
import type { ModelEndpoint } from './wire/model-endpoint.ts'

const loadReplay = () => import('./replay.ts')

let tape: ModelTape | undefined

/** Sets the recording or replay for every model that this process opens from now on; undefined ends it. */
export function setModelTape(next: ModelTape | undefined): void {
  tape = next
}

/** Returns the recording or replay that all models of this process use; undefined without one. */
export const modelTape = (): ModelTape | undefined => tape

export interface PickOptions {
  env: EnvironmentVariables
  /** Directory to which relative file names of `script:`, `record:` and `replay:` refer. */
  cwd: string
  /** `model` and `providers` of the configuration. */
  config?: { readonly model?: string | undefined; readonly providers?: ProviderSettingsTable | undefined }
  retry?: RetryOptions
  /** True if the result has to name one model, so that a list of fallback models is reduced to its first. */
  isSwitchBarred?: boolean | undefined
  /**
   * True if a user may think for more than a few minutes before the next request, so that a longer
   * cache time pays.
   */
  isUserExpected?: boolean | undefined
  /**
   * False if the caller does not wait until a local server has reported its limits. A model with at least one
   * local server is then a {@link LateModel}.
   */
  isLimitAwaited?: false
}

/**
 * Returns the model of a name. `spec` is `provider/model`, `provider`, several of these separated by commas,
 * `builtin/extract`, `script:FILE`, `record:FILE,MODEL` or `replay:FILE`. Default: the configured model, else
 * the first provider with a key or with a URL of the user, else `builtin/extract` with a notice. Loads only
 * the code of that model. Throws UserError for every error that a user can fix. By then no request was sent,
 * except a request for the limits of a local server.
 */
export async function pickModel(spec: string | undefined, options: PickOptions): Promise<PickedModel> {
  if (!tape) return pickAsWritten(spec, options)
  const { pickTapedModel } = await import('./taped-model.ts')
  return pickTapedModel(tape, spec, options, () => pickAsWritten(spec, options))
}

async function pickAsWritten(spec: string | undefined, pickOptions: PickOptions): Promise<PickedModel> {
  const options = { ...pickOptions, env: withStoredKeys(pickOptions.env) }
  const requestedModel = spec?.trim() || options.config?.model?.trim()
  const modelName = requestedModel || listUsableProviders(options.env, options.config?.providers ?? {})[0]
  if (modelName !== undefined) {
    const open = options.isLimitAwaited === false ? openUnawaited : openList
    return { model: await open(modelName, options).catch((error) => failToOpen(error, spec)) }
  }
  return {
    model: await openModel('builtin/extract', options),
    notice:
      'no model is configured: using builtin/extract, which searches and quotes without a language model; ' +
      'set a key such as ANTHROPIC_API_KEY or OPENAI_API_KEY, or pass --model provider/model',
  }
}

/** Throws the error. That of an unknown model names the setting, unless the command line named the model. */
function failToOpen(error: unknown, spec: string | undefined): never {
  if (!(error instanceof UserError) || !error.message.startsWith('unknown model') || spec?.trim()) throw error
  const hint = 'the configuration names it; to change it: anode config set model PROVIDER/MODEL'
  throw new UserError(error.message, { hint, cause: error })
}

/**
 * Returns the model of a name, or the default model. `note` gets a notice if that is `builtin/extract`,
 * because no language model is configured. Without `note`, the caller needs a language model or a named
 * model, and UserError is thrown if neither exists.
 */
export async function pickNotedModel(
  spec: string | undefined,
  options: PickOptions,
  note: ((text: string) => void) | undefined,
): Promise<Model> {
  const { model, notice } = await pickModel(spec, options)
  if (notice !== undefined && !note) throw noModel()
  if (notice !== undefined) note?.(notice)
  return model
}

/**
 * Returns the error for jobs that need a language model, because a model that only searches and quotes would
 * only seem to do them.
 */
export function noModel(): UserError {
  return new UserError('no model is configured, and this needs one', {
    hint:
      'run anode login PROVIDER, or pass --model provider/model; ' +
      '--model builtin/extract quotes files without a key',
  })
}

/**
 * Opens a model without waiting for a local server. Throws UserError at once for a provider's model that
 * cannot be used. In a list with a local server, errors of `script:` and `replay:` files come later, as do
 * the limits that the server reports.
 */
async function openUnawaited(spec: string, options: PickOptions): Promise<Model> {
  const names = splitModelList(spec)
  const isOwn = (name: string) => /^(?:builtin\/|(?:script|replay|record):)/.test(name)
  const providers = options.config?.providers ?? {}
  const endpoints = names.flatMap((name) => (isOwn(name) ? [] : [findEndpoint(name, options.env, providers)]))
  const windows = endpoints.map(({ window }) => window)
  const opening = openList(spec, options)
  if (!endpoints.some(({ endpoint }) => isLocalAddress(endpoint.baseUrl))) return await opening
  const id = names.map((name) => (isOwn(name) ? name : endpoints.shift()?.id)).join(',')
  return createLateModel({ id, window: Math.min(...windows) }, opening)
}

async function openList(spec: string, options: PickOptions): Promise<Model> {
  const [first = spec, ...others] = spec.includes(',') ? splitModelList(spec) : [spec]
  if (options.isSwitchBarred || others.length === 0) return await openModel(first, options)
  const rest = await Promise.all(others.map((name) => openModel(name, options)))
  return createFallbackModel([await openModel(first, options), ...rest])
}

async function openModel(spec: string, options: PickOptions): Promise<Model> {
  const { cwd, env, retry } = options
  const providers = options.config?.providers ?? {}
  const colon = /^(script|record|replay):(.*)$/s.exec(spec)
  const rest = colon?.[2] ?? ''
  switch (colon?.[1]) {
    case 'script': {
      const { createScriptModel } = await import('./script-model.ts')
      return retryModel(createScriptModel(requireText(rest, 'script:FILE'), cwd), retry)
    }
    case 'replay': {
      const { createReplayModel } = await loadReplay()
      return createReplayModel(requireText(rest, 'replay:FILE'), cwd)
    }
    case 'record': {
      const comma = rest.indexOf(',')
      const file = requireText(comma < 0 ? '' : rest.slice(0, comma), 'record:FILE,MODEL')
      const inner = requireText(rest.slice(comma + 1), 'record:FILE,MODEL')
      const { recordModel } = await loadReplay()
      return recordModel(await openModel(inner, options), { file, cwd, keys: allKeys(env, providers) })
    }
  }
  if (spec.startsWith('builtin/')) return await openBuiltin(spec)
  return retryModel(await openEndpointModel(spec, env, providers, options.isUserExpected), retry)
}

async function openBuiltin(spec: string): Promise<Model> {
  if (spec !== 'builtin/extract') {
    throw new UserError(`unknown model ${spec}, did you mean builtin/extract?`, {
      hint: 'builtin/extract is the only built-in model.',
    })
  }
  const { createExtractModel } = await import('./extract/extract-model.ts')
  return createExtractModel()
}

async function openEndpointModel(
  spec: string,
  env: EnvironmentVariables,
  providers: ProviderSettingsTable,
  isUserExpected = false,
): Promise<Model> {
  const foundEndpoint = await readLocalLimits(addMemoryPath(findEndpoint(spec, env, providers), env))
  const endpoint: ModelEndpoint = isUserExpected
    ? { ...foundEndpoint, cache: foundEndpoint.cache ?? '1h' }
    : foundEndpoint
  const settings = providers[endpoint.provider]
  const { wrapAdaptiveModel, wrapTextModel } = await import('./text/text-model.ts')
  const wrap = settings?.tools === 'text' ? wrapTextModel : wrapAdaptiveModel
  return announceWindow(wrap(await createWireModel(endpoint, settings)), endpoint)
}

async function createWireModel(
  endpoint: ModelEndpoint,
  settings: ProviderSettings | undefined,
): Promise<Model> {
  const format = apiFormatOf(endpoint.provider, settings)
  if (format === 'responses') return (await import('./responses.ts')).createResponsesModel(endpoint)
  if (format === 'messages') return (await import('./messages.ts')).createMessagesModel(endpoint)
  return (await import('./openai.ts')).createChatModel(endpoint)
}

/**
 * Returns the endpoint with the path of the files that store its refusals and rate limits. Each key has a
 * separate path, because providers count limits by key.
 */
function addMemoryPath(modelEndpoint: ModelEndpoint, env: EnvironmentVariables): ModelEndpoint {
  const { baseUrl, key } = modelEndpoint.endpoint
  const name = `${checksum(baseUrl)}-${checksum(key ?? '')}`
  return {
    ...modelEndpoint,
    endpoint: { ...modelEndpoint.endpoint, memoryPath: join(dataDir(env), 'endpoints', name) },
  }
}

/**
 * Returns the endpoint with the limits that its local server reports. The endpoint of a remote provider stays
 * unchanged, and no module is loaded for it.
 */
async function readLocalLimits(endpoint: ModelEndpoint): Promise<ModelEndpoint> {
  if (!isLocalAddress(endpoint.endpoint.baseUrl)) return endpoint
  const { adaptToLocalServer } = await import('./local-servers.ts')
  return await adaptToLocalServer(endpoint)
}

function requireText(text: string, form: string): string {
  if (text.trim() !== '') return text.trim()
  throw new UserError(`a model of this kind is written ${form}`, { hint: 'The file name is missing.' })
}
