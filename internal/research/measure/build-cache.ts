// The build cache of a session: compilers find there what the build of the baseline has compiled. Only that
// build writes it; any other build gets a copy that is thrown away, and no measured command sees it. So no
// candidate can leave anything for the judge, nor for the build of another tree.
import { constants } from 'node:fs'
import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { fingerprint } from '../../base/fingerprint.ts'
import type { ConfigLine } from '../ledger/ledger-entry.ts'
import { isolatedRoot } from './isolation/isolation.ts'

export interface BuildCache {
  /** Variables that lead compilers to the cache, as the build sees it. */
  env: Readonly<Record<string, string>>
  /** Places a copy in the execution's own folder, before the build. */
  place(folder: string): Promise<void>
  /** Stores what a successful build of the baseline has written, unless there is a cache already. */
  store(folder: string): Promise<void>
}

/** Below the session's directory, which removes it with the session. */
const parent = 'build-cache'
const inside = join(isolatedRoot, 'cache')
const placeIn = (folder: string) => join(folder, 'own', 'anode', 'cache')

/** Variables by which compilers and package managers find their caches, relative to the cache. */
const variables: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: '.',
  GOCACHE: 'go-build',
  CCACHE_DIR: 'ccache',
  PIP_CACHE_DIR: 'pip',
  npm_config_cache: 'npm',
}

/**
 * `env` is what the commands get; its variables stay as they are. `isBaseline`: the build is of the tree that
 * the segment began with, without a change.
 */
export function openBuildCache(
  dir: string,
  config: Pick<ConfigLine, 'tree' | 'build' | 'env'>,
  env: Readonly<Record<string, string>>,
  isBaseline: boolean,
): BuildCache {
  const key = fingerprint(JSON.stringify([config.tree, config.build, env]))
  const all = join(dir, parent)
  const kept = join(all, key)
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
      if (hasCache) await copyDirectory(kept, placeIn(folder))
      await mkdir(placeIn(folder), { recursive: true, mode: 0o700 })
    },
    async store(folder) {
      if (hasCache || !isBaseline) return
      // one of another baseline is of no use any more
      await rm(all, { recursive: true, force: true })
      await mkdir(all, { recursive: true, mode: 0o700 })
      await rename(placeIn(folder), kept)
    },
  }
}

/** A copy that shares blocks where the file system can. One that cannot be made costs time only. */
async function copyDirectory(from: string, to: string): Promise<void> {
  const options = { recursive: true, verbatimSymlinks: true, mode: constants.COPYFILE_FICLONE }
  await cp(from, to, options).catch(() => rm(to, { recursive: true, force: true }))
}
