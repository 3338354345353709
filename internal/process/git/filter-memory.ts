// Remembers which filters a repository names, for as long as no file that git read to find them has changed.
import { lstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { homedir } from '../../base/home.ts'
import type { GitSetting } from './git-environment.ts'
import type { GitLayout } from './git-layout.ts'

/** What a search found, and the files that it depends on besides those every search does. */
export interface FoundFilters {
  settings: readonly GitSetting[]
  /** Files of configuration that git read; undefined where what it read cannot be told by a few files. */
  origins: readonly string[] | undefined
}

export interface FilterMemory {
  /** What was found before, if nothing has changed since; else what `search` finds now. */
  find(layout: GitLayout, search: () => Promise<FoundFilters>): Promise<readonly GitSetting[]>
}

/** A change this young may be followed by another one that carries the same time. */
const tickMs = 50

/** For callers that start git many times in the same few checkouts. */
export function rememberFilters(): FilterMemory {
  const known = new Map<string, { files: string[]; signs: string; settings: readonly GitSetting[] }>()
  return {
    async find(layout, search) {
      const before = known.get(layout.top)
      if (before && signsOf(before.files).text === before.signs) return before.settings
      const usual = usualFiles(layout)
      const first = signsOf(usual)
      const { settings, origins } = await search()
      known.delete(layout.top)
      // a file that was changed while git read it has been read as one or the other
      if (!origins || signsOf(usual).text !== first.text) return settings
      const files = [...new Set([...usual, ...origins])]
      const { text, newest } = signsOf(files)
      if (Date.now() - newest > tickMs) known.set(layout.top, { files, signs: text, settings })
      return settings
    },
  }
}

/** Files that git reads where they exist; the index tells which submodules there are. */
function usualFiles({ top, gitDir, commonDir }: GitLayout): string[] {
  const home = homedir()
  const own = process.env.XDG_CONFIG_HOME || join(home, '.config')
  return [
    ...['index', 'config.worktree', 'commondir'].map((name) => join(gitDir, name)),
    join(top, '.git'),
    join(commonDir, 'config'),
    join(home, '.gitconfig'),
    join(own, 'git', 'config'),
    '/etc/gitconfig',
  ]
}

/** What shows a change of any of these; no program can set a change time back. */
function signsOf(files: readonly string[]): { text: string; newest: number } {
  let newest = 0
  const rows = files.flatMap((path) =>
    [lstatSync, statSync].map((statPath) => {
      const stat = statPath(path, { bigint: true, throwIfNoEntry: false })
      // the times of a folder say nothing about the files in it
      if (!stat || stat.isDirectory()) return stat ? `folder ${stat.dev} ${stat.ino}` : '-'
      newest = Math.max(newest, Number(stat.ctimeMs))
      return `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
    }),
  )
  return { text: rows.join('\n'), newest }
}
