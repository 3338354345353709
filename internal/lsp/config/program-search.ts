// Search for the programs of language servers, in a workspace only if it is trusted. Imports no package.

import { realpathSync } from 'node:fs'
import { isAbsolute, join, normalize } from 'node:path'
import type { EnvironmentVariables } from '../../base/environment.ts'
import { isRunnable } from '../../base/files/runnable-file.ts'

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
  const own = join(workspace, 'node_modules', '.bin')
  const listed = (env.PATH ?? '').split(':').filter((dir) => isAbsolute(dir))
  return trusted ? [own, ...listed] : listed
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
  // a start searches every directory for a dozen programs, so only a match gets a normalized path
  const paths = command.includes('/')
    ? [join(place.workspace, command)]
    : dirs.map((dir) => `${dir}/${command}`)
  for (const found of isAbsolute(command) ? [command] : paths) {
    if (!isRunnable(found)) continue
    const path = normalize(found)
    const inside = [path, realpathSync(path)].some((at) => at.startsWith(`${place.workspace}/`))
    if (!inside || place.trusted) return { path, inside }
  }
  return undefined
}
