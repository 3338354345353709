// The ledger of a session on disk: the sealed file that counts, and the copy in the repository that people read.
import { appendFile, mkdir, open, readFile, truncate } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../base/atomic.ts'
import { explain } from '../base/errno.ts'
import { codeOf } from '../base/errors.ts'
import { type Folded, fold } from './fold.ts'
import { append, type Entry, type Ledger, parseLedger } from './ledger.ts'
import type { Line } from './line.ts'

export interface Book {
  readonly file: string
  readonly copy: string
  ledger: Ledger
  folded: Folded
}

export const ledgerFile = (dir: string): string => join(dir, 'ledger.jsonl')
export const copyFile = (workspace: string): string => join(workspace, '.auto', 'log.jsonl')

/** Reads without changing anything; a torn last line is passed over. Throws UserError (exit 5) when damaged. */
export async function readBook(dir: string, workspace: string): Promise<Book> {
  const file = ledgerFile(dir)
  const bytes = await readFile(file).catch(absent)
  const ledger = parseLedger(bytes ?? new Uint8Array(), file)
  return { file, copy: copyFile(workspace), ledger, folded: fold(ledger.entries) }
}

/**
 * Opens the ledger for writing; the caller holds the session's lock. A torn last line is moved to `ledger.torn` and
 * a `recover` line says so; the copy gets the lines that a crash kept from it.
 */
export async function openBook(dir: string, workspace: string): Promise<{ book: Book; torn: boolean }> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    const book = await readBook(dir, workspace)
    const { torn, size } = book.ledger
    if (torn.length > 0) {
      await keepTorn(join(dir, 'ledger.torn'), torn)
      await truncate(book.file, size)
      book.ledger = { ...book.ledger, torn: new Uint8Array() }
      await write(book, { type: 'recover', what: 'torn', detail: `${torn.length} bytes`, timestamp: now() })
    } else await catchUp(book)
    return { book, torn: torn.length > 0 }
  } catch (error) {
    throw explain(error, dir)
  }
}

/** Appends a line, first to the sealed file and then to the copy, and folds it in. */
export async function write(book: Book, line: Line): Promise<Entry> {
  try {
    book.ledger = await append(book.file, book.ledger, line)
  } catch (error) {
    throw explain(error, book.file)
  }
  book.folded = fold(book.ledger.entries)
  await catchUp(book)
  return book.ledger.entries.at(-1) as Entry
}

/** Makes the copy whole when it is a beginning of the sealed file; a copy that says something else is left alone. */
async function catchUp({ file, copy, ledger }: Book): Promise<void> {
  if (ledger.size === 0) return
  const sealed = (await readFile(file)).subarray(0, ledger.size)
  const there = await readFile(copy).catch(absent)
  if (there === undefined) {
    await mkdir(dirname(copy), { recursive: true })
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

export const now = (): string => new Date().toISOString()

function absent(error: unknown): undefined {
  if (codeOf(error) !== 'ENOENT') throw error
}
