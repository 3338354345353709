// The wall `server`: what a plugin, an MCP server or a language server may reach, as its configuration says.
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { homedir } from '../base/home.ts'
import type { WallRequest } from './process-command.ts'

/** What a configuration leaves open, all of it beside the workspace and the state folder. */
export interface ServerPlaces {
  /** Names of hosts, with a port where it is not 80 or 443. */
  network?: readonly string[] | undefined
  /** Files and folders that can be read. */
  read?: readonly string[] | undefined
  /** Files and folders that may be written. */
  write?: readonly string[] | undefined
}

interface WalledServer {
  /** Folders that can be read: the workspace, then added ones. */
  folders: readonly string[]
  /** Folder that is the server's own, in every session; made here. */
  state: string
  places: ServerPlaces | undefined
  /** Where relative places start. */
  base: string
  /** The program and its arguments: what they name by absolute paths can be read. */
  words: readonly string[]
}

/** Places that do not exist are left out. */
export function serverWall({ folders, state, places = {}, base, words }: WalledServer): WallRequest {
  mkdirSync(state, { recursive: true, mode: 0o700 })
  const named = (paths: readonly string[] = []) =>
    paths.map((path) => resolve(base, path.replace(/^~(?=\/|$)/, homedir()))).flatMap(realOf)
  const programs = words.filter(isAbsolute).flatMap(realOf).map(packageOf)
  const own = realpathSync(state)
  return {
    ...{ kind: 'server', protected: [], revealed: [], opened: [], setsAside: false, history: false },
    folders: [...new Set([...folders, ...named(places.read), ...programs.filter((path) => path !== '/')])],
    network: places.network ?? [],
    write: [...named(places.write), own],
    state: own,
  }
}

function realOf(path: string): string[] {
  try {
    return [realpathSync(path)]
  } catch {
    // nothing is there
    return []
  }
}

/** The folder of the package that a program lies in; without one, the program alone. */
function packageOf(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  for (
    let dir = isFolder ? path : dirname(path);
    dir !== dirname(dir) && dir !== homedir();
    dir = dirname(dir)
  )
    if (['package.json', 'pyproject.toml', 'pyvenv.cfg'].some((name) => existsSync(join(dir, name))))
      return dir
  return path
}
