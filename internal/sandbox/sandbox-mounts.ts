// Plan of the mounts of a sandbox in their order: the paths that are shown, hidden and writable.
import { dirname } from 'node:path'
import type { SandboxRequest } from '../process/process-command.ts'

/**
 * One mount; later ones cover earlier ones. `read`: the path is shown read-only; `write`: writable. `empty`:
 * an empty directory is shown; `mask`: an empty file. `seal`: a directory mounted as `empty` becomes
 * read-only. `private` and `fixed`: `source` is shown at `path`, writable or read-only. `link`: a link to
 * `source`. `stub`: an empty directory that reserves a name.
 */
export type SandboxMount =
  | { kind: 'empty' | 'mask' | 'read' | 'write' | 'seal' | 'stub'; path: string }
  | { kind: 'private' | 'fixed' | 'link'; path: string; source: string }

/** Paths of this machine by their role in a sandbox. All are real paths that exist. */
export interface MachinePlaces {
  /** Directories with files of users, such as /home and /root. */
  homes: readonly string[]
  /** Directories of sockets and other state of running programs. */
  runtime: readonly string[]
  /** Tool chains, their caches and configured paths inside directories that the sandbox hides. */
  tools: readonly string[]
  /** Files below `tools` that contain secrets. */
  toolSecrets: readonly string[]
  /** Temporary directories that all users share. */
  temporary: readonly string[]
  /** System directories that commands may not read; `closedFiles` are such files. */
  closed: readonly string[]
  closedFiles: readonly string[]
  /** Directories that commands may read although they are in `closed` or below a directory in `closed`. */
  open: readonly string[]
  /** Anode's directories for configuration, data and caches. */
  own: readonly string[]
}

/** Paths in the directories that a command may use, by their role. All are real paths that exist. */
export interface FolderPlaces {
  /** Files and directories that decide which programs run later, such as git hooks. Mounted read-only. */
  guarded: readonly string[]
  /** Files with secret names; `secretFolders` are directories with such names. */
  secretFiles: readonly string[]
  secretFolders: readonly string[]
  /** Files that permission rules forbid to read; `closedFolders` are such directories. They appear empty. */
  closedFiles?: readonly string[]
  closedFolders?: readonly string[]
  /** Git repositories outside the command's directories, to which a checkout in these directories points. */
  repositories: readonly string[]
  /** Unix sockets of other programs, anywhere on the machine. They are hidden. */
  sockets?: readonly string[]
  /** Git directories with history. They are read-only unless the command may commit. */
  histories: readonly string[]
  /** Directories outside the command's directories with git objects that its repositories use. */
  borrowed?: readonly string[]
  /** Checkouts that contain a directory of the command, shown read-only so that git finds its files. */
  tops?: readonly string[]
}

/** Further mounts inside the command's directories. */
export interface LaidPlaces {
  /** Empty directories that reserve protected names. */
  stubs?: readonly string[]
  /** Files and directories (`path`) in whose place a command sees another file or directory (`source`). */
  shown?: readonly { path: string; source: string }[]
  /** Paths of protected links, which are restored after the command. */
  links?: readonly string[]
}

export const mountEach = (kind: PlainMount['kind'], paths: readonly string[]): SandboxMount[] =>
  paths.map((path) => ({ kind, path }))

type PlainMount = Exclude<SandboxMount, { source: string }>

const mountCopies = ({ copies = [] }: SandboxRequest): SandboxMount[] =>
  copies.map(({ path, source }) => ({ kind: 'private', path, source }))

/** Returns the directories that appear empty and read-only and contain no further mounts. */
export function sealedLeaves(mounts: readonly SandboxMount[]): Set<string> {
  const sealed = mounts.flatMap(({ kind, path }) => (kind === 'seal' ? [path] : []))
  const others = mounts.filter(({ kind }) => kind !== 'seal')
  return new Set(sealed.filter((path) => others.filter((other) => isBelow(other.path, path)).length === 1))
}

/** Returns true for the directory and paths below it. */
export const isBelow = (path: string, dir: string) =>
  path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`)

/**
 * Plans the mounts of a sandbox. `temporary` is the session's private directory, which the command sees at
 * the path of the shared temporary directories. If the command uses the first of these, `temporary` stays at
 * its own path. Outer paths are mounted before inner ones, so a directory that contains a home, sockets or
 * files of Anode does not show them.
 */
export function planMounts(
  request: SandboxRequest,
  machine: MachinePlaces,
  places: FolderPlaces,
  temporary: string,
  laid: LaidPlaces = {},
): SandboxMount[] {
  const { revealed, write, opened } = request
  const shownMounts = planShown(request, machine, places, temporary)
  const isShown = (path: string) => !isCovered(path, shownMounts)
  const secretFolders = places.secretFolders.filter((path) => !revealed.some((one) => isBelow(one, path)))
  const hiddenFolders = [...secretFolders, ...(places.closedFolders ?? [])].filter(isShown)
  const covered = [...shownMounts, ...mountEach('empty', hiddenFolders)]
  // A mount inside a hidden directory would make the path of the directory visible, so it is left out.
  const isSeen = (path: string) => !isCovered(path, covered)
  const locked = lockedPlaces(request, places).filter(isSeen)
  const isLocked = liesIn(locked)
  const sources = new Map((laid.shown ?? []).map(({ path, source }) => [path, source]))
  const secretFiles = places.secretFiles.filter((path) => !revealed.includes(path))
  const hiddenFiles = [...secretFiles, ...(places.closedFiles ?? [])].filter(isSeen)
  const isGranted = (path: string) =>
    write.some((one) => isBelow(path, one)) || [...revealed, ...opened].includes(path)
  const sockets = (places.sockets ?? []).filter((path) => isSeen(path) && !isGranted(path))
  const links = (request.links ?? []).filter(({ path }) => !isSeen(path))
  const stubs = (laid.stubs ?? []).filter(isSeen)
  const histories = request.history ? places.histories.filter(isSeen) : []
  const layers = layInOrder([
    ...links.map(({ path, target }): SandboxMount => ({ kind: 'link', path, source: target })),
    ...mountEach(
      'write',
      planPins(request, [...locked, ...stubs, ...histories, ...(laid.links ?? [])]).filter(
        (path) => isSeen(path) && !isLocked(path),
      ),
    ),
    ...covered.map((layer) =>
      layer.kind === 'write' && isLocked(layer.path) ? { ...layer, kind: 'read' as const } : layer,
    ),
    // only a repository that is not below a read-only directory becomes writable
    ...mountEach(
      'write',
      histories.filter((path) => !request.protected.some((dir) => isBelow(path, dir))),
    ),
    ...mountEach('read', locked),
    ...mountEach('stub', stubs),
    ...[...mountEach('mask', sockets), ...mountCopies(request)],
    ...hiddenFiles.map((path): SandboxMount => {
      const source = sources.get(path)
      return source === undefined ? { kind: 'mask', path } : { kind: 'fixed', path, source }
    }),
    ...[...sources].flatMap(([path, source]): SandboxMount[] =>
      places.secretFiles.includes(path) || places.closedFiles?.includes(path) || !isSeen(path)
        ? []
        : [{ kind: 'fixed', path, source }],
    ),
  ])
  const empty = layers.filter(({ kind, path }) => kind === 'empty' && !machine.own.includes(path))
  // A seal would make a writable mount at the same path read-only, so such paths do not get a seal.
  const sealed = empty.map(({ path }) => path).filter((path) => !write.includes(path))
  return [...layers, ...mountEach('seal', sealed)]
}

/**
 * Returns the parent directories of mounts, below the command's directories. They become mount points
 * themselves, because a command cannot rename a mount point.
 */
function planPins({ kind, folders }: SandboxRequest, paths: readonly string[]): string[] {
  if (kind !== 'workspace') return []
  const tops = new Set(folders)
  const pins = new Set<string>()
  for (const path of paths) {
    if (!folders.some((folder) => isBelow(path, folder))) continue
    for (let up = dirname(path); !tops.has(up) && !pins.has(up) && up !== '/'; up = dirname(up)) pins.add(up)
  }
  return [...pins]
}

/** Returns a function that is true for a path at or below one of `paths`. */
function liesIn(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths)
  return (path) => all.has(path) || liesBelowOne(path, all)
}

/** Returns the path at which commands see the session's temporary directory. */
export function findTemporary(mounts: readonly SandboxMount[], machine: MachinePlaces, dir: string): string {
  const [first] = machine.temporary
  return mounts.find(({ kind, path }) => kind === 'private' && path === first)?.path ?? dir
}

/** Returns the paths in the command's directories that stay read-only. */
function lockedPlaces(
  { kind, opened, history, protected: paths }: SandboxRequest,
  places: FolderPlaces,
): string[] {
  if (kind === 'read' || kind === 'server') return [...paths]
  const guarded = places.guarded.filter((path) => !opened.some((one) => isBelow(one, path)))
  // A writable repository is mounted over the read-only paths around it, so all of these stay.
  return history ? [...guarded, ...paths] : keepOutermost([...guarded, ...places.histories, ...paths])
}

/** Returns the mounts that hide parts of the machine, and those that show parts of the hidden parts again. */
function planShown(
  { folders, kind, write, history, revealed }: SandboxRequest,
  machine: MachinePlaces,
  { repositories, borrowed = [], tops = [] }: FolderPlaces,
  temporary: string,
): SandboxMount[] {
  const mode = kind === 'read' || kind === 'server' ? 'read' : 'write'
  const holdsPeople = (dir: string) =>
    [...machine.homes, ...machine.temporary, ...machine.own].some((path) => isBelow(path, dir))
  const readable = [...tops.filter((dir) => !holdsPeople(dir)), ...(history ? borrowed : [])]
  const named = [...mountEach('read', readable), ...mountEach(mode, folders), ...mountEach('write', write)]
  const isOfWork = (path: string) => folders.some((folder) => isBelow(path, folder))
  // An approved command can read the system paths that it names. Paths that it may write are shown anyway.
  const isWritten = (path: string) => isOfWork(path) || write.some((dir) => isBelow(path, dir))
  const granted = revealed.filter(
    (path) => !isWritten(path) && machine.closed.some((dir) => isBelow(path, dir)),
  )
  const covers = layInOrder([
    ...planSystem(machine, isOfWork),
    ...mountEach('read', granted),
    ...mountEach('empty', machine.runtime),
    ...machine.temporary.map((path): SandboxMount => ({ kind: 'private', path, source: temporary })),
    ...mountEach('empty', machine.homes),
    ...named,
  ])
  const isNamed = (path: string) => ['read', 'write'].includes(layerOf(path, covers)?.kind ?? '')
  // If the command may use the shared temporary directory itself, the private one keeps its own path.
  const beside = machine.temporary.slice(0, 1).some(isNamed) ? [temporary] : []
  const hidden = machine.own.filter(
    (path) => !folders.includes(path) && layerOf(path, covers)?.kind !== 'empty',
  )
  return layInOrder([
    ...covers,
    // A tool chain in a home directory that is itself the workspace needs no separate mount.
    ...mountEach(
      'read',
      machine.tools.filter((path) => !isNamed(path)),
    ),
    ...mountEach(
      'mask',
      machine.toolSecrets.filter((path) => !isNamed(path) || !revealed.includes(path)),
    ),
    ...mountEach('empty', hidden),
    ...mountEach(history ? mode : 'read', repositories),
    ...named,
    ...mountEach('write', beside),
  ])
}

/**
 * Returns the mounts that hide parts of the system, and those that show some paths inside the hidden parts.
 * Paths in the workspace stay visible.
 */
export const planSystem = (
  { closed, closedFiles, open }: MachinePlaces,
  isOfWork: (path: string) => boolean,
) => [
  ...mountEach(
    'empty',
    closed.filter((path) => !isOfWork(path)),
  ),
  ...mountEach(
    'mask',
    closedFiles.filter((path) => !isOfWork(path)),
  ),
  ...mountEach(
    'read',
    open.filter((path) => !isOfWork(path)),
  ),
]

/** Returns one mount for each path, namely the last one, with outer paths before inner ones. */
function layInOrder(layers: readonly SandboxMount[]): SandboxMount[] {
  const last = new Map(layers.map((layer) => [layer.path, layer]))
  return [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path))
}

const isCovered = (path: string, layers: readonly SandboxMount[]) =>
  ['empty', 'private'].includes(layerOf(path, layers)?.kind ?? '')

/** Returns the innermost mount at or above a path. If several have the same path, the last one counts. */
function layerOf(path: string, layers: readonly SandboxMount[]): SandboxMount | undefined {
  let match: SandboxMount | undefined
  for (const layer of layers) {
    if (isBelow(path, layer.path) && (!match || depthOf(layer.path) >= depthOf(match.path))) match = layer
  }
  return match
}

/** Returns the depth of a path, which has no slash at its end. */
function depthOf(path: string): number {
  if (path === '/') return 0
  let depth = 0
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth++
  return depth
}

/** Returns the paths without those that are below another one. */
export function keepOutermost(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return [...all].filter((path) => !liesBelowOne(path, all))
}

function liesBelowOne(path: string, all: ReadonlySet<string>): boolean {
  for (let up = dirname(path); up !== dirname(up); up = dirname(up)) if (all.has(up)) return true
  return false
}
