// The build cache of a session: files that compilers stored while the baseline was built. Only that build
// writes the cache. Any other build gets a copy that is deleted afterwards, and no measured command can read
// it. So no candidate can leave anything there for the judge or for the build of another tree.
import { constants } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import { isolatedRoot } from './isolation/isolation.ts'

export interface BuildCache {
  /** Environment variables that make compilers use the cache, with its path as the build sees it. */
  env: Readonly<Record<string, string>>
  /**
   * Copies the cache into the execution's directory before the build. Creates an empty one if
   * nothing is stored.
   */
  place(folder: string): Promise<void>
  /**
   * Stores what the build has written. Does nothing for a build that is not of the baseline, or if a cache
   * was stored before the build. Called only after a successful build.
   */
  store(folder: string): Promise<void>
}

/**
 * Name of the directory of the cache. It is inside the session's directory, so that both
 * are removed together.
 */
const parent = 'build-cache'
const inside = join(isolatedRoot, 'cache')
const placeIn = (folder: string) => join(folder, 'own', 'anode', 'cache')

/** Variables with which compilers and package managers find their caches, as paths relative to the cache. */
const variables: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: '.',
  GOCACHE: 'go-build',
  CCACHE_DIR: 'ccache',
  PIP_CACHE_DIR: 'pip',
  npm_config_cache: 'npm',
}

/**
 * Opens the cache for a build. `env` is the environment of the commands, and none of its variables is
 * replaced. Only a build of the unchanged tree that the segment began with (`isBaseline`) stores its cache.
 */
export function openBuildCache(
  dir: string,
  config: Pick<ConfigLine, 'tree' | 'build' | 'env'>,
  env: Readonly<Record<string, string>>,
  isBaseline: boolean,
): BuildCache {
  const key = fingerprint(JSON.stringify([config.tree, config.build, env]))
  const all = join(dir, parent)
  const cacheFolder = join(all, key)
  let hasCache = false
  return {
    env: Object.fromEntries(
      Object.entries(variables)
        .filter(([name]) => env[name] === undefined)
        .map(([name, path]) => [name, join(inside, path)]),
    ),
    async place(folder) {
      const entries = await readdir(all).catch(ignoreCodes('ENOENT'))
      hasCache = entries?.includes(key) === true
      if (hasCache) await copyDirectory(cacheFolder, placeIn(folder))
      await mkdir(placeIn(folder), { recursive: true, mode: 0o700 })
    },
    async store(folder) {
      if (hasCache || !isBaseline) return
      // The cache of another baseline is not needed any more, so all old caches are removed.
      await rm(all, { recursive: true, force: true })
      await mkdir(all, { recursive: true, mode: 0o700 })
      await rename(placeIn(folder), cacheFolder)
    },
  }
}

/**
 * Copies a directory, with shared blocks if the file system supports it. A failed copy is removed without an
 * error, because a build without a cache only takes longer.
 */
async function copyDirectory(from: string, to: string): Promise<void> {
  const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }
  await cp(from, to, options).catch(() => rm(to, { recursive: true, force: true }))
}
