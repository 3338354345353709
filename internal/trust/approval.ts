// Approvals of things that can change by themselves, such as servers. They are stored as digests and compared
// on each use.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeAtomic } from '../base/files/atomic-write.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { readSmall } from '../base/files/open-file.ts'

export interface ApprovalRecord {
  /** Digest of how the server is started: program, arguments, environment, URL. */
  launch: string
  /** Digests of all approved parts by name, for example of each tool's description. */
  parts: Readonly<Record<string, string>>
  /** Time of the approval, in ISO 8601. */
  granted: string
}

/** Returns the SHA-256 of a value, written as JSON with sorted keys. */
export function digestJson(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}

/**
 * Returns the stored approval; undefined if the file is missing or does not contain a whole approval. Throws
 * UserError if the file cannot be read.
 */
export function readApproval(dataDir: string, key: string): ApprovalRecord | undefined {
  const text = readSmall(fileOf(dataDir, key), 4 << 20)
  if (text === undefined) return undefined
  try {
    const { launch, parts, granted } = (JSON.parse(text) ?? {}) as Partial<ApprovalRecord>
    const isWhole = typeof launch === 'string' && typeof granted === 'string' && typeof parts === 'object'
    return isWhole && parts !== null ? { launch, parts, granted } : undefined
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return undefined
  }
}

export async function grantApproval(
  dataDir: string,
  key: string,
  what: Omit<ApprovalRecord, 'granted'>,
): Promise<void> {
  const dir = join(dataDir, 'trust', 'approved')
  makeDirectory(dir, 0o700)
  const record: ApprovalRecord = { ...what, granted: new Date().toISOString() }
  await writeAtomic(fileOf(dataDir, key), Buffer.from(`${JSON.stringify(record)}\n`), { mode: 0o600 })
}

/** Removes an approval, so that the next use counts as the first. */
export function revokeApproval(dataDir: string, key: string): void {
  rmSync(fileOf(dataDir, key), { force: true })
}

function fileOf(dataDir: string, key: string): string {
  return join(dataDir, 'trust', 'approved', `${key}.json`)
}

function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const pairs = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${pairs.map(([key, item]) => `${JSON.stringify(key)}:${canonicalJson(item)}`).join(',')}}`
}
