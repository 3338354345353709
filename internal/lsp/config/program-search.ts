// Search for the programs of language servers, in a workspace only if it is trusted, and a quick check
// whether any server is usable. Imports no package.

import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import { configDir } from '../../base/dirs.ts'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { isEmptyDirectory, isRunnable } from '../../base/files/open-file.ts'

export interface LspSearchScope {
  /** Real path of the workspace. */
  workspace: string
  trusted: boolean
  env: EnvironmentVariables
}

export interface FoundProgram {
  /** Absolute path as found, links unresolved. */
  path: string
  /** Whether the program is in the workspace, by its path or after links are resolved. */
  inside: boolean
}

/**
 * Returns the directories to search, in order: `node_modules/.bin` of a trusted workspace, then the absolute
 * directories of PATH.
 */
export function searchPath({ workspace, trusted, env }: LspSearchScope): string[] {
  const workspaceBin = join(workspace, 'node_modules', '.bin')
  const listed = (env.PATH ?? '').split(':').filter((dir) => isAbsolute(dir))
  return trusted ? [workspaceBin, ...listed] : listed
}

/**
 * Returns the first runnable file for a name, an absolute path, or a path relative to the workspace. Skips
 * files in an untrusted workspace. Returns undefined if no file remains.
 */
export function findServerProgram(
  command: string,
  place: LspSearchScope,
  dirs = searchPath(place),
): FoundProgram | undefined {
  // each start looks for a dozen programs in every directory, so only the path of a found program is
  // normalized, to save time
  const paths = command.includes('/')
    ? [join(place.workspace, command)]
    : dirs.map((dir) => `${dir}/${command}`)
  for (const candidate of isAbsolute(command) ? [command] : paths) {
    if (!isRunnable(candidate)) continue
    const path = normalize(candidate)
    const inside = [path, realpathSync(path)].some((at) => at.startsWith(`${place.workspace}/`))
    if (!inside || place.trusted) return { path, inside }
  }
  return undefined
}

/** Name of the program that starts each known server. */
export const serverCommands = {
  typescript: 'typescript-language-server',
  pyright: 'pyright-langserver',
  gopls: 'gopls',
  'rust-analyzer': 'rust-analyzer',
  bash: 'bash-language-server',
  json: 'vscode-json-language-server',
  clangd: 'clangd',
} as const

/**
 * Returns the possible configuration files: the user's, then, if the workspace is trusted, those of the
 * workspace. Later files override earlier ones.
 */
export function serverFiles({ workspace, trusted, env }: LspSearchScope): string[] {
  const workspaceFiles = [join(workspace, '.lsp.json'), join(workspace, '.anode', 'lsp.json')]
  const present = trusted ? workspaceFiles.filter((path) => !isEmptyDirectory(path)) : []
  return [join(configDir(env), 'lsp.json'), ...present]
}

/**
 * Returns true if a configuration file exists or a known server is installed that may run here, else the
 * reason why no server is usable.
 */
export function anyServer(place: LspSearchScope): true | string {
  if (serverFiles(place).some((path) => existsSync(path))) return true
  const dirs = searchPath(place)
  const here = (Object.keys(serverCommands) as (keyof typeof serverCommands)[]).some(
    (name) =>
      (place.trusted || name !== 'rust-analyzer') &&
      findServerProgram(serverCommands[name], place, dirs) !== undefined,
  )
  if (here) return true
  return 'no language server is configured or found; `anode lsp list` says what is looked for'
}
