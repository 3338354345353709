// Where a repository is, found without git, its branch, and which of its files would keep git waiting or fill
// its memory.
import { lstatSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../../base/errors.ts'
import { readSmall } from '../../base/files/small-file.ts'
import { homedir } from '../../base/home.ts'

export interface GitLayout {
  /** Top of the checkout. */
  top: string
  /** Folder of the checkout's index and HEAD. */
  gitDir: string
  /** Folder of configuration, references and objects. */
  commonDir: string
}

/**
 * The checkout that holds `dir`, by the nearest `.git`; undefined outside of any. Throws UserError for a
 * `.git` that cannot be read.
 */
export function findGitLayout(dir: string): GitLayout | undefined {
  for (let top = dir; ; top = dirname(top)) {
    const dot = join(top, '.git')
    const stat = statOf(dot)
    // like git: a directory without HEAD is not a repository
    if (stat?.isDirectory()) {
      if (lstatOf(join(dot, 'HEAD'))) return layoutOf(top, dot)
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

/** What git reads at nearly every call. */
const always = {
  top: ['.gitignore', '.gitattributes', '.gitmodules'],
  gitDir: ['HEAD', 'index', 'config.worktree', 'sharedindex', 'info/sparse-checkout'],
  commonDir: [
    ...['config', 'packed-refs', 'shallow', 'commondir', 'info/exclude', 'info/attributes', 'info/grafts'],
    ...['objects/info/alternates', 'objects/info/commit-graph', 'objects/pack/multi-pack-index'],
  ],
}

/** The first file of those that git reads at nearly every call which is a pipe, device or far too large. */
export function findBlockingFile(layout: GitLayout): string | undefined {
  for (const [place, names] of Object.entries(always))
    for (const name of names) {
      const path = join(layout[place as keyof GitLayout], name)
      if (isBlocking(path, place === 'top' || name.startsWith('info/') || name === 'config')) return path
    }
  return undefined
}

/** Files of any folder that git or a search opens to learn what to leave out. */
const perFolder = new Set(['.gitignore', '.gitattributes', '.ignore', '.rgignore'])
const maxFolders = 100_000

/** More than any list of patterns that a person wrote; git would read it into memory whole. */
const maxPatternBytes = 16 << 20

/**
 * The first file that git or a search below `dir` may be waiting for: a list of patterns in any folder,
 * anything in the repository's own folder, or what its configuration includes. Walks until found, done or
 * aborted.
 */
export async function searchBlockingFile(
  dir: string,
  layout: GitLayout | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const included = layout && includesOf(layout).find((path) => isBlocking(path, true))
  if (included !== undefined) return included
  // loaded here, because most calls are over before anything is looked for
  const { readdir } = process.getBuiltinModule('node:fs/promises')
  const inside = async (top: string, skipped: string, isAsked: (name: string) => boolean) => {
    const folders = [top]
    for (let i = 0; i < Math.min(folders.length, maxFolders) && !signal.aborted; i++) {
      const at = folders[i] as string
      // a folder that cannot be read holds nothing that git could read
      for (const entry of await readdir(at, { withFileTypes: true }).catch(() => [])) {
        const path = join(at, entry.name)
        if (entry.isDirectory()) {
          if (entry.name !== skipped) folders.push(path)
        } else if (isAsked(entry.name) && isBlocking(path, top !== layout?.commonDir)) return path
      }
    }
    return undefined
  }
  const own = layout && (await inside(layout.commonDir, 'objects', () => true))
  return own ?? inside(layout?.top ?? dir, '.git', (name) => perFolder.has(name))
}

/**
 * Files that the repository's configuration names to be read with it, as far as it says so in a plain way.
 */
function includesOf({ commonDir, gitDir }: GitLayout): string[] {
  return [join(commonDir, 'config'), join(gitDir, 'config.worktree')].flatMap((file) => {
    const stat = statOf(file)
    const text = stat?.isFile() && stat.size < 1 << 20 ? readFileSync(file, 'latin1') : ''
    const paths = text.matchAll(/^\s*(?:path|excludesFile|attributesFile)\s*=\s*"?([^"\n]+?)"?\s*$/gim)
    return [...paths].map(([, path = '']) => resolve(dirname(file), path.replace(/^~(?=\/)/, homedir())))
  })
}

/** What is there behind links; undefined when nothing is, or it may not be looked at. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    // a circle of links, or a folder that may not be searched: nobody can open it
    return lstatOf(path)
  }
}

function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function isBlocking(path: string, isPattern: boolean): boolean {
  const stat = statOf(path)
  // programs of git's own listen on sockets beside its files; nobody opens one to read it
  if (!stat || stat.isDirectory() || stat.isSymbolicLink() || stat.isSocket()) return false
  if (stat.isFile()) return isPattern && stat.size > maxPatternBytes
  // the null device is an empty file to everybody who reads it
  return !(stat.isCharacterDevice() && stat.rdev === statSync('/dev/null').rdev)
}

/** A longer name of a branch is not shown. */
const maxBranchChars = 200

/**
 * The branch that is checked out, or `detached` and the first eight digits of the commit. Undefined outside
 * of a checkout, and where it cannot be read. It costs no process.
 */
export function readGitBranch(dir: string): string | undefined {
  try {
    const layout = findGitLayout(dir)
    const head = layout && readSmall(join(layout.gitDir, 'HEAD'), 4096)?.trim()
    // repositories with reference tables have a placeholder there
    if (!head || head === 'ref: refs/heads/.invalid') return undefined
    const name = /^ref: refs\/heads\/([^\n]+)$/.exec(head)?.[1]
    if (name !== undefined) return name.length <= maxBranchChars ? name : undefined
    return /^[0-9a-f]{40,64}$/.test(head) ? `detached ${head.slice(0, 8)}` : undefined
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return undefined
  }
}
