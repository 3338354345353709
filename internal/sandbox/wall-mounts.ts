// The folders and files of a wall: what is shown, hidden and writable, in the order in which it is laid.
import { dirname } from 'node:path'
import type { WallRequest } from '../process/process-command.ts'

/**
 * One layer; later ones lie on top. `empty`: an empty folder in place of what is there; `mask`: an empty
 * file; `seal`: what was laid as `empty` takes no new files from here on;
 * `private` and `fixed`: `source` is shown in another place, writable or not; `link`: a link to `source`;
 * `stub`: an empty directory that reserves a name.
 */
export type WallMount =
  | { kind: 'empty' | 'mask' | 'read' | 'write' | 'seal' | 'stub'; path: string }
  | { kind: 'private' | 'fixed' | 'link'; path: string; source: string }

/** What of the machine matters to a wall: real paths that exist. */
export interface MachinePlaces {
  /** Folders with the files of people, such as /home and /root. */
  homes: readonly string[]
  /** Folders of sockets and other state of running programs. */
  runtime: readonly string[]
  /** Programs and caches of tool chains below `homes` and temporary folders. */
  tools: readonly string[]
  /** Files below `tools` that hold secrets. */
  toolSecrets: readonly string[]
  /** Temporary folders that everybody shares. */
  temporary: readonly string[]
  /** Directories and files of the system that are not in its list of what may be read. */
  closed: readonly string[]
  closedFiles: readonly string[]
  /** Directories in `closed` that are in that list. */
  open: readonly string[]
  /** Configuration, data and caches of Anode. */
  own: readonly string[]
}

/** What lies in the folders of a request: real paths that exist. */
export interface FolderPlaces {
  /** Files and folders that decide what runs later. */
  guarded: readonly string[]
  /** Files and folders with secret names. */
  secretFiles: readonly string[]
  secretFolders: readonly string[]
  /** Files and directories that rules close to reading. */
  closedFiles?: readonly string[]
  closedFolders?: readonly string[]
  /** Repository folders outside of the folders, for checkouts that only point to theirs. */
  repositories: readonly string[]
  /** Unix sockets of other programs, anywhere on the machine. */
  sockets?: readonly string[]
  /** Folders of history: read-only unless the request may write it. */
  histories: readonly string[]
  /** Object directories outside of the folders, for repositories that borrow from them. */
  borrowed?: readonly string[]
  /** Checkouts that contain a folder: shown read-only, so that git finds its files. */
  tops?: readonly string[]
}

/** What is laid over places of the folders. */
export interface LaidPlaces {
  /** Empty directories that reserve protected names. */
  stubs?: readonly string[]
  /** Files and directories with what is shown in their place. */
  shown?: readonly { path: string; source: string }[]
  /** Paths of links that are put back afterwards. */
  links?: readonly string[]
}

export const mountEach = (kind: PlainMount['kind'], paths: readonly string[]): WallMount[] =>
  paths.map((path) => ({ kind, path }))

type PlainMount = Exclude<WallMount, { source: string }>

/** Directories that are shown empty, take no files, and have nothing laid in them. */
export function sealedLeaves(mounts: readonly WallMount[]): Set<string> {
  const sealed = mounts.flatMap(({ kind, path }) => (kind === 'seal' ? [path] : []))
  const others = mounts.filter(({ kind }) => kind !== 'seal')
  return new Set(sealed.filter((path) => others.filter((other) => isBelow(other.path, path)).length === 1))
}

/** At a path or below it. */
export const isBelow = (path: string, dir: string) =>
  path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`)

/**
 * Pure. `temporary` is the folder of this session that stands where temporary folders are, or in its own
 * place where the first of them is asked for itself. Each path is laid once and inner ones later, so that a
 * folder that holds a home, sockets or Anode's files shows none of them.
 */
export function planMounts(
  request: WallRequest,
  machine: MachinePlaces,
  places: FolderPlaces,
  temporary: string,
  laid: LaidPlaces = {},
): WallMount[] {
  const { revealed, write, opened } = request
  const shown = planShown(request, machine, places, temporary)
  const isShown = (path: string) => !isCovered(path, shown)
  const secretFolders = places.secretFolders.filter((path) => !revealed.some((one) => isBelow(one, path)))
  const hiddenFolders = [...secretFolders, ...(places.closedFolders ?? [])].filter(isShown)
  const covered = [...shown, ...mountEach('empty', hiddenFolders)]
  // what is laid into a hidden folder would be seen there
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
    ...links.map(({ path, target }): WallMount => ({ kind: 'link', path, source: target })),
    ...mountEach(
      'write',
      planPins(request, [...locked, ...stubs, ...histories, ...(laid.links ?? [])]).filter(
        (path) => isSeen(path) && !isLocked(path),
      ),
    ),
    ...covered.map((layer) =>
      layer.kind === 'write' && isLocked(layer.path) ? { ...layer, kind: 'read' as const } : layer,
    ),
    // a repository that is written in is one below none of the folders that stay as they are
    ...mountEach(
      'write',
      histories.filter((path) => !request.protected.some((dir) => isBelow(path, dir))),
    ),
    ...mountEach('read', locked),
    ...mountEach('stub', stubs),
    ...mountEach('mask', sockets),
    ...hiddenFiles.map((path): WallMount => {
      const source = sources.get(path)
      return source === undefined ? { kind: 'mask', path } : { kind: 'fixed', path, source }
    }),
    ...[...sources].flatMap(([path, source]): WallMount[] =>
      places.secretFiles.includes(path) || places.closedFiles?.includes(path) || !isSeen(path)
        ? []
        : [{ kind: 'fixed', path, source }],
    ),
  ])
  const empty = layers.filter(({ kind, path }) => kind === 'empty' && !machine.own.includes(path))
  // what is to be written lies on top of the empty folder in the same place
  const sealed = empty.map(({ path }) => path).filter((path) => !write.includes(path))
  return [...layers, ...mountEach('seal', sealed)]
}

/** Directories between a folder and what is laid in it: a mount point cannot be renamed. */
function planPins({ kind, folders }: WallRequest, paths: readonly string[]): string[] {
  if (kind !== 'workspace') return []
  const tops = new Set(folders)
  const pins = new Set<string>()
  for (const path of paths) {
    if (!folders.some((folder) => isBelow(path, folder))) continue
    for (let up = dirname(path); !tops.has(up) && !pins.has(up) && up !== '/'; up = dirname(up)) pins.add(up)
  }
  return [...pins]
}

/** Tells whether a path is at or below one of `paths`. */
function liesIn(paths: readonly string[]): (path: string) => boolean {
  const all = new Set(paths)
  return (path) => all.has(path) || liesBelowOne(path, all)
}

/** Where the session's own temporary folder is seen. */
export function findTemporary(mounts: readonly WallMount[], machine: MachinePlaces, own: string): string {
  const [first] = machine.temporary
  return mounts.find(({ kind, path }) => kind === 'private' && path === first)?.path ?? own
}

/** What of the request's folders stays as it is. */
function lockedPlaces(
  { kind, opened, history, protected: kept }: WallRequest,
  places: FolderPlaces,
): string[] {
  if (kind === 'read' || kind === 'server') return [...kept]
  const guarded = places.guarded.filter((path) => !opened.some((one) => isBelow(one, path)))
  // a repository that is written in lies on top of what is locked around it
  return history ? [...guarded, ...kept] : keepOutermost([...guarded, ...places.histories, ...kept])
}

/** What is hidden of the machine and shown again in it. */
function planShown(
  { folders, kind, write, history, revealed }: WallRequest,
  machine: MachinePlaces,
  { repositories, borrowed = [], tops = [] }: FolderPlaces,
  temporary: string,
): WallMount[] {
  const own = kind === 'read' || kind === 'server' ? 'read' : 'write'
  const holdsPeople = (dir: string) =>
    [...machine.homes, ...machine.temporary, ...machine.own].some((path) => isBelow(path, dir))
  const readable = [...tops.filter((dir) => !holdsPeople(dir)), ...(history ? borrowed : [])]
  const named = [...mountEach('read', readable), ...mountEach(own, folders), ...mountEach('write', write)]
  const isOfWork = (path: string) => folders.some((folder) => isBelow(path, folder))
  // an approved command reads what it names of the system; what it may write is shown anyway
  const isWritten = (path: string) => isOfWork(path) || write.some((dir) => isBelow(path, dir))
  const granted = revealed.filter(
    (path) => !isWritten(path) && machine.closed.some((dir) => isBelow(path, dir)),
  )
  const covers = layInOrder([
    ...planSystem(machine, isOfWork),
    ...mountEach('read', granted),
    ...mountEach('empty', machine.runtime),
    ...machine.temporary.map((path): WallMount => ({ kind: 'private', path, source: temporary })),
    ...mountEach('empty', machine.homes),
    ...named,
  ])
  const isNamed = (path: string) => ['read', 'write'].includes(layerOf(path, covers)?.kind ?? '')
  // who works in the shared folder sees it, and has one of his own beside it
  const beside = machine.temporary.slice(0, 1).some(isNamed) ? [temporary] : []
  const hidden = machine.own.filter(
    (path) => !folders.includes(path) && layerOf(path, covers)?.kind !== 'empty',
  )
  return layInOrder([
    ...covers,
    // in a home that is the workspace tool chains are files of it
    ...mountEach(
      'read',
      machine.tools.filter((path) => !isNamed(path)),
    ),
    ...mountEach(
      'mask',
      machine.toolSecrets.filter((path) => !isNamed(path) || !revealed.includes(path)),
    ),
    ...mountEach('empty', hidden),
    ...mountEach(history ? own : 'read', repositories),
    ...named,
    ...mountEach('write', beside),
  ])
}

/**
 * What of the system is hidden, and shown again in it. What the workspace contains belongs to the work.
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

/** Each path once, as it was named last; outer ones first. */
function layInOrder(layers: readonly WallMount[]): WallMount[] {
  const last = new Map(layers.map((layer) => [layer.path, layer]))
  return [...last.values()].sort((a, b) => depthOf(a.path) - depthOf(b.path))
}

const isCovered = (path: string, layers: readonly WallMount[]) =>
  ['empty', 'private'].includes(layerOf(path, layers)?.kind ?? '')

/** The innermost layer that a path lies in; of several at the same path the last one. */
function layerOf(path: string, layers: readonly WallMount[]): WallMount | undefined {
  let found: WallMount | undefined
  for (const layer of layers) {
    if (isBelow(path, layer.path) && (!found || depthOf(layer.path) >= depthOf(found.path))) found = layer
  }
  return found
}

/** Paths have no slash at their end. */
function depthOf(path: string): number {
  if (path === '/') return 0
  let depth = 0
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) depth++
  return depth
}

/** Those that do not lie below another one. */
export function keepOutermost(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return [...all].filter((path) => !liesBelowOne(path, all))
}

function liesBelowOne(path: string, all: ReadonlySet<string>): boolean {
  for (let up = dirname(path); up !== dirname(up); up = dirname(up)) if (all.has(up)) return true
  return false
}
