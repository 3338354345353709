// Finds the programs of language servers, in a workspace only when it is trusted. Loads nothing.

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
  /** Absolute, as it was found. */
  path: string
  /** Whether it lies in the workspace, by its name or behind its links. */
  inside: boolean
}

/** Where programs are looked for, in order; what lies in a workspace that is not trusted is left out. */
export function searchPath({ workspace, trusted, env }: LspSearchScope): string[] {
  const own = join(workspace, 'node_modules', '.bin')
  const listed = (env.PATH ?? '').split(':').filter((dir) => isAbsolute(dir))
  return trusted ? [own, ...listed] : listed
}

/** The first runnable file of that name, or at that path; undefined when there is none that may run here. */
export function findServerProgram(
  command: string,
  place: LspSearchScope,
  dirs = searchPath(place),
): FoundProgram | undefined {
  // a start looks for a dozen programs in every directory: only what is found is worth a well-formed name
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
