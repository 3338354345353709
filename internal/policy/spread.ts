// Files that a command writes without naming them: tracked files of git, or the content of an archive
// or a patch.
import type { DiskView } from './paths/disk-view.ts'
import { isWithin, judgeOperand, resolvePath } from './paths/path-jail.ts'
import {
  findSensitiveContents,
  listedPlace,
  type SensitiveContent,
  type SensitiveScanBudget,
} from './paths/sensitive-contents.ts'
import { isOrdinary } from './paths/sensitive-names.ts'
import type { PathRoots } from './policy.ts'
import { findTracked } from './shell/git/tracked-files.ts'
import { findProgram, type ProgramEntry, traitWords } from './shell/programs/program-table.ts'
import type { ShellPart } from './shell/shell-part.ts'

interface WriteSpread {
  /** True if the command may write any file in `areas` that git tracks. */
  tracked: boolean
  /** True if the command may write or remove any file in `areas`. */
  below: boolean
  /** Matches names of files that the command never writes. */
  skip?: RegExp
  /**
   * Directories and files that limit the writes of the command. Relative paths start at
   * its working directory.
   */
  areas: readonly string[]
}

/**
 * Returns the files that a simple command may write without naming them, according to the table of programs;
 * undefined if it writes no such files.
 */
export function spreadOf({ words }: ShellPart): WriteSpread | undefined {
  const program = nameOf(words[0] ?? '')
  const at = words.findIndex((word, i) => i > 0 && !word.startsWith('-'))
  const name = program === 'git' ? `git ${words[at]}` : program
  const entry = findProgram('effects', name)
  const kind = entry?.traits.get('spreads')
  if (!entry || kind === undefined) return undefined
  const rest = addFirstDash(words.slice(program === 'git' ? at + 1 : 1), entry)
  if (!isApplicable(rest, entry)) return undefined
  const more = hasOption(rest, traitWords(entry, 'untracked'))
  return {
    tracked: kind === 'tracked',
    below: kind === 'below' || more,
    // Git never touches the `.git` directory of the checkout that it cleans.
    skip: program === 'git' ? /^\.git$/ : undefined,
    areas: areasOf(rest, entry),
  }
}

const nameOf = (word: string) => word.slice(word.lastIndexOf('/') + 1)

/** Returns the words with a dash before a first word of options that needs no dash, as in `tar xf`. */
function addFirstDash(words: readonly string[], { traits }: ProgramEntry): readonly string[] {
  const [first = '', ...more] = words
  return traits.has('bundle') && /^[a-zA-Z]/.test(first) ? [`-${first}`, ...more] : words
}

function isApplicable(words: readonly string[], program: ProgramEntry): boolean {
  const { patterns } = program
  const idle = traitWords(program, 'idle')
  if (words.some((word) => idle.some((letter) => word.startsWith(`-${letter}`)))) return false
  const text = ` ${words.join(' ')} `
  return patterns.length === 0 || patterns.some((pattern) => pattern.test(text))
}

/**
 * Returns true if one of the options is set, also as a letter of a cluster or as the beginning of
 * a long name.
 */
function hasOption(words: readonly string[], names: readonly string[]): boolean {
  return names.some((name) =>
    name.length > 1
      ? words.some((word) => /^--\w/.test(word) && `--${name}`.startsWith(word))
      : words.some((word) => /^-\w/.test(word) && word.includes(name)),
  )
}

/**
 * Returns the directories and files that limit the writes of a command: `/` if an option allows absolute
 * paths, `.` (the whole working directory) if the words name none or they are uncertain.
 */
function areasOf(words: readonly string[], program: ProgramEntry): string[] {
  const { traits } = program
  const everything = ['.']
  if (hasOption(words, traitWords(program, 'absolute'))) return ['/']
  if (traits.has('into')) return folderAfter(words, traitWords(program, 'into')) ?? everything
  if (words.some((word) => word.startsWith('--pathspec'))) return everything
  const dash = words.indexOf('--')
  const behind = dash < 0 ? [] : words.slice(dash + 1)
  const before = traits.has('paths') ? (dash < 0 ? words : words.slice(0, dash)) : []
  const paths = [...before.filter((word) => !word.startsWith('-')), ...behind]
  const areas = paths.map(fixedPart)
  return traits.has('whole') || areas.length === 0 || areas.includes('') ? everything : areas
}

/**
 * Returns the directory or file that contains every match of a git path; empty if the path
 * may match anything.
 */
function fixedPart(path: string): string {
  if (path.startsWith(':')) return ''
  const [plain = ''] = path.split(/[*?[\\]/)
  return plain === path ? path : plain.slice(0, plain.lastIndexOf('/') + 1)
}

/**
 * Returns the target directory that an option sets, as a list of one; undefined unless the option occurs
 * exactly once with a value.
 */
function folderAfter(words: readonly string[], names: readonly string[]): string[] | undefined {
  const folders = words.flatMap((word, i) => {
    for (const name of names) {
      const option = name.length > 1 ? `--${name}` : `-${name}`
      if (word === option) return [words[i + 1] ?? '']
      const attached = name.length > 1 ? `${option}=` : option
      if (word.startsWith(attached)) return [word.slice(attached.length)]
    }
    return []
  })
  return folders.length === 1 && folders[0] !== '' ? folders : undefined
}

interface SpreadContext {
  roots: PathRoots
  disk: DiskView
  budget: SensitiveScanBudget
  /** Every directory in which the line may run. `lost` is true if it may also run in an unknown one. */
  dirs: readonly string[]
  lost: boolean
}

/**
 * Returns protected and secret paths among the files that a simple command may write without naming them. A
 * result has no path if the command may write such files but which ones is unknown.
 */
export function spreadHoldings(spread: WriteSpread, context: SpreadContext): SensitiveContent[] {
  if (context.lost) return [{ folder: '.', unnamed: true }]
  const contents = context.dirs.flatMap((dir) => [
    ...(spread.tracked ? trackedIn(dir, spread, context) : []),
    ...(spread.below ? belowOf(dir, spread, context) : []),
  ])
  return contents.map((one) => ({ ...one, unnamed: true as const }))
}

function trackedIn(dir: string, { areas }: WriteSpread, { roots, disk }: SpreadContext): SensitiveContent[] {
  const limits = areas.includes('.') ? undefined : placesOf(areas, dir, roots, disk)?.map(({ real }) => real)
  const trackedSearch = findTracked(dir, (path) => {
    if (limits && !limits.some((limit) => isWithin(path, limit))) return false
    const place = listedPlace(path, roots)
    return !isOrdinary(place.shown) && judgeOperand(place, 'write', roots)?.code !== undefined
  })
  const folder = '.'
  if (trackedSearch === 'none') return []
  return [
    trackedSearch === 'unknown' ? { folder } : { folder, place: listedPlace(trackedSearch.path, roots) },
  ]
}

function belowOf(
  dir: string,
  { areas, skip }: WriteSpread,
  { roots, disk, budget }: SpreadContext,
): SensitiveContent[] {
  const places = placesOf(areas, dir, roots, disk)
  if (!places) return [{ folder: '.' }]
  const options = { access: 'write' as const, skip }
  return places.flatMap((place) => findSensitiveContents(place, roots, disk, budget, options))
}

/** Returns the paths of the areas; undefined if one of the names cannot be a path. */
function placesOf(areas: readonly string[], dir: string, roots: PathRoots, disk: DiskView) {
  try {
    return areas.map((area) => resolvePath(dir, roots, area.startsWith('~') ? `./${area}` : area, disk))
  } catch {
    // The path is invalid, so the target of the write is unknown.
    return undefined
  }
}
