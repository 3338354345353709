// Files of the user's configuration: the paths that are searched, the schema, and changes of single keys.
import { existsSync, realpathSync } from 'node:fs'
import { cacheDir, configDir, dataDir, readPrebuilt } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { UserError } from '../../base/errors.ts'
import { isObject } from '../../base/untrusted-json.ts'
import { hideUrlSecrets } from '../../base/url-credentials.ts'
import { editConfig, userConfigFile } from '../../config/edit.ts'
import type { ConfigCandidate } from '../../config/layer.ts'
import { listCandidates } from '../../config/load.ts'
import { configSchema } from '../../config/published.ts'
import { loadToolset } from '../../toolset/index.ts'
import { readTrustState } from '../../trust/trust.ts'
import { loadNativeEntries } from '../tools/tool-registry.ts'
import { checkRuleNames } from '../toolset/requested-toolset.ts'

interface ConfigFileState {
  /** Kind of the file as text: `configuration (user)`, `data` … */
  what: string
  path: string
  /** Text that says whether the file is in use, and if not, why. */
  state: string
}

/**
 * Returns the files that may contain the configuration, with the highest precedence last, then the
 * directories of data and cache.
 */
export function listConfigFiles(cwd: string, env: EnvironmentVariables): ConfigFileState[] {
  const workspace = realpathSync(cwd)
  const isTrusted = readTrustState(workspace, dataDir(env), configDir(env)).state === 'trusted'
  const candidates = listCandidates({ env, workspace })
  const files = candidates.map((file) => ({
    what: `configuration (${file.from})`,
    path: file.path,
    state: stateOf(file, candidates, isTrusted),
  }))
  const folders = [
    { what: 'data', path: dataDir(env) },
    { what: 'cache', path: cacheDir(env) },
  ].map((row) => ({ ...row, state: existsSync(row.path) ? 'in use' : 'not there yet' }))
  return [...files, ...folders]
}

/** Returns a text that says whether the configuration file is used, and if not, why. */
function stateOf(
  { path, from }: ConfigCandidate,
  all: readonly ConfigCandidate[],
  isTrusted: boolean,
): string {
  if (!existsSync(path)) return 'not there'
  if (from === 'user' && all.some((other) => other.from === 'env'))
    return 'not read: ANODE_CONFIG takes its place'
  if (from === 'workspace' && !isTrusted) return 'not read until `anode trust`'
  return 'in use'
}

/** Returns the path of the file that `setConfigValue` writes. The file may not exist. */
export function findUserConfigFile(env: EnvironmentVariables): string {
  return userConfigFile(env)
}

/**
 * Sets a dotted key of the user's configuration file, or removes the key if the value is undefined. Resolves
 * to the path of the file. Throws UserError for a value that is invalid or would break later commands.
 */
export async function setConfigValue(
  env: EnvironmentVariables,
  key: string,
  value: unknown,
): Promise<string> {
  await demandUsable(key, value)
  const file = userConfigFile(env)
  await editConfig(file, key, value, env)
  return file
}

/** Keys whose value is a URL, at any depth. */
const urlKey = /(?:^|\.)(?:baseUrl|searxngUrl|url)$/

/**
 * Returns whether the text is a URL with http or https, or a host without a scheme: `localhost`, an address
 * in brackets, or a name with a dot or a port.
 */
const isUrl = (text: string) =>
  /^https?:\/\/[^\s/]/i.test(text) ||
  (!text.includes('://') &&
    /^(?:localhost|\[[\da-f:]+\]|[^\s/:]+(?:\.[^\s/:]+|(?=:\d)))(?=[:/]|$)/i.test(text))

/**
 * Throws UserError for the first text under a key for URLs, at `key` or below it, that is not a URL. A text
 * that contains a variable is not checked.
 */
function demandUrls(key: string, value: unknown): void {
  if (isObject(value)) for (const [name, one] of Object.entries(value)) demandUrls(`${key}.${name}`, one)
  if (typeof value !== 'string' || !urlKey.test(key) || value.includes('{env:') || isUrl(value)) return
  throw new UserError(`${key} is not a valid URL: ${hideUrlSecrets(value)}`, {
    hint: 'write it like https://host/v1',
  })
}

/**
 * Throws UserError for a URL, a toolset or a permission rule that the schema accepts but that would make
 * every later command fail.
 */
async function demandUsable(key: string, value: unknown): Promise<void> {
  demandUrls(key, value)
  if (/(^|\.)toolset$/.test(key) && typeof value === 'string') await loadToolset(value)
  if (key !== 'permissions' || !Array.isArray(value)) return
  const rules = value.filter((rule) => typeof rule?.tool === 'string')
  await checkRuleNames(rules, await loadNativeEntries())
}

/** Returns the JSON Schema of a configuration file, from the build if there is one. */
export async function readConfigSchema(): Promise<unknown> {
  return readPrebuilt('config.schema.json') ?? configSchema()
}
