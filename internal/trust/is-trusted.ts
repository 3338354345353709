// Two checks of a directory: whether the user trusts the workspace in its current state, and whether the
// directory is one of Anode's own, which is refused. Every start runs both, so this file loads little code.
import { existsSync, realpathSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { EnvironmentVariables } from '../base/environment.ts'
import { messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/open-file.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { isObject } from '../base/untrusted-json.ts'
import { anodeDirs, isWithin } from '../policy/paths/path-jail.ts'

/**
 * Record, stored in the data directory, that the user trusts a workspace in one state of its files. `root` is
 * the real path of the workspace. `files` has the SHA-256 of each file that needs trust, by its path, as in
 * `SuppliedFiles`. `digest` is the SHA-256 over all of them; null if no file needed trust. `granted` is the
 * time in ISO 8601.
 */
export interface TrustRecord {
  root: string
  digest: string | null
  files: { [name: string]: string }
  granted: string
}

/**
 * Returns true if the workspace is trusted in its current state. Reads no file of the workspace if there is
 * neither a trust record nor a `trusted.json`, so that most starts are fast. Throws if the path does not
 * exist, if the record or `trusted.json` is damaged, or if the files that need trust are unreadable, too many
 * or too large.
 */
export async function isTrusted(root: string, dataDir: string, configDir?: string): Promise<boolean> {
  const real = realpathSync.native(root)
  const record = readTrustRecord(real, dataDir)
  if (record === undefined && pinsOf(configDir) === undefined) return false
  const { readSuppliedFiles } = await import('./supplied-files.ts')
  const { digest } = readSuppliedFiles(real)
  return (
    (record !== undefined && digest === (record.digest ?? undefined)) || isPinned(real, digest, configDir)
  )
}

/**
 * Returns what the user has trusted in advance, for machines without a user; undefined without such a file.
 * The file is `trusted.json` next to the configuration: `{"<real path>" or "*": ["<digest>"]}`, or `nothing`
 * as the digest of a workspace without files that need trust. No workspace can write there. Throws UserError
 * for an invalid file.
 */
function pinsOf(configDir: string | undefined): { [root: string]: unknown } | undefined {
  const path = configDir === undefined ? undefined : join(configDir, 'trusted.json')
  const text = path === undefined ? undefined : readSmall(path)
  if (text === undefined) return undefined
  try {
    const pins: unknown = JSON.parse(text)
    if (isObject(pins)) return { ...pins }
  } catch (cause) {
    throw new UserError(`${path} is not valid JSON (${messageOf(cause)})`, { cause })
  }
  throw new UserError(`${path} must be an object of lists of digests by path`)
}

/**
 * Returns true if the user has trusted this digest in advance, for the workspace `real` or for all. Undefined
 * is the digest of a workspace without files that need trust.
 */
export function isPinned(real: string, digest: string | undefined, configDir: string | undefined): boolean {
  const pins = pinsOf(configDir)
  const pinValue = digest ?? 'nothing'
  return [pins?.[real], pins?.['*']].some((list) => Array.isArray(list) && list.includes(pinValue))
}

const placeOf = (dataDir: string) => join(dataDir, 'trust')

export function trustRecordPath(real: string, dataDir: string): string {
  return join(placeOf(dataDir), `${fingerprint(real)}.json`)
}

/**
 * Returns the record of trust; undefined if it is missing, incomplete or of another path. Throws UserError if
 * it cannot be read, is larger than 16 MiB, or is not JSON.
 */
export function readTrustRecord(real: string, dataDir: string): TrustRecord | undefined {
  // A user without any trusted workspace does not have to wait for the computation of a hash.
  if (!existsSync(placeOf(dataDir))) return undefined
  const text = readSmall(trustRecordPath(real, dataDir), 16 << 20)
  if (text === undefined) return undefined
  let value: Partial<TrustRecord>
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new UserError(`the record of trust in ${real} is damaged (${messageOf(error)})`, {
      hint: 'run `anode trust` again',
    })
  }
  const { root, digest, files, granted } = value ?? {}
  if (root !== real || typeof granted !== 'string' || typeof files !== 'object' || files === null)
    return undefined
  return { root, digest: typeof digest === 'string' ? digest : null, files, granted }
}

/**
 * Throws UserError for a real path in the data, configuration or cache directory of Anode, unless it is in a
 * checkout that Anode has created there. The error begins with `lead`.
 */
export function refuseOwnDirectory(real: string, env: EnvironmentVariables, lead = ''): void {
  const dirs = anodeDirs(env)
  const ownDir = dirs.find((dir) => isWithin(real, dir))
  if (ownDir === undefined) return
  const [, data = ''] = dirs
  if (isOwnCheckout(relative(data, real).split(sep), data)) return
  throw new UserError(`${lead}"${real}" is in ${ownDir}, where Anode keeps its own files`, {
    hint: 'name another directory, or set ANODE_DATA_DIR',
  })
}

/**
 * Returns true if the path is in a checkout that Anode created: the worktree of a session, a build or
 * an experiment's candidate, or a corpus (fetched texts for evaluations). `parts` lead to the path from
 * the data directory.
 */
function isOwnCheckout(parts: readonly string[], data: string): boolean {
  const [area = '', first = '.', second = '', third, fourth] = parts
  if (first.startsWith('.')) return false
  if (area === 'corpora') return true
  const place = (...names: string[]) => join(data, area, ...names)
  const record = area === 'worktrees' ? `sess_${first}` : area === 'builds' && first
  if (record) return readPath(place(`${record}.json`)) === place(first)
  return area === 'research' && third === 'wt' && !!fourth && existsSync(place(first, second, 'ledger.jsonl'))
}

/** Returns the path in a worktree's record; undefined if the record is missing or damaged. */
function readPath(file: string): unknown {
  try {
    // The record is read without the module of records, which would load the code that writes them.
    return JSON.parse(readSmall(file) ?? 'null')?.path
  } catch {
    return undefined
  }
}
