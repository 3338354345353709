// The user's configuration: the files that are looked for, the schema, and changes of single keys.
import { existsSync, realpathSync } from 'node:fs'
import { cacheDir, configDir, dataDir } from '../../base/dirs.ts'
import { readPrebuilt } from '../../base/files/prebuilt-files.ts'
import { editConfig, userConfigFile } from '../../config/edit.ts'
import type { ConfigCandidate } from '../../config/layer.ts'
import { listCandidates } from '../../config/load.ts'
import { readTrustState } from '../../trust/trust.ts'

type Env = Readonly<Record<string, string | undefined>>

interface ConfigFileState {
  /** `configuration (user)`, `data` … */
  what: string
  path: string
  /** Whether it counts, in words, and if not why. */
  state: string
}

/** Where configuration is looked for and data is kept, in order of precedence. */
export function listConfigFiles(cwd: string, env: Env): ConfigFileState[] {
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

/** What becomes of a candidate when the configuration is read. */
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

/** The file that `setConfigValue` writes. */
export function findUserConfigFile(env: Env): string {
  return userConfigFile(env)
}

/** Sets a dotted key of the user's file, or removes it when undefined. Resolves to the file. */
export async function setConfigValue(env: Env, key: string, value: unknown): Promise<string> {
  const file = userConfigFile(env)
  await editConfig(file, key, value, env)
  return file
}

/** The JSON Schema of a configuration file, as the build has written it where there is a build. */
export async function readConfigSchema(): Promise<unknown> {
  return readPrebuilt('config.schema.json') ?? (await import('../../config/published.ts')).configSchema()
}
