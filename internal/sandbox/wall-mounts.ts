// The folders and files of a wall: what is shown, hidden and writable, in the order in which it is laid.
import { dirname, join } from 'node:path'
import type { MeasuredPlaces, WallRequest } from '../process/process-command.ts'

/**
 * One layer; later ones lie on top. `empty`: an empty folder in place of what is there; `mask`: an empty
 * file; `seal`: what was laid as `empty` takes no new files from here on;
 * `private` and `fixed`: `source` is shown in another place, writable or not.
 */
export type WallMount =
  | { kind: 'empty' | 'mask' | 'read' | 'write' | 'seal'; path: string }
  | { kind: 'private' | 'fixed'; path: string; source: string }

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
  /** Repository folders outside of the folders, for checkouts that only point to theirs. */
  repositories: readonly string[]
  /** Folders of history: read-only unless the request may write it. */
  histories: readonly string[]
}

const each = (kind: PlainMount['kind'], paths: readonly string[]): WallMount[] =>
  paths.map((path) => ({ kind, path }))

type PlainMount = Exclude<WallMount, { source: string }>

const isBelow = (path: string, dir: string) => path === dir || path.startsWith(dir === '/' ? '/' : `${dir}/`)

/** Pure. `temporary` is the folder of this session that stands where temporary folders are. */
export function planMounts(
  request: WallRequest,
  machine: MachinePlaces,
  places: FolderPlaces,
  temporary: string,
): WallMount[] {
  const { folders, revealed, kind } = request
  const own: WallMount['kind'] = kind === 'read' || kind === 'server' ? 'read' : 'write'
  // a home that is the workspace is shown as one: its secrets are masked below
  const homes = machine.homes.filter((home) => !folders.includes(home))
  const inFolders = (path: string) => folders.some((folder) => isBelow(path, folder))
  const hidden = machine.own.filter((path) => !folders.some((folder) => isBelow(folder, path)))
  const isOpened = (path: string) => request.opened.some((one) => isBelow(one, path))
  const isShown = (path: string) => !revealed.some((one) => isBelow(one, path))
  return [
    ...each('empty', machine.runtime),
    ...machine.temporary.map((path): WallMount => ({ kind: 'private', path, source: temporary })),
    ...each('empty', homes),
    ...each('read', machine.tools),
    ...each('mask', machine.toolSecrets),
    ...each(
      'empty',
      hidden.filter((path) => !homes.some((home) => isBelow(path, home))),
    ),
    ...each('read', places.repositories),
    ...each(own, folders),
    ...each('write', request.write),
    ...each('empty', hidden.filter(inFolders)),
    ...(request.history && own === 'write' ? each('write', places.repositories) : []),
    ...(own === 'write'
      ? each(
          'read',
          places.guarded.filter((path) => !isOpened(path)),
        )
      : []),
    ...(request.history || own === 'read' ? [] : each('read', outermost(places.histories))),
    ...each('read', request.protected),
    ...each('empty', places.secretFolders.filter(isShown)),
    ...each(
      'mask',
      places.secretFiles.filter((path) => !revealed.includes(path)),
    ),
    ...each(
      'seal',
      // what is to be written lies on top of the empty folder in the same place
      [...machine.runtime, ...homes, ...places.secretFolders.filter(isShown)].filter(
        (path) => !request.write.includes(path),
      ),
    ),
  ]
}

/** The mounts of a measured command: its checkout, and of homes only tool chains and what is shown. */
export function planMeasurement(
  { temporary, checkout, locked, shown, hidden }: MeasuredPlaces,
  machine: MachinePlaces,
  isFolder: (path: string) => boolean,
): WallMount[] {
  const covered = [...machine.runtime, ...machine.temporary, ...machine.homes, ...machine.own]
  const isSeen = (path: string) =>
    !covered.some((dir) => isBelow(path, dir)) ||
    [...machine.tools, ...shown].some((dir) => isBelow(path, dir))
  const unseen = hidden.filter(isSeen)
  const emptied = [...machine.runtime, ...outermost([...machine.homes, ...machine.own])]
  return [
    ...each('empty', machine.runtime),
    ...machine.temporary.map((path): WallMount => ({ kind: 'private', path, source: temporary })),
    ...each('empty', emptied.slice(machine.runtime.length)),
    ...each('read', machine.tools),
    ...each('read', shown),
    ...each('mask', machine.toolSecrets),
    ...each('empty', unseen.filter(isFolder)),
    ...each(
      'mask',
      unseen.filter((path) => !isFolder(path)),
    ),
    { kind: 'private', path: checkout.path, source: checkout.source },
    ...locked.map((name): WallMount => {
      return { kind: 'fixed', path: join(checkout.path, name), source: join(checkout.source, name) }
    }),
    ...each('seal', [...emptied, ...unseen.filter(isFolder)]),
  ]
}

/** Those that do not lie below another one. */
function outermost(paths: readonly string[]): string[] {
  const all = new Set(paths)
  return [...all].filter((path) => !liesBelowOne(path, all))
}

function liesBelowOne(path: string, all: ReadonlySet<string>): boolean {
  for (let up = dirname(path); up !== dirname(up); up = dirname(up)) if (all.has(up)) return true
  return false
}
