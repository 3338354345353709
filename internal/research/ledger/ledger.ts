// The append-only ledger of experiments: JSON lines chained by hash, written durably, checked line by line.
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UserError } from '../../base/errors.ts'

/** One line; types and keys this version does not know are kept as they are. */
export interface LedgerRecord {
  seq: number
  prev: string
  type: string
  [key: string]: unknown
}

export interface Ledger {
  entries: LedgerRecord[]
  /** Hash of the last whole line, `''` for none: what the next line carries as `prev`. */
  head: string
  /** Bytes of whole lines; what lies behind is `torn`, a line whose write did not end. */
  size: number
  torn: Uint8Array
}

/**
 * Reads the bytes of `file`. A last line without its newline is torn and left out; any other line that is no
 * JSON, out of sequence or does not carry the hash of the line before throws UserError (exit 5) naming file
 * and line.
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
    head = hash(raw)
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
 * Adds one line behind `ledger` with one write and waits until the disk has it; the caller holds the
 * session's lock. Throws, with the file as it was, when the file is not `ledger.size` long or the disk takes
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
  const head = hash(text.subarray(0, -1))
  return { entries: [...ledger.entries, entry], head, size: ledger.size + text.length, torn: ledger.torn }
}

/** Makes the name of a new ledger last too. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
