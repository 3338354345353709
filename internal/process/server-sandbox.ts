// The sandbox `server`: the access of a plugin, an MCP server or a language server, from its configuration.
import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { homeDir } from '../base/dirs.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { followLinks } from '../base/files/path-links.ts'
import type { SandboxRequest } from './process-command.ts'

/** Access that a configuration grants in addition to the workspace and the state directory. */
export interface ServerPlaces {
  /** Names of hosts that the server may connect to, with a port if it is not 80 or 443. */
  network?: readonly string[] | undefined
  /** Files and directories that the server can read. */
  read?: readonly string[] | undefined
  /** Files and directories that the server may write. */
  write?: readonly string[] | undefined
}

interface SandboxedServer {
  /** Directories that the server can read: the workspace, then the added ones. */
  folders: readonly string[]
  /**
   * Directory for the state of this server, which is the same in every session. `serverSandbox` creates it.
   */
  state: string
  places: ServerPlaces | undefined
  /** Directory that relative paths start from. */
  base: string
  /**
   * The program of the server and its arguments. The server can read the absolute paths among them, and the
   * packages that contain these paths.
   */
  words: readonly string[]
}

/**
 * Returns the sandbox of a server, and creates the directory `state`. Paths that do not exist are skipped.
 */
export function serverSandbox({ folders, state, places = {}, base, words }: SandboxedServer): SandboxRequest {
  makeDirectory(state, 0o700)
  const follow = (paths: readonly string[]) => paths.flatMap((path) => followLinks(path) ?? [])
  const named = (paths: readonly string[] = []) =>
    follow(paths.map((path) => resolve(base, path.replace(/^~(?=\/|$)/, homeDir()))))
  const read = named(places.read)
  const write = named(places.write)
  const programs = follow(words.filter(isAbsolute))
  const packages = [
    // A Python environment is in the directory of the link to the interpreter, not in that of the
    // interpreter, so links are used as well.
    ...programs.flatMap(({ links }) => links.flatMap(({ path }) => packageOf(path) ?? [])),
    ...programs.map(({ real }) => packageOf(real) ?? real),
  ]
  const stateDir = realpathSync(state)
  return {
    kind: 'server',
    protected: [],
    revealed: [],
    opened: [],
    history: false,
    folders: [
      ...new Set([...folders, ...read.map(({ real }) => real), ...packages.filter((path) => path !== '/')]),
    ],
    links: [...read, ...write, ...programs].flatMap(({ links }) => links),
    network: places.network ?? [],
    write: [...write.map(({ real }) => real), stateDir],
    state: stateDir,
  }
}

/**
 * Returns the directory of the package that contains a program: the outermost `node_modules` around it, else
 * the nearest one with a package.json, pyproject.toml or pyvenv.cfg. Undefined without one below the home
 * directory or the root.
 */
function packageOf(path: string): string | undefined {
  const installed = /^.*?\/node_modules(?=\/)/.exec(path)?.[0]
  if (installed !== undefined) return installed
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  for (
    let dir = isFolder ? path : dirname(path);
    dir !== dirname(dir) && dir !== homeDir();
    dir = dirname(dir)
  )
    if (['package.json', 'pyproject.toml', 'pyvenv.cfg'].some((name) => existsSync(join(dir, name))))
      return dir
  return undefined
}
