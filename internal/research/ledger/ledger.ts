// Append-only ledger of experiments: JSON lines chained by hash, written durably, checked line by line.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '../../base/errors.ts'

/** One line of the ledger. Unknown types and keys are kept unchanged. */
export interface LedgerRecord {
  seq: number
  prev: string
  type: string
  [key: string]: unknown
}

export interface Ledger {
  entries: LedgerRecord[]
  /** Hash of the last whole line, `''` for an empty ledger. The next line stores it as `prev`. */
  head: string
  /** Number of bytes of complete lines. The rest is `torn`, a line that was not written completely. */
  size: number
  torn: Uint8Array
}

/**
 * Parses the bytes of `file`. A last line without its newline was not written completely and is skipped.
 * Throws UserError (exit 5) with file and line if any other line is invalid JSON, out of sequence, or lacks
 * the hash of the previous line.
 */
export function parseLedger(bytes: Uint8Array, file: string): Ledger {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const entries: LedgerRecord[] = []
  let head = ''
  let from = 0
  for (let end = buffer.indexOf(10); end >= 0; end = buffer.indexOf(10, from)) {
    const raw = buffer.subarray(from, end)
    const entry = entryOf(raw)
    if (entry?.seq !== entries.length + 1 || entry.prev !== head) {
      throw new UserError(`ledger damaged at ${file}:${entries.length + 1}`, { exit: 5 })
    }
    entries.push(entry)
    head = hashBytes(raw)
    from = end + 1
  }
  return { entries, head, size: from, torn: buffer.subarray(from) }
}

function entryOf(raw: Buffer): LedgerRecord | undefined {
  try {
    const value = JSON.parse(raw.toString('utf8')) as Partial<LedgerRecord> | null
    const { seq, prev, type } = value ?? {}
    return typeof seq === 'number' && typeof prev === 'string' && typeof type === 'string'
      ? (value as LedgerRecord)
      : undefined
  } catch {
    return undefined
  }
}

/**
 * Appends one line after `ledger` with one write and waits until it is on disk. The caller has the
 * session's lock. Throws and leaves the file unchanged if its size is not `ledger.size` or the disk takes
 * only part of the line.
 */
export async function appendEntry(file: string, ledger: Ledger, body: { type: string }): Promise<Ledger> {
  const entry: LedgerRecord = { ...body, seq: ledger.entries.length + 1, prev: ledger.head }
  const { seq, prev, ...rest } = entry
  const text = Buffer.from(`${JSON.stringify({ seq, prev, ...rest })}\n`)
  const handle = await open(file, 'a', 0o600)
  try {
    const { size } = await handle.stat()
    if (size !== ledger.size) throw new UserError(`${file} was changed by someone else`, { exit: 1 })
    try {
      const { bytesWritten } = await handle.write(text)
      if (bytesWritten !== text.length) throw new UserError(`${file}: the disk is full`, { exit: 1 })
      await handle.sync()
      if (size === 0) await syncFolder(dirname(file))
    } catch (error) {
      await handle.truncate(size)
      throw error
    }
  } finally {
    await handle.close()
  }
  const head = hashBytes(text.subarray(0, -1))
  return { entries: [...ledger.entries, entry], head, size: ledger.size + text.length, torn: ledger.torn }
}

/** Writes the directory that contains a new ledger to disk, so that a crash cannot lose the file. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const hashBytes = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
