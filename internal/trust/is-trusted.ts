// Whether a workspace is trusted as it stands: the question of every start, so that little is loaded for it.

import { existsSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { messageOf, UserError } from '../base/errors.ts'
import { readSmall } from '../base/files/small-file.ts'
import { fingerprint } from '../base/fingerprint.ts'
import { isObject } from '../base/untrusted-json.ts'

/** What is kept of a trust that was given. */
export interface TrustRecord {
  root: string
  digest: string | null
  files: { [name: string]: string }
  granted: string
}

/**
 * Whether the workspace is trusted as it stands. Without a record nothing is looked at, which most starts are
 * spared.
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
 * What the person has written down as trusted beforehand, for machines where nobody can be asked: the file
 * `trusted.json` beside their configuration, `{"<real path>" or "*": ["<digest>"]}`, or `nothing` for one
 * that brings nothing. No workspace can write there.
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

/** Whether this digest is one that the person has written down beforehand. */
export function isPinned(real: string, digest: string | undefined, configDir: string | undefined): boolean {
  const pins = pinsOf(configDir)
  const wanted = digest ?? 'nothing'
  return [pins?.[real], pins?.['*']].some((list) => Array.isArray(list) && list.includes(wanted))
}

const placeOf = (dataDir: string) => join(dataDir, 'trust')

export function trustRecordPath(real: string, dataDir: string): string {
  return join(placeOf(dataDir), `${fingerprint(real)}.json`)
}

/** A record that cannot be understood is no trust. */
export function readTrustRecord(real: string, dataDir: string): TrustRecord | undefined {
  // whoever never trusted anything is not made to wait for a hash
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
