// The real target of a path, and whether it is inside the workspace.

import { realpathSync } from 'node:fs'
import { dirname, normalize } from 'node:path'
import { cacheDir, configDir, dataDir, homeDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { codeOf, type FailureCode, FailureError } from '../../base/errors.ts'
import type { PermissionAction } from '../level.ts'
import type { OperandAccess } from '../part-effects.ts'
import type { PathRoots } from '../policy.ts'
import { type DiskView, readLinkTarget } from './disk-view.ts'
import { guardedName, instructionName, isOrdinary, isSensitive } from './sensitive-names.ts'

/** A path resolved through symlinks. A missing path is resolved through its nearest existing parent. */
export interface ResolvedPath {
  /** The path exactly as the caller wrote it. */
  given: string
  /** Absolute path as the caller wrote it, without following links. */
  named: string
  /** Absolute path after all links were followed. */
  real: string
  exists: boolean
  /** The accessible directory that contains the path; undefined if the path is outside all of them. */
  root: string | undefined
  /** The path for screens: relative to the workspace if the workspace contains it, else the real path. */
  shown: string
}

/** The decision on a path by its position and name, before any rule is checked: allow, ask or deny. */
export interface PathJudgement {
  action: PermissionAction
  /** Error code for a call that may not use the path. Set if `action` is `deny` or `ask`. */
  code: FailureCode | undefined
  text: string
}

/**
 * Resolves a path as the kernel would: relative to `cwd`, `..` after links, `~` and `~/` as the home
 * directory. Callers must open `real`, not `rawPath`. With `disk`, `cwd` must be real, and names are looked
 * up in `disk` (only on Linux). Throws FailureError `bad_args` for a path that no file can have (a NUL byte,
 * too long, a circle of links).
 */
export function resolvePath(cwd: string, roots: PathRoots, rawPath: string, disk?: DiskView): ResolvedPath {
  if (rawPath.includes('\0')) throw createPathFailure(rawPath, 'contains a NUL byte')
  if (Buffer.byteLength(rawPath) > 4_096) throw createPathFailure(rawPath, 'is longer than 4,096 bytes')
  const start = toAbsolutePath(cwd, rawPath, roots.home)
  const { real, exists } =
    disk && exactNames ? lookUpPath(cwd, start, rawPath, disk) : followLinks(start, rawPath)
  const root = rootOf(real, roots)
  return {
    given: rawPath,
    named: trimSlash(normalize(start)),
    real,
    exists,
    root,
    shown: toShownPath(real, roots.workspace),
  }
}

function rootOf(real: string, { workspace, added, temporary = workspace }: PathRoots): string | undefined {
  return [workspace, ...added, temporary].find((dir) => isWithin(real, dir))
}

/** Returns true if `path` is `dir` or is below it. Both must be absolute and without links. */
export function isWithin(path: string, dir: string): boolean {
  return path === dir || path.startsWith(dir.endsWith('/') ? dir : `${dir}/`)
}

/**
 * Matches paths below which each process sees different files, so that a command sees other files
 * than Anode does.
 */
export const processPathPattern = /^\/(?:proc\/(?:self|thread-self|\d+)|dev\/fd)(?:\/|$)/

/**
 * True on Linux, where names are compared exactly. Other file systems may accept several spellings of a name,
 * so only they can tell which file is meant.
 */
const exactNames = process.platform === 'linux'

/** Describes a path that is outside all accessible directories. */
export const describeOutside = ({ given: rawPath, real }: ResolvedPath): string => {
  const where = rawPath === real ? 'is' : `leads to ${real},`
  return `${rawPath} ${where} outside of the workspace and of the added directories`
}

/**
 * Judges a path for a file tool. Denied are writes to protected directories, and paths outside all accessible
 * directories, except reads in `roots.reading` and writes of files in `roots.writing`. Secret names and
 * Anode's directories need approval; for a write also files that can start programs or that agents read as
 * instructions. The rest is allowed. Reads no file.
 */
export function judgePath(place: ResolvedPath, access: 'read' | 'write', roots: PathRoots): PathJudgement {
  const root = rootOf(place.real, roots)
  if (root === undefined) {
    const readable = access === 'read' && roots.reading?.find((dir) => isWithin(place.real, dir))
    if (access === 'write' && roots.writing?.includes(place.real)) {
      return { action: 'allow', code: undefined, text: `${place.real} may be written` }
    }
    if (readable) {
      const text = `${place.real} is in ${readable}, which may be read`
      return { action: 'allow', code: undefined, text }
    }
    return { action: 'deny', code: 'outside_workspace', text: describeOutside(place) }
  }
  const protectedPath = access === 'write' && protectedBy(place, roots)
  if (protectedPath) {
    const text = `${place.shown} is in ${protectedPath}, which is protected`
    return { action: 'deny', code: 'protected_path', text }
  }
  const judgement = judgeNames(place, access, roots, root)
  return judgement ?? { action: 'allow', code: undefined, text: `${place.shown} is in the workspace` }
}

/**
 * Judges a path in the words of a command; undefined if the path needs no approval. A path that no tool may
 * write needs approval unless the command only reads it, because it is unknown what the program does with it.
 * A path outside the workspace is judged by its names. Reads no file.
 */
export function judgeOperand(
  place: ResolvedPath,
  access: OperandAccess,
  roots: PathRoots,
): PathJudgement | undefined {
  const protectedPath = access !== 'read' && protectedBy(place, roots)
  if (protectedPath) {
    const relation = isWithin(place.real, protectedPath) ? 'is in' : 'contains'
    return {
      action: 'ask',
      code: 'protected_path',
      text: `${place.shown} ${relation} ${protectedPath}, which is protected`,
    }
  }
  const root = rootOf(place.real, roots)
  return judgeNames(place, access, roots, root)
}

/** Judges a path by its names and by Anode's directories; undefined if neither is a reason to ask. */
function judgeNames(
  place: ResolvedPath,
  access: OperandAccess,
  roots: PathRoots,
  root: string | undefined,
): PathJudgement | undefined {
  const anodeDir = (roots.own ?? anodeDirs()).find(
    (dir) => isWithin(place.real, dir) && !(root !== undefined && isWithin(root, dir)),
  )
  if (anodeDir)
    return { action: 'ask', code: 'protected_path', text: `${place.shown} belongs to Anode itself` }
  const names = namesOf(place, root)
  const isIncluded = [place.real, place.named].some((path) => roots.instructions?.has(path))
  if (!isIncluded && names.every(isOrdinary)) return undefined
  const guard = access === 'write' ? (guardedName(names[0]) ?? guardedName(names[1])) : undefined
  if (guard !== undefined) {
    const text = `writing ${place.shown} always asks: ${guard} can decide what runs later`
    return { action: 'ask', code: 'protected_path', text }
  }
  const isInstruction = isIncluded || names.some((name) => instructionName(name))
  if (access === 'write' && !roots.openInstructions && isInstruction) {
    const text = `writing ${place.shown} asks: agents read it as instructions`
    return { action: 'ask', code: 'protected_path', text }
  }
  if (!names.some(isSensitive)) return undefined
  return { action: 'ask', code: 'sensitive_path', text: `${place.shown} has a name that may hold secrets` }
}

const protectedBy = (place: ResolvedPath, roots: PathRoots) =>
  roots.protected.find((dir) => reachesDir(place, dir))

/**
 * Returns true if a path is the directory `dir`, is below it, or contains it. The path as written counts too,
 * because a link in the directory may lead out of it.
 */
function reachesDir(place: ResolvedPath, dir: string): boolean {
  return isWithin(place.real, dir) || isWithin(dir, place.real) || isWithin(place.named, dir)
}

/**
 * Returns two forms of a path by which its names are judged: with links followed, and as written. Each form
 * is relative to `root` if it is inside it.
 */
function namesOf(place: ResolvedPath, root: string | undefined): [string, string] {
  if (root === undefined) return [place.real, place.named]
  const below = (path: string) => path.slice(root.length)
  return [below(place.real), isWithin(place.named, root) ? below(place.named) : place.given]
}

/**
 * Returns Anode's own directories for this environment, with links followed. A session looks them up
 * once, for `PathRoots.own`.
 */
export function anodeDirs(env: EnvironmentVariables = process.env): string[] {
  return [configDir(env), dataDir(env), cacheDir(env)].map(
    (dir) => followLinks(toAbsolutePath('/', dir), dir).real,
  )
}

function toAbsolutePath(cwd: string, rawPath: string, home?: string): string {
  if (rawPath === '~' || rawPath.startsWith('~/')) return (home ?? homeDir()) + rawPath.slice(1)
  return rawPath.startsWith('/') ? rawPath : `${cwd}/${rawPath}`
}

function followLinks(start: string, rawPath: string): { real: string; exists: boolean } {
  try {
    return { real: realpathSync.native(start), exists: true }
  } catch (error) {
    // A path that is missing or cannot be read is resolved as far as it exists.
    if (codeOf(error) === 'ELOOP') throw createPathFailure(rawPath, 'is a circle of links')
    return resolveExisting(resolveLinks(start, rawPath))
  }
}

/** Resolves a path through a view of the disk, which looks up every name on the way. */
function lookUpPath(
  cwd: string,
  start: string,
  rawPath: string,
  disk: DiskView,
): { real: string; exists: boolean } {
  const relative = start.startsWith(`${cwd}/`)
  const link = (path: string) => (processPathPattern.test(path) ? '' : disk.link(path))
  const real = resolveLinks(
    relative ? start.slice(cwd.length + 1) : start,
    rawPath,
    relative ? cwd : '/',
    link,
  )
  return { real, exists: real === '/' || disk.link(real) !== undefined }
}

/**
 * Returns the path with links followed, component by component. Missing components keep their written form.
 */
function resolveLinks(
  start: string,
  rawPath: string,
  from = '/',
  link: DiskView['link'] = readLinkTarget,
): string {
  const rest = start.split('/').reverse()
  let at = from
  let links = 0
  // The first missing component of the path. No component below it can be a link.
  let missingPath: string | undefined
  for (let part = rest.pop(); part !== undefined; part = rest.pop()) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (at === missingPath) missingPath = undefined
      at = dirname(at)
      continue
    }
    const next = at === '/' ? `/${part}` : `${at}/${part}`
    const target = missingPath === undefined ? link(next) : undefined
    if (target === undefined) missingPath ??= next
    if (!target) at = next
    else if (++links > 40) throw createPathFailure(rawPath, 'is a circle of links')
    else {
      if (target.startsWith('/')) at = '/'
      rest.push(...target.split('/').reverse())
    }
  }
  return at
}

/**
 * Returns the path with its existing part spelled as the file system spells it (letter case on macOS), and
 * whether all of it exists.
 */
function resolveExisting(path: string): { real: string; exists: boolean } {
  for (let dir = path; dir !== '/'; dir = dirname(dir)) {
    try {
      return { real: realpathSync.native(dir) + path.slice(dir.length), exists: dir === path }
    } catch {
      // `dir` is missing too, so its parent is tried next
    }
  }
  return { real: path, exists: path === '/' }
}

function trimSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path
}

function toShownPath(real: string, workspace: string): string {
  if (real === workspace) return '.'
  return isWithin(real, workspace) ? real.slice(workspace === '/' ? 1 : workspace.length + 1) : real
}

function createPathFailure(rawPath: string, why: string): FailureError {
  const name = JSON.stringify(rawPath.length > 80 ? `${rawPath.slice(0, 80)}…` : rawPath)
  return new FailureError({ code: 'bad_args', message: `path ${name} ${why}` })
}
