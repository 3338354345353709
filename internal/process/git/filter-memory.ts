// A cache of the programs that a repository's configuration defines. An entry is valid while no file that git
// read for it has changed.
import { existsSync, lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { homeDir } from '../../base/dirs.ts'
import type { GitSetting } from './git-environment.ts'
import type { GitLayout } from './git-layout.ts'
import { mayHaveSubmodules } from './index-submodules.ts'

/**
 * The programs that were found, and the files on which this result depends in addition to those
 * of every search.
 */
export interface FoundFilters {
  settings: readonly GitSetting[]
  /** Configuration files that git read; undefined if other files may decide the result too. */
  origins: readonly string[] | undefined
}

export interface FilterMemory {
  /** Returns the cached result of this kind if it is still valid, otherwise the result of `search`. */
  find(
    layout: GitLayout,
    kind: 'filters' | 'all',
    search: () => Promise<FoundFilters>,
  ): Promise<readonly GitSetting[]>
}

/** Milliseconds within which two changes of a file may get the same time stamp. */
const tickMs = 50

/**
 * Creates a cache, for callers that start git many times in the same few repositories. The checkouts of a
 * repository share a result unless a checkout has a separate configuration.
 */
export function rememberFilters(): FilterMemory {
  const settingsByKey = new Map<string, { files: string[]; signs: string; settings: readonly GitSetting[] }>()
  return {
    async find(layout, kind, search) {
      // The configuration of a submodule may change without a change of the files that are compared, so
      // nothing is cached.
      if (mayHaveSubmodules(layout)) return (await search()).settings
      const key = `${kind} ${existsSync(ownConfig(layout)) ? layout.gitDir : layout.commonDir}`
      const before = settingsByKey.get(key)
      if (before && signsOf(before.files).text === before.signs) return before.settings
      const usual = usualFiles(layout)
      const first = signsOf(usual)
      const { settings, origins } = await search()
      settingsByKey.delete(key)
      // Nothing is cached if other files may decide the result. Nothing is cached either if a file changed
      // during the search, because git may have read its old or its new version.
      if (!origins || signsOf(usual).text !== first.text) return settings
      const files = [...new Set([...usual, ...origins])]
      const { text, newest } = signsOf(files)
      if (Date.now() - newest > tickMs) settingsByKey.set(key, { files, signs: text, settings })
      return settings
    },
  }
}

const ownConfig = ({ gitDir }: GitLayout) => join(gitDir, 'config.worktree')

/** Returns configuration files that git reads if they exist. */
function usualFiles(layout: GitLayout): string[] {
  const home = homeDir()
  const configHome = process.env.XDG_CONFIG_HOME || join(home, '.config')
  return [
    ownConfig(layout),
    join(layout.commonDir, 'config'),
    join(home, '.gitconfig'),
    join(configHome, 'git', 'config'),
    '/etc/gitconfig',
  ]
}

/**
 * Returns a text that changes when one of these files changes, and the latest of their ctimes in
 * milliseconds. Unlike a modification time, a ctime cannot be set by a program.
 */
function signsOf(files: readonly string[]): { text: string; newest: number } {
  let newest = 0
  const rows = files.flatMap((path) =>
    [lstatSync, statSync].map((statPath) => {
      const stat = statPath(path, { bigint: true, throwIfNoEntry: false })
      // The times of a directory do not change when its files do, so only its identity counts.
      if (!stat || stat.isDirectory()) return stat ? `folder ${stat.dev} ${stat.ino}` : '-'
      newest = Math.max(newest, Number(stat.ctimeMs))
      return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
    }),
  )
  return { text: rows.join('\n'), newest }
}
