// Loader of the configuration that selects the files and records the origin of each value.

import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { configDir } from '../base/dirs.ts'
import type { EnvironmentVariables } from '../base/environment.ts'
import { codeOf, messageOf, UserError } from '../base/errors.ts'
import { isEmptyDirectory, readSmall } from '../base/files/open-file.ts'
import { isWithin } from '../policy/paths/path-jail.ts'
import type { ConfigCandidate, LoadedConfig } from './layer.ts'

export interface ConfigScope {
  env: EnvironmentVariables
  workspace: string
  trusted: boolean
}

/**
 * Lists all candidate files in the order of their merge: the file in ANODE_CONFIG if it is set, the user's
 * file, the workspace's file. If ANODE_CONFIG is set, `loadConfig` skips the user's file.
 */
export function listCandidates({
  env,
  workspace,
}: Pick<ConfigScope, 'env' | 'workspace'>): ConfigCandidate[] {
  return [
    ...(env.ANODE_CONFIG ? [{ path: env.ANODE_CONFIG, from: 'env' } as const] : []),
    { path: join(configDir(env), 'config.json'), from: 'user' },
    { path: join(workspace, 'anode.json'), from: 'workspace' },
  ]
}

/**
 * Returns the text of a candidate, or undefined if the file is missing. Throws UserError for a missing file
 * of ANODE_CONFIG, and for anything but a regular file of at most 1 MiB. A workspace's file must also be
 * inside the workspace after links are resolved.
 */
export function readCandidate(candidate: ConfigCandidate): string | undefined {
  const hint =
    candidate.from === 'env' ? 'ANODE_CONFIG names it; correct or unset it' : 'run `anode config doctor`'
  const refuse = (why: string, cause?: unknown) =>
    new UserError(`configuration ${candidate.path} cannot be read: ${why}`, { hint, cause })
  try {
    if (candidate.from === 'workspace' && leadsOut(candidate.path))
      throw refuse('it leads out of the workspace')
    const isMissing = candidate.from === 'workspace' && !isPresent(candidate.path)
    const text = isMissing ? undefined : readSmall(candidate.path)
    if (text === undefined && candidate.from === 'env') throw refuse('no such file')
    return text
  } catch (error) {
    if (error instanceof UserError && error.message.startsWith('configuration ')) throw error
    throw refuse(messageOf(error), error)
  }
}

function leadsOut(path: string): boolean {
  if (!isPresent(path)) return false
  try {
    return !isWithin(realpathSync.native(path), realpathSync.native(dirname(path)))
  } catch (error) {
    // a broken link counts as missing
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

/** Returns whether the path exists, without following a link. An empty directory does not count. */
function isPresent(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isEmptyDirectory(path)
}

/**
 * Returns a notice that a file such as config.jsonc is not read; undefined if that file is missing, and for
 * the file in ANODE_CONFIG.
 */
export function findMisnamed({ path, from }: ConfigCandidate): string | undefined {
  if (from === 'env' || !isPresent(`${path}c`)) return undefined
  const name = basename(path)
  const todo = isPresent(path)
    ? `move its settings to ${name}`
    : `rename it to ${name}, which may have comments`
  return `${path}c is not read: ${todo}`
}

/**
 * Loads and merges the configuration. Throws UserError for an invalid or unreadable file, because skipping it
 * would drop its deny rules.
 */
export async function loadConfig(where: ConfigScope): Promise<LoadedConfig> {
  const present: (ConfigCandidate & { text: string })[] = []
  const notes: string[] = []
  for (const candidate of listCandidates(where)) {
    // only one user file counts: the file in ANODE_CONFIG replaces the user's own
    if (candidate.from === 'user' && present.length > 0) continue
    if (candidate.from === 'workspace' && !where.trusted) {
      // a file of an untrusted workspace is not even opened
      if (isPresent(candidate.path)) notes.push(`${candidate.path} is ignored until \`anode trust\``)
      continue
    }
    const text = readCandidate(candidate)
    if (text !== undefined) present.push({ ...candidate, text })
    const misnamed = findMisnamed(candidate)
    if (misnamed !== undefined) notes.push(misnamed)
  }
  if (present.length === 0) return { config: {}, origins: new Map(), notes }
  const { mergeConfigFiles } = await import('./merged-files.ts')
  const merged = await mergeConfigFiles(present, where.env)
  return { ...merged, notes: [...notes, ...merged.notes] }
}
