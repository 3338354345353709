// Facts for the decision on a command line: its simple commands, their paths, and redirections.
import { dirname } from 'node:path'
import { type PartEffects, partEffects } from './part-effects.ts'
import { namesFile, reachOf } from './part-reach.ts'
import { type DiskView, viewDisk } from './paths/disk-view.ts'
import { type ExpansionOptions, expandGlob } from './paths/glob-expansion.ts'
import {
  isWithin,
  judgeOperand,
  processPathPattern,
  type ResolvedPath,
  resolvePath,
} from './paths/path-jail.ts'
import {
  findSensitiveContents,
  type SensitiveContent,
  type SensitiveScanBudget,
} from './paths/sensitive-contents.ts'
import { isSensitive } from './paths/sensitive-names.ts'
import type { PathRoots, Policy } from './policy.ts'
import type { CommandLine, LinePart } from './resolved-call.ts'
import { findMentioned, type MentionedFiles } from './ruled-places.ts'
import { closedFileRules, hasReadingRules } from './rules/file-rules.ts'
import type { PermissionRule } from './rules/permission-rule.ts'
import { type CommandClass, classifyPart } from './shell/command-classes.ts'
import { repositoryDoubt } from './shell/git/repository-doubt.ts'
import { findTracked } from './shell/git/tracked-files.ts'
import { analyzeLine } from './shell/line-analysis.ts'
import type { ShellAnalysis, ShellPart } from './shell/shell-part.ts'
import { spreadHoldings, spreadOf } from './spread.ts'

/** Largest number of paths that a simple command of a known class may touch; with more, it has no class. */
const maxTouched = 1_000

/** Largest number of names that are resolved per line. With more, the command needs approval. */
const maxNames = 3_000

/** Largest number of globs that are expanded per line. Further globs count as any name. */
const maxGlobs = 200

/** Largest number of directory entries that each kind of search of a line reads; more are not searched. */
const maxEntries = 10_000

/** Largest number of directory changes in a line. After more, the directory counts as unknown. */
const maxMoves = 4

/** State that the simple commands of one line share. */
interface LineScene {
  roots: PathRoots
  disk: DiskView
  /** Every directory in which the line may run commands. Which of its `cd` commands succeed is unknown. */
  dirs: readonly string[]
  /** True if the line changes to an unknown directory or changes the directory too often. */
  lost: boolean
  expansion: ExpansionOptions
  /** Rules of the policy and its parents that deny or ask about certain files and have no command pattern. */
  closing: readonly PermissionRule[]
  isReadingRuled: boolean
  budget: SensitiveScanBudget & { names: number; globs: number; ruled: number }
}

/** Returns the facts of a line that would run in `cwd` (a real path). Rejects for an impossible path. */
export async function lineFacts(line: string, cwd: string, policy: Policy): Promise<CommandLine> {
  const analysis = await analyzeLine(line, policy.roots)
  const scene = setScene(line, analysis, cwd, policy)
  const writes: ResolvedPath[] = []
  let blind = false
  for (const name of analysis.parts.flatMap((part) => part.writes)) {
    if (name === undefined || (scene.lost && !name.startsWith('/'))) blind = true
    if (name === undefined) continue
    for (const dir of scene.dirs) writes.push(resolvePath(dir, scene.roots, escapeTilde(name), scene.disk))
  }
  const parts = analysis.parts.map((part, i) => factsOf(part, analysis.parts[i + 1], scene))
  const { dirs, lost } = scene
  const repository = parts.some((part) => part.git) ? firstDoubt(dirs) : undefined
  const mentions = mentionsOf(line, analysis, scene)
  return { line, cwd, dirs, lost, parts, opaque: analysis.opaque, repository, writes, blind, mentions }
}

function mentionsOf(line: string, { opaque, parts }: ShellAnalysis, scene: LineScene): MentionedFiles {
  const isDoubtful = opaque !== undefined || parts.some((part) => part.opaque !== undefined || part.unknown)
  if (scene.closing.length === 0 || !isDoubtful) return { places: [], below: [], cut: false }
  return findMentioned(line, scene.dirs, { ...scene, rules: scene.closing })
}

function setScene(line: string, { moves, parts }: ShellAnalysis, cwd: string, policy: Policy): LineScene {
  const { roots } = policy
  const disk = viewDisk()
  const dirs = [cwd]
  let lost = moves.length > maxMoves
  for (const move of moves.slice(0, maxMoves)) {
    if (move === undefined) lost = true
    else for (const dir of [...dirs]) dirs.push(resolvePath(dir, roots, escapeTilde(move), disk).real)
  }
  // Matches commands that can change which names a glob matches.
  const changesGlobs = /^(?:shopt|setopt|.*(?:glob|GLOBIGNORE))/
  const anyName =
    /GLOBIGNORE/.test(line) || parts.some((part) => part.words.some((word) => changesGlobs.test(word)))
  const budget = { entries: maxEntries, names: maxNames, globs: maxGlobs, ruled: maxEntries }
  const closing = closedFileRules(policy)
  const isReadingRuled = hasReadingRules(policy)
  return {
    roots,
    disk,
    dirs: [...new Set(dirs)],
    lost,
    expansion: { anyName },
    closing,
    isReadingRuled,
    budget,
  }
}

function factsOf(read: ShellPart, next: ShellPart | undefined, scene: LineScene): LinePart {
  const runs = next !== undefined && next.via.length > read.via.length && runsInstalled(read, scene)
  // the program that this command starts is the next simple command, so this one is not opaque
  const part: ShellPart = runs ? { ...read, opaque: undefined } : read
  const commandClass: CommandClass | undefined = runs
    ? { class: 'building', files: [], git: false, searches: undefined, below: [] }
    : classifyPart(part)
  const effects = partEffects(part, commandClass?.class)
  const named = nameAll(part, scene)
  const touches = commandClass && !scene.lost ? touchedPaths(part, commandClass, scene) : undefined
  const folders = { named: named.names, searched: () => findSearchedDirs(commandClass?.below ?? [], scene) }
  return {
    ...part,
    ...named,
    ...effects,
    class: touches && commandClass?.class,
    touches: touches ?? [],
    git: touches !== undefined && commandClass?.git === true,
    outside: foreignPaths(commandClass?.class === 'reading' && touches ? touches : named.names, part, scene),
    searches: commandClass?.searches,
    wraps: next !== undefined && next.via.length > part.via.length,
    sensitiveContents: holdingsOf(part, named.names, effects, commandClass, scene),
    reaches: reachOf(part, commandClass, effects, folders, scene),
    namesFile: scene.isReadingRuled && namesFile(part, named.names),
  }
}

/** Returns true if `npx PROGRAM` starts an installed program, so that it downloads nothing. */
function runsInstalled(
  { words: [first, program = ''] }: ShellPart,
  { dirs, disk, lost }: LineScene,
): boolean {
  if (first !== 'npx' || lost || !/^[\w-]+$/.test(program) || program.startsWith('-')) return false
  return dirs.every((dir) => disk.link(`${dir}/node_modules/.bin/${program}`) !== undefined)
}

/** Returns the first reason why git may show files outside the repository; undefined without one. */
function firstDoubt(dirs: readonly string[]): string | undefined {
  for (const dir of dirs) {
    const doubt = repositoryDoubt(dir)
    if (doubt !== undefined) return doubt
  }
  return undefined
}

/** Returns the paths that a command may name, why there may be others, and whether names were skipped. */
function nameAll(part: ShellPart, scene: LineScene): Pick<LinePart, 'names' | 'vague' | 'cut'> {
  const places: ResolvedPath[] = []
  const loose = part.operands.find(({ certain }) => !certain)
  const lost = scene.lost && part.operands.some(({ text }) => !text.startsWith('/'))
  let open = loose ? `${loose.text} is only known at run time` : lost ? lostText : undefined
  let over = part.truncated
  for (const dir of scene.dirs) {
    // A sensitive working directory counts for every command that runs in it.
    const here = resolvePath(scene.roots.workspace, scene.roots, dir, scene.disk)
    if (judgeOperand(here, 'write', withoutProtected(scene.roots))) addPlace(places, '.', dir, scene)
    for (const { text, glob } of part.operands) {
      if (--scene.budget.names < 0) over = true
      if (over) break
      const expanded = glob ? globNames(text, dir, scene) : []
      if (!expanded) open ??= `${text} may become the name of anything`
      for (const name of [text, ...(expanded ?? [])]) addPlace(places, name, dir, scene)
    }
  }
  const processPlace = places.find(({ real }) => processPathPattern.test(real))
  if (processPlace) open ??= `${processPlace.given} is another file for each process`
  return { names: places, vague: open, cut: over }
}

/** Returns existing or creatable paths outside readable directories, except the program and `/dev/null`. */
function foreignPaths(
  places: readonly ResolvedPath[],
  part: ShellPart,
  { roots, disk }: LineScene,
): ResolvedPath[] {
  const dirs = [...(roots.reading ?? []), '/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr', '/dev/tty']
  const isCreatable = (path: string) => path.lastIndexOf('/') > 0 && disk.link(dirname(path)) !== undefined
  return places.filter(
    ({ given: rawPath, real, root, exists }) =>
      root === undefined &&
      rawPath !== part.words[0] &&
      !dirs.some((dir) => isWithin(real, dir) || rawPath === dir) &&
      (exists || isCreatable(real)),
  )
}

/** Returns the names that a glob may expand to; undefined if they are unknown. */
function globNames(glob: string, dir: string, { disk, expansion, budget }: LineScene): string[] | undefined {
  return --budget.globs < 0 ? undefined : expandGlob(glob, dir, disk, expansion)
}

/** Returns the roots without protected directories, so that directories above them are judged as others. */
const withoutProtected = (roots: PathRoots): PathRoots => ({ ...roots, protected: [] })

const lostText = 'which folder it runs in is only known at run time'

/** Adds the path that a name resolves to, if a file can have that name. */
function addPlace(places: ResolvedPath[], name: string, dir: string, { roots, disk }: LineScene): void {
  try {
    places.push(resolvePath(dir, roots, escapeTilde(name), disk))
  } catch {
    // no file can have this name, so it names no path
  }
}

/** Returns sensitive paths in directories that a simple command may search or write. */
function holdingsOf(
  part: ShellPart,
  named: readonly ResolvedPath[],
  { access, moves }: Pick<PartEffects, 'access' | 'moves'>,
  commandClass: CommandClass | undefined,
  scene: LineScene,
): SensitiveContent[] {
  const { roots, disk, budget } = scene
  const spread = commandClass ? undefined : spreadOf(part)
  const unnamed = spread ? spreadHoldings(spread, scene) : []
  // The command writes only tracked files, so other content of these directories does not matter.
  if (spread?.tracked && !spread.below && !moves) return unnamed
  if (access !== 'write' && !commandClass?.searches) return unnamed
  if (commandClass?.searches === 'tracked')
    return scene.dirs.flatMap((dir) => trackedSecrets(dir, commandClass.below, scene))
  const places = access === 'write' || !commandClass ? named : findSearchedDirs(commandClass.below, scene)
  const folders = places.filter((place) => place.exists && !judgeOperand(place, access, roots))
  const options = { access, skip: commandClass?.searches === 'visible' ? /^\./ : undefined }
  return [
    ...unnamed,
    ...folders.flatMap((place) => findSensitiveContents(place, roots, disk, budget, options)),
  ]
}

/** Returns the directories that a search reads, including those that globs may expand to. */
function findSearchedDirs(below: readonly string[], scene: LineScene): ResolvedPath[] {
  const places: ResolvedPath[] = []
  for (const dir of scene.dirs) {
    for (const folder of below) {
      const more = /[*?[]/.test(folder) ? globNames(folder, dir, scene) : []
      for (const name of [folder, ...(more ?? ['.'])]) addPlace(places, name, dir, scene)
    }
  }
  return places
}

/**
 * Returns the first tracked secret below the existing paths of `below`, by default in the checkout; empty
 * without one. If the tracked files are unknown, the result has only the directory.
 */
function trackedSecrets(dir: string, below: readonly string[], scene: LineScene): SensitiveContent[] {
  const paths: ResolvedPath[] = []
  for (const name of below) addPlace(paths, name, dir, scene)
  const limits = below.includes('.') ? [] : paths.filter(({ exists }) => exists)
  const inside = (path: string) => limits.length === 0 || limits.some(({ real }) => isWithin(path, real))
  const trackedSearch = findTracked(dir, (path) => isSensitive(path) && inside(path))
  if (trackedSearch === 'none') return []
  const folder = resolvePath(dir, scene.roots, '.', scene.disk).shown
  return [
    trackedSearch === 'unknown'
      ? { folder }
      : { folder, place: resolvePath('/', scene.roots, trackedSearch.path, scene.disk) },
  ]
}

/** Returns paths that a command of a known class may touch; undefined if they are uncertain or too many. */
function touchedPaths(part: ShellPart, command: CommandClass, scene: LineScene): ResolvedPath[] | undefined {
  const touches = new Map<string, ResolvedPath>()
  const globs = new Set(part.globs.map((i) => part.words[i] as string))
  // Globs in options were not expanded. The shell leaves such a word unchanged if no file matches it.
  const stays = (glob: string) =>
    glob.startsWith('--') && scene.dirs.every((dir) => globNames(glob, dir, scene)?.length === 0)
  if ([...globs].some((glob) => !command.files.includes(glob) && !stays(glob))) return undefined
  for (const dir of scene.dirs) {
    touches.set(dir, resolvePath(dir, scene.roots, '.', scene.disk))
    for (const file of command.files) {
      const names = globs.has(file) ? globNames(file, dir, scene) : [file]
      // a program reads a name that begins with a dash as an option
      if (!names || names.some((name) => globs.has(file) && name.startsWith('-'))) return undefined
      if (touches.size + names.length > maxTouched) return undefined
      for (const name of names)
        touches.set(`${dir}\0${name}`, resolvePath(dir, scene.roots, escapeTilde(name), scene.disk))
    }
  }
  return [...touches.values()]
}

/** Returns a name with `./` before a leading `~`; a `~` for the home directory was replaced before. */
function escapeTilde(name: string): string {
  return name.startsWith('~') ? `./${name}` : name
}
