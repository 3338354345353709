// Merge of configuration files key by key; a workspace's file may not loosen what the user allows.
import { UserError } from '../base/errors.ts'
import { fileModelHint, fileModelMessage, namesFileModel } from '../base/text/file-model.ts'
import { isObject, type JsonObject } from '../base/untrusted-json.ts'
import type { AnodeConfig } from './schema.ts'
import { classOf, isClassified, refuseKey } from './workspace-keys.ts'

/** A possible path of a configuration file. */
export interface ConfigCandidate {
  path: string
  /**
   * Source of the file. A `workspace` file counts only in a trusted workspace, and may
   * only tighten permissions.
   */
  from: 'env' | 'user' | 'workspace'
}

export interface LoadedConfig {
  config: AnodeConfig
  /** File of each value, by dotted key. */
  origins: ReadonlyMap<string, string>
  /** Notices for the user: ignored files, keys that a workspace may not set. */
  notes: readonly string[]
}

/**
 * Merges files: later files win key by key, and lists of the class `joined`, such as rules, are joined.
 * Removes settings that a workspace may not set; throws UserError if its file sets a model that reads or
 * writes a file. `origins` contains the last file that set each value.
 */
export function layerConfigs(files: readonly (ConfigCandidate & { config: AnodeConfig })[]): LoadedConfig {
  const origins = new Map<string, string>()
  const notes: string[] = []
  let merged: JsonObject = {}
  for (const file of files) {
    const config =
      file.from === 'workspace' ? tightenConfig(file.config, merged, file.path, notes) : file.config
    const rules = config.permissions?.map((rule) => ({ ...rule, origin: file.path }))
    const withRules = rules ? { ...config, permissions: rules } : config
    merged = mergeObjects(merged, withRules, file.path, '', origins)
  }
  return { config: merged as AnodeConfig, origins, notes }
}

function mergeObjects(
  base: JsonObject,
  over: JsonObject,
  path: string,
  prefix: string,
  origins: Map<string, string>,
): JsonObject {
  const out: JsonObject = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const name = prefix === '' ? key : `${prefix}.${key}`
    const before = out[key]
    if (isObject(value)) {
      out[key] = mergeObjects(isObject(before) ? before : {}, value, path, name, origins)
    } else {
      out[key] =
        Array.isArray(value) && Array.isArray(before) && isJoined(name) ? [...before, ...value] : value
      origins.set(name, path)
    }
  }
  return out
}

/**
 * Returns true for a key whose lists are joined. Lists of plugins are joined too, because plugins
 * may deny calls.
 */
const isJoined = (name: string) => classOf(name.split('.')) === 'joined'

/** Throws UserError if a workspace's file sets a model that reads or writes a file. */
function refuseFileModels({ model, profiles = {} }: AnodeConfig, path: string): void {
  const named: [string, string | undefined][] = [
    ['model', model],
    ...Object.entries(profiles).map(([name, one]): [string, string | undefined] => [
      `profiles.${name}.model`,
      one.model,
    ]),
  ]
  for (const [key, spec] of named)
    if (spec !== undefined && namesFileModel(String(spec)))
      throw new UserError(`${path}: ${key}: ${fileModelMessage(String(spec), 'a workspace')}`, {
        hint: fileModelHint,
      })
}

/**
 * Removes settings that a workspace's file may not set or that would loosen the user's settings, and adds
 * notices about them. Throws UserError for a model that reads or writes a file.
 */
function tightenConfig(config: AnodeConfig, base: JsonObject, path: string, notes: string[]): AnodeConfig {
  refuseFileModels(config, path)
  const drop = (what: string, why: string) => notes.push(`${path}: ${what} is ignored: ${why}`)
  const out = keepAllowed(config as JsonObject, base, [], drop) as AnodeConfig
  if (out.permissions?.some((rule) => rule.action === 'allow')) {
    out.permissions = out.permissions.filter((rule) => rule.action !== 'allow')
    drop('an allow rule', 'a workspace can only make permissions stricter')
  }
  return out
}

type DropHandler = (key: string, why: string) => void

/** Returns the part of a workspace's file whose keys the workspace may set. */
function keepAllowed(
  from: JsonObject,
  base: JsonObject,
  parents: readonly string[],
  drop: DropHandler,
): JsonObject {
  const out: JsonObject = {}
  for (const [name, value] of Object.entries(from)) {
    const key = [...parents, name]
    const before = Object.hasOwn(base, name) ? base[name] : undefined
    if (isObject(value) && !isClassified(key)) {
      const below = keepAllowed(value, isObject(before) ? before : {}, key, drop)
      if (Object.keys(below).length > 0) out[name] = below
      continue
    }
    const why = refuseKey(classOf(key), value, before)
    if (why === undefined) out[name] = value
    else drop(key.join('.'), why)
  }
  return out
}
