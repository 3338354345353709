// The trust of a user in the files of a workspace that Anode obeys: profiles, hooks, servers, rules.
import { realpathSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { codeOf, UserError } from '../base/errors.ts'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { readSmall } from '../base/files/open-file.ts'
import { isPinned, readTrustRecord, type TrustRecord, trustRecordPath } from './is-trusted.ts'
import { readSuppliedFiles, type SuppliedFiles } from './supplied-files.ts'

interface TrustStatus {
  /** State of the trust. `changed` means that the files differ from the trusted ones. */
  state: 'trusted' | 'untrusted' | 'changed'
  /** Real path of the workspace. */
  root: string
  /** Files of the workspace that need trust, relative to it, sorted; may be empty. */
  files: readonly string[]
  /** SHA-256 over the names and contents of the files that need trust; undefined without such files. */
  digest: string | undefined
  /**
   * Time at which trust was granted, in ISO 8601. Undefined without a record, as for a digest that was
   * trusted in advance.
   */
  granted: string | undefined
  /**
   * In the state `changed`: files that were added, removed or changed since trust was
   * granted. Otherwise empty.
   */
  differs: readonly string[]
}

/**
 * Returns the trust state. Lists and hashes the files that need trust, which costs little without any. Throws
 * UserError if one of these files, the record of the trust or `trusted.json` cannot be read, or if the files
 * are too many or too large.
 */
export function readTrustState(root: string, dataDir: string, configDir?: string): TrustStatus {
  const real = realpathSync.native(root)
  const record = readTrustRecord(real, dataDir)
  const suppliedFiles = readSuppliedFiles(real)
  const files = Object.keys(suppliedFiles.files)
  const base = { root: real, files, digest: suppliedFiles.digest, granted: record?.granted }
  if (isPinned(real, suppliedFiles.digest, configDir)) return { ...base, state: 'trusted', differs: [] }
  if (!record) return { ...base, state: 'untrusted', differs: [] }
  if (suppliedFiles.digest === (record.digest ?? undefined)) return { ...base, state: 'trusted', differs: [] }
  return { ...base, state: 'changed', differs: findChangedFiles(record.files, suppliedFiles.files) }
}

/**
 * Records that the user trusts the workspace in its current state. Throws UserError if `seenDigest`, the
 * digest that the user has seen, is out of date, if a file is unreadable, a device or a link to outside, or
 * if the files are too many or too large.
 */
export async function grantTrust(root: string, dataDir: string, seenDigest?: string): Promise<TrustStatus> {
  const real = realpathSync.native(root)
  const suppliedFiles = readSuppliedFiles(real)
  if (seenDigest !== undefined && suppliedFiles.digest !== seenDigest) {
    throw new UserError('the files of the workspace changed while you looked at them', {
      hint: 'look again, then trust again',
    })
  }
  const unusable = Object.keys(suppliedFiles.files).find((name) =>
    /(^| )(outside|special)$/.test(suppliedFiles.files[name] ?? ''),
  )
  if (unusable !== undefined) {
    throw new UserError(
      `${join(real, unusable)} is not a regular file of this workspace, so it cannot be trusted`,
      {
        hint: 'remove it, or put a copy of what it leads to in its place',
      },
    )
  }
  const granted = new Date().toISOString()
  const record: TrustRecord = {
    root: real,
    digest: suppliedFiles.digest ?? null,
    files: suppliedFiles.files,
    granted,
  }
  const file = trustRecordPath(real, dataDir)
  makeDirectory(dirname(file), 0o700)
  await writeAtomic(file, Buffer.from(`${JSON.stringify(record, null, 2)}\n`), { mode: 0o600 })
  const files = Object.keys(suppliedFiles.files)
  return { state: 'trusted', root: real, files, digest: suppliedFiles.digest, granted, differs: [] }
}

/**
 * Deletes the record of trust in a workspace. Returns true if a record existed. A digest in
 * `trusted.json` stays trusted.
 */
export function revokeTrust(root: string, dataDir: string): boolean {
  const file = trustRecordPath(rootOf(root), dataDir)
  const had = readSmall(file) !== undefined
  rmSync(file, { force: true })
  return had
}

/**
 * Returns the real path of the workspace. Trust in a deleted workspace can still be revoked by the
 * path as given.
 */
function rootOf(root: string): string {
  try {
    return realpathSync.native(root)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return root
    throw error
  }
}

function findChangedFiles(before: SuppliedFiles['files'], now: SuppliedFiles['files']): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => before[name] !== now[name]).sort()
}
