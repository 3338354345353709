// Memory of what endpoints refuse and how they behave, learned from their responses and stored
// for later runs.
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { codeOf } from '../../base/errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { type JsonObject, objectOf } from '../../base/untrusted-json.ts'
import type { ModelEndpoint } from '../wire/model-endpoint.ts'

/**
 * A property of an endpoint that its responses have shown, in addition to the request fields that
 * it has refused.
 */
export type EndpointTrait =
  /** The endpoint ends complete responses without a finish reason. */
  | 'no_finish_reason'
  /** Assistant messages with reasoning are refused. */
  | 'no_returned_reasoning'
  /** Assistant messages without reasoning are refused. */
  | 'needs_reasoning'
  /** A user message right after the results of calls is refused. */
  | 'no_user_after_results'
  /** PDFs are refused as documents. */
  | 'no_documents'

const learned = new Map<string, Set<string>>()

/**
 * Largest number of pairs of endpoint and model in memory. The pair that was added first is removed first.
 */
const maxEndpoints = 200

/**
 * Returns the request fields that an endpoint has refused for a model, and the traits that it has shown,
 * also in runs of the last 30 days. All agents of the process share this set; `rememberTrait` stores an
 * entry for later runs.
 */
export function refusedFields({ model, endpoint }: Pick<ModelEndpoint, 'model' | 'endpoint'>): Set<string> {
  const key = `${endpoint.baseUrl} ${model}`
  const knownFields = learned.get(key) ?? new Set(Object.keys(readRefusals(endpoint.memoryPath)[model] ?? {}))
  learned.set(key, knownFields)
  const [oldest] = learned.keys()
  if (learned.size > maxEndpoints && oldest !== undefined) learned.delete(oldest)
  return knownFields
}

/** Milliseconds after which later runs no longer know a refused field or a trait, because gateways change. */
const maxRefusalMs = 30 * 24 * 3_600_000

/**
 * Times at which endpoints refused fields or showed traits, in milliseconds since 1970: by model, then by
 * field or trait.
 */
type StoredRefusals = Record<string, Record<string, number>>

function readRefusals(memoryPath: string | undefined): StoredRefusals {
  const stored: StoredRefusals = {}
  for (const [model, fields] of Object.entries(readMemory(memoryPath))) {
    const young = Object.entries(objectOf(fields) ?? {}).filter((entry): entry is [string, number] => {
      const [name, at] = entry
      return /^[a-z_]{1,40}$/.test(name) && typeof at === 'number' && at > Date.now() - maxRefusalMs
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
    // The file does not exist yet or was truncated by a crash. Its content is learned again
    // from later refusals.
    return {}
  }
}

/**
 * Stores a refused field or a trait for later runs, if the endpoint has a memory path. If the file cannot be
 * written, each process learns the field or trait again.
 */
export function rememberTrait(
  { model, endpoint: { memoryPath } }: Pick<ModelEndpoint, 'model' | 'endpoint'>,
  field: string,
): void {
  if (memoryPath === undefined) return
  const stored = readRefusals(memoryPath)
  const all = { ...stored, [model]: { ...stored[model], [field]: Date.now() } }
  try {
    makeDirectory(dirname(memoryPath), 0o700)
    const aside = `${memoryPath}.learned.${process.pid}`
    writeFileSync(aside, JSON.stringify(all), { mode: 0o600 })
    renameSync(aside, `${memoryPath}.refused`)
  } catch {
    // the directory may be read-only
  }
}

const met = new Set<string>()

/**
 * Returns true at the first call with these arguments on this machine, also if several processes call at
 * once. If nothing can be stored, returns true once per process. `name` is part of a file name.
 */
export function isFirstTime(
  { endpoint: { baseUrl, memoryPath } }: Pick<ModelEndpoint, 'endpoint'>,
  name: string,
): boolean {
  const key = `${baseUrl} ${name}`
  if (met.has(key)) return false
  met.add(key)
  if (memoryPath === undefined) return true
  try {
    makeDirectory(dirname(memoryPath), 0o700)
    // Creating the file fails if another process has already created it, so only one process gets true.
    writeFileSync(`${memoryPath}.${name}`, '', { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    return codeOf(error) !== 'EEXIST'
  }
}
