// The directories of a repository, found without git, its branch, and its files that would block git or
// fill its memory.
import { readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { homeDir } from '../../base/dirs.ts'
import { UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/open-file.ts'
import { findStats, pathExists } from '../../base/files/path-lookup.ts'

export interface GitLayout {
  /** Top of the checkout. */
  top: string
  /** Directory of the checkout's index and HEAD. */
  gitDir: string
  /** Directory of configuration, references and objects. */
  commonDir: string
}

/**
 * Returns the checkout that contains `dir`, by the nearest `.git`; undefined outside any checkout. Throws
 * UserError for a `.git` that cannot be read.
 */
export function findGitLayout(dir: string): GitLayout | undefined {
  for (let top = dir; ; top = dirname(top)) {
    const dot = join(top, '.git')
    const stat = statOf(dot)
    // Like git, a directory `.git` without a file HEAD is not taken for a repository.
    if (stat?.isDirectory()) {
      if (pathExists(join(dot, 'HEAD'))) return layoutOf(top, dot)
    } else if (stat) {
      const target = /^gitdir: (.+)$/m.exec(readSmall(dot, 4096) ?? '')?.[1]
      if (target !== undefined) return layoutOf(top, resolve(top, target.trim()))
    }
    if (dirname(top) === top) return undefined
  }
}

function layoutOf(top: string, gitDir: string): GitLayout {
  const common = readSmall(join(gitDir, 'commondir'), 4096)?.trim()
  return { top, gitDir, commonDir: common ? resolve(gitDir, common) : gitDir }
}

/** Files that git reads in nearly every call, by the directory that contains them. */
const always = {
  top: ['.gitignore', '.gitattributes', '.gitmodules'],
  gitDir: ['HEAD', 'index', 'config.worktree', 'sharedindex', 'info/sparse-checkout'],
  commonDir: [
    ...['config', 'packed-refs', 'shallow', 'commondir', 'info/exclude', 'info/attributes', 'info/grafts'],
    ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'],
  ],
}

/**
 * Returns the first blocking file among those that git reads at nearly every call: a pipe, a device, or a
 * pattern list or `config` above 16 MiB. Undefined if no file blocks.
 */
export function findBlockingFile(layout: GitLayout): string | undefined {
  for (const [place, names] of Object.entries(always))
    for (const name of names) {
      const path = join(layout[place as keyof GitLayout], name)
      if (isBlocking(path, place === 'top' || name.startsWith('info/') || name === 'config')) return path
    }
  return undefined
}

/** Files of any directory that git or a search opens to learn which files to skip. */
const perFolder = new Set(['.gitignore', '.gitattributes', '.ignore', '.rgignore'])
const maxFolders = 100_000

/**
 * Largest size in bytes of a list of patterns or a configuration, above any that a user writes. A larger file
 * counts as blocking, because git reads the whole file into memory.
 */
const maxPatternBytes = 16 << 20

/**
 * Returns the first file that may block git or a search: a list of patterns in the checkout (without a
 * checkout, below `dir`), a file of the repository, or a file that its configuration includes. Undefined if
 * the first 100,000 directories of each search contain no such file, or once `signal` aborts.
 */
export async function searchBlockingFile(
  dir: string,
  layout: GitLayout | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const included = layout && includesOf(layout).find((path) => isBlocking(path, true))
  if (included !== undefined) return included
  // loaded here, because most calls end before a search starts
  const { readdir } = process.getBuiltinModule('node:fs/promises')
  const inside = async (top: string, skipped: string, isAsked: (name: string) => boolean) => {
    const folders = [top]
    for (let i = 0; i < Math.min(folders.length, maxFolders) && !signal.aborted; i++) {
      const at = folders[i] as string
      // git cannot read an unreadable directory either
      for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
        const path = join(at, entry.name)
        if (entry.isDirectory()) {
          if (entry.name !== skipped) folders.push(path)
        } else if (isAsked(entry.name) && isBlocking(path, top !== layout?.commonDir)) return path
      }
    }
    return undefined
  }
  const blockingPath = layout && (await inside(layout.commonDir, 'objects', () => true))
  return blockingPath ?? inside(layout?.top ?? dir, '.git', (name) => perFolder.has(name))
}

/**
 * Returns the paths in the repository's configuration under `path` (of an include), `excludesFile` and
 * `attributesFile`, made absolute. A configuration of 1 MiB or more counts as empty.
 */
function includesOf({ commonDir, gitDir }: GitLayout): string[] {
  return [join(commonDir, 'config'), join(gitDir, 'config.worktree')].flatMap((file) => {
    const stat = statOf(file)
    const text = stat?.isFile() && stat.size < 1 << 20 ? readFileSync(file, 'latin1') : ''
    const paths = text.matchAll(/^\s*(?:path|excludesFile|attributesFile)\s*=\s*"?([^"\n]+?)"?\s*$/gim)
    return [...paths].map(([, path = '']) => resolve(dirname(file), path.replace(/^~(?=\/)/, homeDir())))
  })
}

/**
 * Returns the state of the target behind links; undefined if it is missing. If the target cannot be reached,
 * returns the state of the link itself.
 */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // The path is a circle of links, or is below a directory that may not be searched. No program can open
    // it, so it is harmless.
    return findStats(path)
  }
}

function isBlocking(path: string, isPattern: boolean): boolean {
  const stat = statOf(path)
  // Git's own programs listen on sockets next to its files. No program can open a socket to read it, so
  // it cannot block.
  if (!stat || stat.isDirectory() || stat.isSymbolicLink() || stat.isSocket()) return false
  if (stat.isFile()) return isPattern && stat.size > maxPatternBytes
  // The null device never blocks, because it is an empty file for every reader.
  return !(stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev)
}

/** Longest name of a branch in characters that is returned. A longer name counts as unknown. */
const maxBranchChars = 200

/**
 * Returns the branch that is checked out, or `detached` and the first eight digits of the commit. Undefined
 * outside a checkout, if HEAD cannot be read or names neither, and for a branch name over 200 characters.
 * Starts no process.
 */
export function readGitBranch(dir: string): string | undefined {
  try {
    const layout = findGitLayout(dir)
    const head = layout && readSmall(join(layout.gitDir, 'HEAD'), 4096)?.trim()
    // A repository that stores references in tables has a placeholder in HEAD.
    if (!head || head === 'ref: refs/heads/.invalid') return undefined
    const name = /^ref: refs\/heads\/([^\n]+)$/.exec(head)?.[1]
    if (name !== undefined) return name.length <= maxBranchChars ? name : undefined
    return /^[0-9a-f]{40,64}$/.test(head) ? `detached ${head.slice(0, 8)}` : undefined
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}
