// Anode's directories for configuration, data and caches (XDG base directories), and the check whether a path
// leads out of a directory.

import { isAbsolute, join } from 'node:path'
import type { EnvironmentVariables } from './environment.ts'

/**
 * Returns the user's home directory, as `homedir()` of node:os does. If the variable HOME is set, that module
 * is not loaded.
 */
export function homeDir(): string {
  const named = process.platform === 'win32' ? undefined : process.env.HOME
  return named || process.getBuiltinModule('node:os').homedir()
}

const resolveDir = (base: string | undefined, ...fallback: string[]) =>
  join(base?.startsWith('/') ? base : join(homeDir(), ...fallback), 'anode')

/** Returns the user's configuration directory, by default `~/.config/anode`. */
export const configDir = (env: EnvironmentVariables = process.env): string =>
  resolveDir(env.XDG_CONFIG_HOME, '.config')

/**
 * Returns the directory of database, blobs, journals and locks: `ANODE_DATA_DIR`, else `anode` in
 * `XDG_DATA_HOME`, by default `~/.local/share/anode`.
 */
export const dataDir = (env: EnvironmentVariables = process.env): string =>
  env.ANODE_DATA_DIR || resolveDir(env.XDG_DATA_HOME, '.local', 'share')

/** Returns the directory of files that can be deleted at any time, by default `~/.cache/anode`. */
export const cacheDir = (env: EnvironmentVariables = process.env): string =>
  resolveDir(env.XDG_CACHE_HOME, '.cache')

/**
 * Returns the directory of images extracted from documents. A tool that may read the workspace may read it.
 */
export const picturesDir = (env: EnvironmentVariables = process.env): string =>
  join(cacheDir(env), 'pictures')

/**
 * Returns true if a normalized relative path leads out of the directory at which it starts. A name inside can
 * also begin with two dots, such as `..data`.
 */
export const leadsOutside = (path: string): boolean =>
  path === '..' || path.startsWith('../') || isAbsolute(path)
