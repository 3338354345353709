// Model servers on this machine (llama.cpp, Ollama, vLLM, LM Studio): finds them and reads window and slots.
import { timeLimit } from '../base/time-limit.ts'
import { countOf, isObject, type JsonObject, listOf, objectOf, stringOf } from '../base/untrusted-json.ts'
import { changePath } from './endpoint/endpoint-url.ts'
import { getJson, type HttpEndpoint, sendJson } from './wire/endpoint-client.ts'
import { HttpStatusError } from './wire/endpoint-failure.ts'
import type { ModelEndpoint } from './wire/model-endpoint.ts'

type LocalServerKind = 'llama.cpp' | 'ollama' | 'vllm' | 'lm-studio' | 'unknown'

interface LocalModel {
  id: string
  /** Tokens that fit; absent where the server does not say. */
  window?: number
}

export interface LocalServer {
  kind: LocalServerKind
  /** Without `/v1` and without a slash at the end. */
  address: string
  models: LocalModel[]
  /** Requests that it answers at a time; absent where it does not say. */
  slots?: number
}

/** Where the servers listen unless told otherwise. */
export const localServerPorts: readonly (readonly [Exclude<LocalServerKind, 'unknown'>, number])[] = [
  ['ollama', 11434],
  ['llama.cpp', 8080],
  ['lm-studio', 1234],
  ['vllm', 8000],
]

const findMs = 200

/**
 * The servers that answer on their usual ports of the loopback address, in the order of the table; `ports`
 * are looked at instead. Nothing is sent but `GET /v1/models`, `/props` and `/api/tags`.
 */
export async function findLocalServers(
  signal: AbortSignal,
  ports: readonly number[] = localServerPorts.map(([, port]) => port),
): Promise<LocalServer[]> {
  const found = await Promise.all(
    ports.map((port) => probeServer(endpointAt(`http://127.0.0.1:${port}`, readMs), findMs, signal)),
  )
  return found.filter((server) => server !== undefined)
}

function endpointAt(baseUrl: string, idleMs: number): HttpEndpoint {
  return { baseUrl, key: undefined, headers: {}, idleMs }
}

const tryJson = (ask: Promise<unknown>): Promise<unknown> =>
  // a path that is not there, another program on the port, or nobody at all
  ask.catch(() => undefined)

/**
 * What answers at the root `at.baseUrl` within `ms`; undefined when that is no model server. Once something
 * has answered, the rest of what it says of itself may come later.
 */
async function probeServer(
  at: HttpEndpoint,
  ms: number,
  outer: AbortSignal,
): Promise<LocalServer | undefined> {
  const silence = new AbortController()
  let hasAnswered = false
  // a busy program comes to its timers before its sockets: what has arrived by then still counts
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
  // every known kind lists its models, and most say in it what they are
  const paths = list === notFound ? [] : furtherPaths[owners[owner] ?? 'unknown']
  const [props, tags] = await Promise.all(paths.map((path) => path && tryJson(ask(path))))
  clearTimeout(silent)
  const settings = objectOf(objectOf(props)?.default_generation_settings)
  const isOllama = Array.isArray(objectOf(tags)?.models)
  if (entries.length === 0 && !settings && !isOllama) return undefined
  const kind = settings ? 'llama.cpp' : isOllama ? 'ollama' : (owners[owner] ?? 'unknown')
  const window = positive(settings?.n_ctx) ?? positive(objectOf(props)?.n_ctx)
  const models = entries.flatMap((entry): LocalModel[] => {
    const id = stringOf(entry.id)
    // vLLM and SGLang say it of each model, llama.cpp of the one that is loaded
    const size = positive(entry.max_model_len) ?? window
    return id === '' ? [] : [{ id, window: size }]
  })
  const slots = positive(objectOf(props)?.total_slots)
  return { kind, address: at.baseUrl, models, slots }
}

/** What `owned_by` of a list of models says of the program that wrote it. */
const owners: Readonly<Record<string, LocalServerKind>> = {
  llamacpp: 'llama.cpp',
  vllm: 'vllm',
  library: 'ollama',
  organization_owner: 'lm-studio',
}

/**
 * Where a server says the rest of itself, by what its list of models says: its settings, and its own list.
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

/** A count of at least 1: some servers write 0 for what they do not know yet. */
const positive = (value: unknown): number | undefined => countOf(value) || undefined

interface LocalModelLimits {
  kind: LocalServerKind
  /** Tokens that fit into one request. */
  window?: number | undefined
  slots?: number | undefined
}

/** A server under load answers late, and what it says of itself is worth some waiting. */
const readMs = 1_500

/**
 * Window and slots of `model` behind `endpoint`, as far as the server says; undefined when none of the known
 * kind answers there. Sends up to two requests more where the kind is one that says it elsewhere.
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
  // a llama.cpp server takes any name for the model it has
  const own = models.find(({ id }) => id === model) ?? (kind === 'llama.cpp' ? models[0] : undefined)
  const window = own?.window ?? (await readOwnWindow(kind, at, model, signal))
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
  const own = listOf(list?.data)
    .map(objectOf)
    .find((entry) => entry?.id === model)
  return positive(own?.loaded_context_length)
}

/** A loaded model says what it was loaded with; another one what its file asks for, if it asks. */
async function readOllamaWindow(
  at: HttpEndpoint,
  model: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  const [running, shown] = await Promise.all([
    tryJson(getJson(at, '/api/ps', signal)),
    tryJson(sendJson(at, '/api/show', { model }, signal)),
  ])
  const name = model.includes(':') ? model : `${model}:latest`
  const loaded = listOf(objectOf(running)?.models)
    .map(objectOf)
    .find((entry) => entry?.name === name || entry?.model === name)
  const asked = /^\s*num_ctx\s+(\d+)/m.exec(stringOf(objectOf(shown)?.parameters))?.[1]
  return positive(loaded?.context_length) ?? positive(Number(asked ?? 0))
}

/** Ollama and LM Studio load a model with 4,096 to 262,144 tokens, as memory and settings allow. */
const usualLocalWindow = 32_768

/**
 * The endpoint with window and slots as its server says, where the configuration does not. What nobody says
 * stays a guess.
 */
export async function adaptToLocalServer(found: ModelEndpoint): Promise<ModelEndpoint> {
  const { endpoint, model, isWindowGuessed } = found
  if (!isWindowGuessed && endpoint.maxConcurrent !== undefined) return found
  const limits = await readModelLimits(endpoint, model, new AbortController().signal)
  if (!limits) return found
  const maxConcurrent = endpoint.maxConcurrent ?? limits.slots
  const adapted: ModelEndpoint = { ...found, endpoint: { ...endpoint, maxConcurrent } }
  if (!isWindowGuessed) return adapted
  if (limits.window !== undefined) {
    const { isWindowGuessed: _, ...known } = adapted
    return { ...known, window: limits.window }
  }
  const isLoadedOnDemand = limits.kind === 'ollama' || limits.kind === 'lm-studio'
  return isLoadedOnDemand ? { ...adapted, window: usualLocalWindow } : adapted
}
