// Anode's directories for configuration, data and caches (XDG base directories), and the check whether a path
// leads out of a directory. Also the files that ship with Anode: the location of profiles and skills, and
// JSON that the build creates. Sources have no such JSON, so callers compute the content.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EnvironmentVariables } from './environment.ts'
import { codeOf } from './errors.ts'

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

/**
 * The location of all files of one kind, such as profiles: `json` is one built file, `dir` the directory
 * of the sources.
 */
interface BuiltinLocation {
  json: string | undefined
  dir: string
}

/**
 * Finds `<kind>.json` next to the running file or above it, otherwise the directory `<kind>` in the package
 * root. `dir` is the directory in either case, because it also contains the files of a skill. `from` is the
 * running file's URL; default: this file. Throws Error if no directory above it has a package.json.
 */
export function findBuiltin(kind: string, from?: string): BuiltinLocation {
  let json: string | undefined
  const start = from === undefined ? import.meta.dirname : dirname(fileURLToPath(from))
  for (let dir = start; ; dir = dirname(dir)) {
    const candidate = join(dir, `${kind}.json`)
    if (json === undefined && existsSync(candidate)) json = candidate
    if (existsSync(join(dir, 'package.json'))) return { json, dir: join(dir, kind) }
    if (dir === dirname(dir)) throw new Error(`no package.json above ${start}`)
  }
}

/**
 * Returns the parsed JSON file of that name in dist/; undefined if the file does not exist, as when the
 * program runs from sources.
 */
export function readPrebuilt(name: string): unknown {
  const here = import.meta.dirname
  // this code usually runs from a chunk of the bundle, which is one directory below the file
  for (const dir of [dirname(here), here]) {
    try {
      return JSON.parse(readFileSync(join(dir, name), 'utf8'))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
    }
  }
  return undefined
}
