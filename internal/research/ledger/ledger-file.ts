// The ledger of a session on disk: the file in the data directory, which is authoritative, and its copy
// in the workspace.
import { appendFile, open, readFile, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../../base/files/atomic-write.ts'
import { explainErrno } from '../../base/files/errno.ts'
import { ignoreCodes } from '../../base/files/ignored-errors.ts'
import { makeDirectory } from '../../base/files/make-directory.ts'
import { foldLedger, type LedgerState } from './fold.ts'
import { appendEntry, type Ledger, type LedgerRecord, parseLedger } from './ledger.ts'
import type { LedgerEntry } from './ledger-entry.ts'

export interface LedgerFile {
  readonly file: string
  readonly copy: string
  ledger: Ledger
  folded: LedgerState
}

export const ledgerPath = (dir: string): string => join(dir, 'ledger.jsonl')
export const ledgerCopyPath = (workspace: string): string => join(workspace, '.auto', 'log.jsonl')

/**
 * Reads the ledger without changing any file. A last line that was not written completely is skipped. A
 * missing file gives an empty ledger. Throws UserError (exit 5) if the ledger is damaged.
 */
export async function readLedgerFile(dir: string, workspace: string): Promise<LedgerFile> {
  const file = ledgerPath(dir)
  const bytes = await readFile(file).catch(ignoreCodes('ENOENT'))
  const ledger = parseLedger(bytes ?? new Uint8Array(), file)
  return { file, copy: ledgerCopyPath(workspace), ledger, folded: foldLedger(ledger.entries) }
}

/**
 * Opens the ledger for writing; the caller has the session's lock. Moves a last line that was not written
 * completely to `ledger.torn`, records that in a `recover` line, and returns `torn` true. Appends to the
 * workspace's copy the lines that it lost in a crash. Throws UserError (exit 5) if the ledger is damaged.
 */
export async function openLedgerFile(
  dir: string,
  workspace: string,
): Promise<{ ledgerFile: LedgerFile; torn: boolean }> {
  try {
    makeDirectory(dir, 0o700)
    const ledgerFile = await readLedgerFile(dir, workspace)
    const { torn, size } = ledgerFile.ledger
    if (torn.length > 0) {
      await keepTorn(join(dir, 'ledger.torn'), torn)
      await truncate(ledgerFile.file, size)
      ledgerFile.ledger = { ...ledgerFile.ledger, torn: new Uint8Array() }
      await writeEntry(ledgerFile, {
        type: 'recover',
        what: 'torn',
        detail: `${torn.length} bytes`,
        timestamp: currentTimestamp(),
      })
    } else await catchUp(ledgerFile)
    return { ledgerFile, torn: torn.length > 0 }
  } catch (error) {
    throw explainErrno(error, dir)
  }
}

/**
 * Appends a line to the file in the data directory and then to the copy, and updates the folded state.
 * Returns the stored line.
 */
export async function writeEntry(ledgerFile: LedgerFile, line: LedgerEntry): Promise<LedgerRecord> {
  try {
    ledgerFile.ledger = await appendEntry(ledgerFile.file, ledgerFile.ledger, line)
  } catch (error) {
    throw explainErrno(error, ledgerFile.file)
  }
  ledgerFile.folded = foldLedger(ledgerFile.ledger.entries)
  await catchUp(ledgerFile)
  return ledgerFile.ledger.entries.at(-1) as LedgerRecord
}

/**
 * Appends the missing lines to the copy if its content is the beginning of the file in the data directory.
 * Creates a missing copy. A copy with other content stays unchanged.
 */
async function catchUp({ file, copy, ledger }: LedgerFile): Promise<void> {
  if (ledger.size === 0) return
  const sealed = (await readFile(file)).subarray(0, ledger.size)
  const there = await readFile(copy).catch(ignoreCodes('ENOENT'))
  if (there === undefined) {
    makeDirectory(dirname(copy))
    await writeAtomic(copy, sealed)
  } else if (there.length < sealed.length && sealed.subarray(0, there.length).equals(there)) {
    await appendFile(copy, sealed.subarray(there.length))
  }
}

async function keepTorn(path: string, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'a', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.writeFile('\n')
    await handle.sync()
  } finally {
    await handle.close()
  }
}

export const currentTimestamp = (): string => new Date().toISOString()
