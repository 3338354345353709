// Files that rules forbid and that a simple command reads because it reads whole directories.
import { isDirectory } from '../base/files/path-lookup.ts'
import type { PartEffects } from './part-effects.ts'
import type { DiskView } from './paths/disk-view.ts'
import { isWithin, type ResolvedPath } from './paths/path-jail.ts'
import { listedPlace } from './paths/sensitive-contents.ts'
import type { PathRoots } from './policy.ts'
import { findClosedFiles, type ReachedFiles, reachesNone } from './ruled-places.ts'
import { fileRuleFits } from './rules/file-rules.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import type { CommandClass } from './shell/command-classes.ts'
import { findTracked } from './shell/git/tracked-files.ts'
import { isListed } from './shell/programs/program-table.ts'
import type { ShellPart } from './shell/shell-part.ts'
import { spreadOf } from './spread.ts'

interface ReachScene {
  roots: PathRoots
  disk: DiskView
  dirs: readonly string[]
  /** Rules that forbid files, of the policy and its parents. */
  closing: readonly PermissionRule[]
  budget: { ruled: number }
}

interface ReadFolders {
  /** Every path that the words of the command name. */
  named: readonly ResolvedPath[]
  /** Returns the directories that a search of the command enters. */
  searched: () => readonly ResolvedPath[]
}

/**
 * Returns, for each rule, the first forbidden file below the directories that a simple command reads. Empty
 * if no rule forbids files.
 */
export function reachOf(
  part: ShellPart,
  commandClass: CommandClass | undefined,
  { access, moves }: Pick<PartEffects, 'access' | 'moves'>,
  folders: ReadFolders,
  scene: ReachScene,
): ReachedFiles {
  const { closing: rules, roots, disk, budget } = scene
  if (rules.length === 0) return reachesNone
  const [first = '', ...words] = part.words
  const program = first.slice(first.lastIndexOf('/') + 1)
  const command = words.find((word) => !word.startsWith('-')) ?? ''
  const isGit = program === 'git'
  if (commandClass?.searches === 'tracked' || (isGit && !commandClass && isListed('git printers', command)))
    return trackedFiles(commandClass?.below ?? ['.'], folders, scene)
  const search = { rules, roots, disk, budget }
  if (commandClass?.searches) {
    const skip = commandClass.searches === 'visible' ? /^\./ : undefined
    return { ...findClosedFiles(folders.searched(), search, skip), sure: true }
  }
  // A command of a known class reads no directories here, and `git add` and similar commands show no content.
  if (commandClass || (isGit && access === 'read')) return reachesNone
  const sure = moves || (isListed('packers', program) && spreadOf(part) === undefined)
  const named = folders.named.filter((place) => place.exists)
  return { ...findClosedFiles(named, search), sure }
}

/**
 * Returns the forbidden files among those that git tracks, one for each rule and directory, unless
 * the command's paths exclude them. Git may show only some of them. `cut` is true if the tracked
 * files are unknown.
 */
function trackedFiles(below: readonly string[], { named }: ReadFolders, scene: ReachScene): ReachedFiles {
  const { closing, roots, dirs } = scene
  const limits = below.includes('.') ? [] : named.filter(({ exists }) => exists)
  const places: ResolvedPath[] = []
  let isCut = false
  for (const dir of dirs)
    for (const rule of closing) {
      const tracked = findTracked(dir, (path) => {
        if (limits.length > 0 && !limits.some(({ real }) => isWithin(path, real))) return false
        return fileRuleFits(rule, listedPlace(path, roots), roots)
      })
      if (tracked === 'unknown') isCut = true
      else if (tracked !== 'none') places.push(listedPlace(tracked.path, roots))
    }
  return { places, cut: isCut, sure: false }
}

/**
 * Returns true if at least one argument of the command is the path of an existing file. Directories and the
 * program itself do not count.
 */
export function namesFile({ words: [program] }: ShellPart, named: readonly ResolvedPath[]): boolean {
  return named.some(({ given: text, real, exists }) => exists && text !== program && !isDirectory(real))
}
