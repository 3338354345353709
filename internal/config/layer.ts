// Joins configuration files key by key; a workspace's file may only tighten what the user allows.
import { isObject, type JsonObject } from '../base/untrusted-json.ts'
import type { AnodeConfig } from './schema.ts'

/** A place where a configuration file may stand. */
export interface ConfigCandidate {
  path: string
  /** `workspace` files count only when the workspace is trusted, and may only tighten permissions. */
  from: 'env' | 'user' | 'workspace'
}

export interface LoadedConfig {
  config: AnodeConfig
  /** Dotted key to the file its value came from. */
  origins: ReadonlyMap<string, string>
  /** What a person should know: ignored files, keys a workspace may not set. */
  notes: readonly string[]
}

/** Later files win key by key; lists of rules are joined. Origins name the file of every leaf. */
export function layerConfigs(files: readonly (ConfigCandidate & { config: AnodeConfig })[]): LoadedConfig {
  const origins = new Map<string, string>()
  const notes: string[] = []
  let merged: JsonObject = {}
  for (const file of files) {
    const config = file.from === 'workspace' ? tighten(file.config, merged, file.path, notes) : file.config
    const rules = config.permissions?.map((rule) => ({ ...rule, origin: file.path }))
    merged = merge(merged, { ...config, ...(rules && { permissions: rules }) }, file.path, '', origins)
  }
  return { config: merged as AnodeConfig, origins, notes }
}

function merge(
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
      out[key] = merge(isObject(before) ? before : {}, value, path, name, origins)
    } else {
      out[key] =
        Array.isArray(value) && Array.isArray(before) && joined.has(name) ? [...before, ...value] : value
      origins.set(name, path)
    }
  }
  return out
}

// lists that make things stricter (plugins may refuse calls): joining keeps what the user's own file demands
const joined = new Set(['permissions', 'protectedDirs', 'tools.disabled', 'shell.blocked', 'plugins.paths'])

/** Takes out of a workspace's file what would loosen the cage, and says so. */
function tighten(config: AnodeConfig, base: JsonObject, path: string, notes: string[]): AnodeConfig {
  const out: AnodeConfig = { ...config }
  const drop = (what: string) =>
    notes.push(`${path}: ${what} is ignored, a workspace may only tighten permissions`)
  if (out.permissions?.some((rule) => rule.action === 'allow')) {
    out.permissions = out.permissions.filter((rule) => rule.action !== 'allow')
    drop('an allow rule')
  }
  if (out.permissionPreset === 'unrestricted' || out.permissionPreset === 'yolo') {
    drop(`permissionPreset ${out.permissionPreset}`)
    delete out.permissionPreset
  }
  if (out.sandbox === 'off' || (out.sandbox === 'auto' && base.sandbox === 'require')) {
    drop(`sandbox ${out.sandbox}`)
    delete out.sandbox
  }
  if (out.shell?.env) {
    out.shell = { ...(out.shell.blocked && { blocked: out.shell.blocked }) }
    drop('shell.env')
  }
  const own = Object.keys(isObject(base.mcpServers) ? base.mcpServers : {})
  const taken = own.filter((name) => Object.hasOwn(out.mcpServers ?? {}, name))
  if (taken.length > 0) {
    out.mcpServers = Object.fromEntries(
      Object.entries(out.mcpServers ?? {}).filter(([name]) => !taken.includes(name)),
    )
    // rules about the user's server must not come to speak of another one
    notes.push(`${path}: mcpServers ${taken.join(', ')} ignored, the user has servers of the same name`)
  }
  if (out.skills?.allowMCP) {
    delete out.skills
    drop('skills.allowMCP')
  }
  if (Array.isArray(out.ui?.notify)) {
    const { notify: _, ...ui } = out.ui
    out.ui = ui
    drop('a program in ui.notify')
  }
  if (out.approvals) {
    // whoever answers is chosen by the person alone
    delete out.approvals
    drop('approvals')
  }
  if (out.providers) {
    delete out.providers
    drop('providers')
  }
  return out
}
