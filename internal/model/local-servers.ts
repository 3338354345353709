// Model servers on this machine (llama.cpp, Ollama, vLLM, LM Studio), with their windows and slots.
import { timeLimit } from '../base/time-limit.ts'
import { countOf, isObject, type JsonObject, listOf, objectOf, stringOf } from '../base/untrusted-json.ts'
import { changePath } from './endpoint/endpoint-url.ts'
import { getJson, type HttpEndpoint, sendJson } from './wire/endpoint-client.ts'
import { HttpStatusError } from './wire/endpoint-failure.ts'
import type { ModelEndpoint } from './wire/model-endpoint.ts'

type LocalServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'lm-studio' | 'unknown'

interface LocalModel {
  id: string
  /** Window in tokens; undefined if the server does not report it. */
  window?: number
}

export interface LocalServer {
  kind: LocalServerKind
  /** URL without `/v1` and without a slash at the end. */
  address: string
  models: LocalModel[]
  /** Largest number of parallel requests; undefined if the server does not report it. */
  slots?: number
}

/** The port on which each kind of model server listens by default. */
export const localServerPorts: readonly (readonly [Exclude<LocalServerKind, 'unknown'>, number])[] = [
  ['ollama', 11434],
  ['llama.cpp', 8080],
  ['lm-studio', 1234],
  ['vllm', 8000],
]

const findMs = 200

/**
 * Returns the servers that answer within 200 ms on their default ports of the loopback address, in the order
 * of the table. `ports` replaces the defaults. Sends only `GET /v1/models`, `/props` and `/api/tags`.
 */
export async function findLocalServers(
  signal: AbortSignal,
  ports: readonly number[] = localServerPorts.map(([, port]) => port),
): Promise<LocalServer[]> {
  const servers = await Promise.all(
    ports.map((port) => probeServer(endpointAt(`http://127.0.0.1:${port}`, readMs), findMs, signal)),
  )
  return servers.filter((server) => server !== undefined)
}

function endpointAt(baseUrl: string, idleMs: number): HttpEndpoint {
  return { baseUrl, key: undefined, headers: {}, idleMs }
}

const tryJson = (ask: Promise<unknown>): Promise<unknown> =>
  // an error means that the port has no model server: the path is missing, or another program or none answers
  ask.catch(() => undefined)

/**
 * Returns the server whose root URL is `at.baseUrl`; undefined if no model server answers there. `ms` limits
 * the wait for its first response, `readMs` the wait for all.
 */
async function probeServer(
  at: HttpEndpoint,
  ms: number,
  outer: AbortSignal,
): Promise<LocalServer | undefined> {
  const silence = new AbortController()
  let hasAnswered = false
  // a busy process runs its timers before its sockets, so a response that has arrived in time still counts
  const silent = setTimeout(() => setImmediate(() => hasAnswered || silence.abort()), ms)
  const signal = AbortSignal.any([outer, silence.signal, timeLimit(readMs)])
  const ask = async (path: string) => {
    const answer = await getJson(at, path, signal)
    hasAnswered = true
    return answer
  }
  const list = await ask('/v1/models').catch((error: unknown) => (isNotFound(error) ? notFound : undefined))
  const entries = listOf(objectOf(list)?.data).flatMap((entry): JsonObject[] =>
    isObject(entry) ? [entry] : [],
  )
  const owner = stringOf(entries[0]?.owned_by)
  // Every known kind of server lists its models, and most can be identified by a field of that list.
  const paths = list === notFound ? [] : furtherPaths[owners[owner] ?? 'unknown']
  const [props, tags] = await Promise.all(paths.map((path) => path && tryJson(ask(path))))
  clearTimeout(silent)
  const settings = objectOf(objectOf(props)?.default_generation_settings)
  const isOllama = Array.isArray(objectOf(tags)?.models)
  if (entries.length === 0 && !settings && !isOllama) return undefined
  const kind = settings ? 'llama.cpp' : isOllama ? 'ollama' : (owners[owner] ?? 'unknown')
  const window = toPositive(settings?.n_ctx) ?? toPositive(objectOf(props)?.n_ctx)
  const models = entries.flatMap((entry): LocalModel[] => {
    const id = stringOf(entry.id)
    // vLLM and SGLang report the window for each model, llama.cpp only for the loaded model.
    const size = toPositive(entry.max_model_len) ?? window
    return id === '' ? [] : [{ id, window: size }]
  })
  const slots = toPositive(objectOf(props)?.total_slots)
  return { kind, address: at.baseUrl, models, slots }
}

/** Kinds of servers by `owned_by` in their list of models. */
const owners: Readonly<Record<string, LocalServerKind>> = {
  llamacpp: 'llama.cpp',
  vllm: 'vllm',
  library: 'ollama',
  organization_owner: 'lm-studio',
}

/**
 * Paths of further requests, by kind of server: the first returns settings such as the window, the second the
 * server's list of models in another format. An empty path is not requested.
 */
const furtherPaths: Readonly<Record<LocalServerKind, readonly [props?: string, tags?: string]>> = {
  'llama.cpp': ['/props'],
  ollama: ['', '/api/tags'],
  vllm: [],
  'lm-studio': [],
  unknown: ['/props', '/api/tags'],
}

const notFound = Symbol('not found')
const isNotFound = (error: unknown) => error instanceof HttpStatusError && error.status === 404

/**
 * Returns a number above 0, because some servers write 0 for an unknown value; undefined for any other value.
 */
const toPositive = (value: unknown): number | undefined => countOf(value) || undefined

interface LocalModelLimits {
  kind: LocalServerKind
  /** Size in tokens of the context window that one request has. */
  window?: number | undefined
  slots?: number | undefined
}

/**
 * Longest wait in milliseconds for a server's responses to a probe, and again for its further responses,
 * because a server under load answers late.
 */
const readMs = 1_500

/**
 * Returns window and slots of `model`, as its server at `endpoint` reports them; undefined if no model server
 * answers. Sends the requests of `probeServer` and at most two more, depending on the kind of server.
 */
async function readModelLimits(
  endpoint: HttpEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<LocalModelLimits | undefined> {
  const baseUrl = changePath(endpoint.baseUrl, (path) => path.replace(/\/v\d+$/, ''))
  const at = { ...endpoint, baseUrl, idleMs: readMs }
  const server = await probeServer(at, readMs, signal)
  if (!server) return undefined
  const { kind, models, slots } = server
  // a llama.cpp server accepts any name for its model
  const ownModel = models.find(({ id }) => id === model) ?? (kind === 'llama.cpp' ? models[0] : undefined)
  const window = ownModel?.window ?? (await readOwnWindow(kind, at, model, signal))
  return { kind, window, slots }
}

async function readOwnWindow(
  kind: LocalServerKind,
  at: HttpEndpoint,
  model: string,
  outer: AbortSignal,
): Promise<number | undefined> {
  const signal = AbortSignal.any([outer, timeLimit(readMs)])
  if (kind === 'ollama') return await readOllamaWindow(at, model, signal)
  if (kind !== 'lm-studio') return undefined
  const list = objectOf(await tryJson(getJson(at, '/api/v0/models', signal)))
  const modelEntry = listOf(list?.data)
    .map(objectOf)
    .find((entry) => entry?.id === model)
  return toPositive(modelEntry?.loaded_context_length)
}

/**
 * Returns the window of an Ollama model: that of the loaded model, otherwise the one that its file sets.
 * Returns undefined if neither is known.
 */
async function readOllamaWindow(
  at: HttpEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [running, showReply] = await Promise.all([
    tryJson(getJson(at, '/api/ps', signal)),
    tryJson(sendJson(at, '/api/show', { model }, signal)),
  ])
  const name = model.includes(':') ? model : `${model}:latest`
  const loaded = listOf(objectOf(running)?.models)
    .map(objectOf)
    .find((entry) => entry?.name === name || entry?.model === name)
  const contextTokens = /^\s*num_ctx\s+(\d+)/m.exec(stringOf(objectOf(showReply)?.parameters))?.[1]
  return toPositive(loaded?.context_length) ?? toPositive(Number(contextTokens ?? 0))
}

/**
 * Default window of a model that the server loads on demand. Ollama and LM Studio load a model with 4,096 to
 * 262,144 tokens, depending on memory and settings.
 */
const usualLocalWindow = 32_768

/**
 * Returns the endpoint with window and slots of its server, unless the configuration sets them. A server that
 * loads models on demand gets a default window if it reports none. Other unknown values stay guesses.
 */
export async function adaptToLocalServer(modelEndpoint: ModelEndpoint): Promise<ModelEndpoint> {
  const { endpoint, model, isWindowGuessed } = modelEndpoint
  if (!isWindowGuessed && endpoint.maxConcurrent !== undefined) return modelEndpoint
  const limits = await readModelLimits(endpoint, model, new AbortController().signal)
  if (!limits) return modelEndpoint
  const maxConcurrent = endpoint.maxConcurrent ?? limits.slots
  const adapted: ModelEndpoint = { ...modelEndpoint, endpoint: { ...endpoint, maxConcurrent } }
  if (!isWindowGuessed) return adapted
  if (limits.window !== undefined) {
    const { isWindowGuessed: _, ...otherFields } = adapted
    return { ...otherFields, window: limits.window }
  }
  const isLoadedOnDemand = limits.kind === 'ollama' || limits.kind === 'lm-studio'
  return isLoadedOnDemand ? { ...adapted, window: usualLocalWindow } : adapted
}
