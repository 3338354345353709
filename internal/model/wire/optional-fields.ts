// Request fields an endpoint may do without: learns from a refusal which one to leave out the next time.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { type JsonObject, objectOf } from '../../base/untrusted-json.ts'
import type { Model, ModelEvent, ModelFailure, ModelRequest } from '../model.ts'
import { ratesOf } from '../prices.ts'
import { failureOf, HttpStatusError } from './endpoint-failure.ts'
import { adviseOn } from './failure-advice.ts'
import { describeEndpoint, guardReply, type ModelEndpoint } from './model-endpoint.ts'

/** Fields that only make a reply better. The order is the order in which they are given up. */
const optional = [
  'stream_options',
  'cache_control',
  'prompt_cache_key',
  'output_config',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'usage',
  'include',
  'max_completion_tokens',
  'max_tokens',
  'max_output_tokens',
  'parallel_tool_calls',
  'tool_choice',
] as const

const refusal = new RegExp(
  [
    'unsupported|not support|unknown|unrecogni[sz]ed|unexpected|not permitted|',
    'not allowed|invalid|extra|not verified|does not (exist|accept)',
  ].join(''),
  'i',
)

const refused = new Map<string, Set<string>>()

/** So many endpoints are remembered; the one that has been known for longest is forgotten first. */
const maxEndpoints = 200

/**
 * The fields that `model` at `baseUrl` has refused: every agent asks the same server, and one refusal is
 * enough for all of them, and for a month of later runs.
 */
export function refusedFields({ model, endpoint }: Pick<ModelEndpoint, 'model' | 'endpoint'>): Set<string> {
  const key = `${endpoint.baseUrl} ${model}`
  const known = refused.get(key) ?? new Set(Object.keys(readRefusals(endpoint.memoryPath)[model] ?? {}))
  refused.set(key, known)
  const [oldest] = refused.keys()
  if (refused.size > maxEndpoints && oldest !== undefined) refused.delete(oldest)
  return known
}

/** What was refused so long ago is tried again: gateways learn. */
const maxRefusalMs = 30 * 24 * 3_600_000

/** Model to field to when it was refused, in milliseconds since 1970. */
type StoredRefusals = Record<string, Record<string, number>>

function readRefusals(memoryPath: string | undefined): StoredRefusals {
  const stored: StoredRefusals = {}
  for (const [model, fields] of Object.entries(readMemory(memoryPath))) {
    const young = Object.entries(objectOf(fields) ?? {}).filter((entry): entry is [string, number] => {
      const [name, at] = entry
      return optional.some((one) => one === name) && typeof at === 'number' && at > Date.now() - maxRefusalMs
    })
    stored[model] = Object.fromEntries(young)
  }
  return stored
}

function readMemory(memoryPath: string | undefined): JsonObject {
  if (memoryPath === undefined) return {}
  try {
    return objectOf(JSON.parse(readFileSync(`${memoryPath}.refused`, 'utf8'))) ?? {}
  } catch {
    // none yet, or torn by a crash: what was in it is learned again
    return {}
  }
}

/** Best effort: where nothing can be written each process learns it by itself. */
function storeRefusal(memoryPath: string, model: string, field: string): void {
  const stored = readRefusals(memoryPath)
  const all = { ...stored, [model]: { ...stored[model], [field]: Date.now() } }
  try {
    makeDirectory(dirname(memoryPath), 0o700)
    const aside = `${memoryPath}.refused.${process.pid}`
    writeFileSync(aside, JSON.stringify(all), { mode: 0o600 })
    renameSync(aside, `${memoryPath}.refused`)
  } catch {
    // the directory may be read-only
  }
}

/**
 * Gives a refused field up, remembers it and says so, once; returns whether the same request is worth another
 * try.
 */
function* giveUpField(
  { model, endpoint, ...at }: ModelEndpoint,
  failure: ModelFailure,
  sent: Iterable<string>,
  omitted: Set<string>,
): Generator<ModelEvent, boolean> {
  const field = dropUnsupportedField(failure, sent, omitted)
  if (field === undefined) return false
  if (endpoint.memoryPath !== undefined) storeRefusal(endpoint.memoryPath, model, field)
  const where = describeEndpoint({ model, endpoint, ...at })
  const text = `${where} does not take ${field}: ${costOf[field] ?? ''}it is left out from now on`
  yield { type: 'notice', code: 'field_refused', text }
  return true
}

/** What goes missing without a field, where that is worth knowing. */
const costOf: Readonly<Record<string, string>> = {
  cache_control: 'nothing is kept of a prompt, each is paid for in full; ',
  stream_options: 'tokens are estimated; ',
}

/**
 * If `failure` says that one of the fields in `sent` is not taken, adds it to `omitted` and returns it: the
 * same request without it is worth a try. A field is given up once, so this ends.
 */
export function dropUnsupportedField(
  failure: ModelFailure,
  sent: Iterable<string>,
  omitted: Set<string>,
): string | undefined {
  if (failure.kind !== 'bad_request' || !refusal.test(failure.message)) return undefined
  const present = new Set(sent)
  const field = optional.find(
    (name) => present.has(name) && !omitted.has(name) && mentions(failure.message, name),
  )
  if (field !== undefined) omitted.add(field)
  return field
}

/** Some endpoints name the object's inner field (`reasoning.summary`), others what the field is about. */
function mentions(message: string, name: string): boolean {
  if (new RegExp(`(^|[^a-z_])${name}([^a-z_]|$)`, 'i').test(message)) return true
  return name === 'include' ? /encrypted.?content/i.test(message) : false
}

/** One request in a wire format, written anew for every attempt. */
interface WireAttempt {
  /** What its body holds besides the conversation. */
  fields: Readonly<Record<string, unknown>>
  /** Throws what `streamEvents` throws. */
  reply(): AsyncIterable<ModelEvent>
  /** True when a refusal says something by which the next attempt will be another one. */
  learn?(failure: ModelFailure): boolean
}

/**
 * The model itself, without retries. `omitted` are the fields that `write` leaves out; those that turn out to
 * be refused are added to it.
 */
export function createEndpointModel(
  endpoint: ModelEndpoint,
  omitted: Set<string>,
  write: (request: ModelRequest, signal: AbortSignal) => WireAttempt,
): Model {
  async function* ask(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    for (;;) {
      const attempt = write(request, signal)
      try {
        yield* attempt.reply()
        return
      } catch (error) {
        if (!(error instanceof HttpStatusError)) throw error
        const failure = failureOf(error, describeEndpoint(endpoint), endpoint.keys)
        if (attempt.learn?.(failure)) continue
        if (yield* giveUpField(endpoint, failure, Object.keys(attempt.fields), omitted)) continue
        return yield { type: 'failure', failure: await adviseOn(failure, endpoint, signal) }
      }
    }
  }
  return {
    id: endpoint.id,
    kind: 'llm',
    window: endpoint.window,
    ...ratesOf(endpoint.price),
    stream: (request, signal) => guardReply(endpoint, signal, (inner) => ask(request, inner)),
  }
}
