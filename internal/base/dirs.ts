// Where Anode keeps its configuration, data and caches (XDG base directories).

import { join } from 'node:path'
import type { EnvironmentVariables } from './environment.ts'
import { homedir } from './home.ts'

const place = (base: string | undefined, ...fallback: string[]) =>
  join(base?.startsWith('/') ? base : join(homedir(), ...fallback), 'anode')

/** The user's configuration directory, `~/.config/anode` unless XDG says otherwise. */
export const configDir = (env: EnvironmentVariables = process.env): string =>
  place(env.XDG_CONFIG_HOME, '.config')

/** Database, blobs, journals and locks: `ANODE_DATA_DIR`, else `~/.local/share/anode`. */
export const dataDir = (env: EnvironmentVariables = process.env): string =>
  env.ANODE_DATA_DIR || place(env.XDG_DATA_HOME, '.local', 'share')

/** What can be thrown away at any time, `~/.cache/anode` unless XDG says otherwise. */
export const cacheDir = (env: EnvironmentVariables = process.env): string =>
  place(env.XDG_CACHE_HOME, '.cache')

/** Pictures that were taken out of documents; whoever may read the workspace may read them. */
export const picturesDir = (env: EnvironmentVariables = process.env): string =>
  join(cacheDir(env), 'pictures')
