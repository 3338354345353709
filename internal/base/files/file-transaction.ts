// Transactions over several files: all are written or none. The next start finishes or undoes one that
// a crash interrupted.
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { codeOf, FailureError, messageOf } from '../errors.ts'
import { createUlid } from '../ids.ts'
import { isAlive, processIdentity } from '../process-identity.ts'
import { explainErrno } from './errno.ts'
import { makeDirectory } from './make-directory.ts'
import { breakLock, withLocks } from './path-locks.ts'
import {
  draftChange,
  isBelow,
  publishItem,
  removeEmpty,
  restoreItem,
  stageItem,
  syncDirs,
  type TransactionChange,
  type TransactionFile,
  tidyItem,
} from './transaction-file.ts'

/**
 * State of a transaction. `stage`: no file has changed, or its only file is complete. `commit`: all new
 * content is prepared, so the transaction is finished after a crash. `undo`: it is undone after a crash. The
 * state is part of the record's name, so that a change of state is one rename and needs no disk space.
 */
type TransactionState = 'stage' | 'commit' | 'undo'

interface TransactionPlan {
  items: TransactionFile[]
  /**
   * Directories that are never removed; those above them are not removed either. Emptied directories below
   * them are removed.
   */
  keep: string[]
}

/** The result of a transaction that a crash had interrupted. */
interface RecoveryResult {
  outcome: 'finished' | 'undone' | 'failed'
  files: string[]
  /** Files that were left alone because another process has changed them. */
  kept: string[]
  why?: string
}

/**
 * Writes and removes files, all of them or none. A path may occur only once. An error before all are written
 * undoes everything. Throws FailureError: `stale_read` or `file_exists` if an `expect` does not match, `busy`
 * if a file stays locked for 30 s, else the error of the system. Directories that removals empty below one of
 * `keep` are removed. Callers check for cancellation before, because it cannot be interrupted.
 */
export async function commitFiles(
  dataDir: string,
  changes: readonly TransactionChange[],
  keep: readonly string[] = [],
) {
  const dir = join(dataDir, 'journal')
  const paths = changes.map(({ path }) => path)
  await withLocks(dir, paths, async () => await runTransaction(dir, changes, keep))
}

async function runTransaction(
  dir: string,
  changes: readonly TransactionChange[],
  keep: readonly string[],
): Promise<void> {
  const drafts = []
  for (const change of changes) drafts.push(await draftChange(change, changes))
  // removals come first, because they may empty a directory at whose path another change creates a file
  drafts.sort((a, b) => Number(a.item.temp !== null) - Number(b.item.temp !== null))
  const plan: TransactionPlan = { items: drafts.map(({ item }) => item), keep: [...keep] }
  const many = changes.length > 1
  const record = await beginRecord(dir, plan, many)
  try {
    for (const one of drafts) await stageItem(one)
    if (many) {
      await syncDirs(plan.items, 'homes')
      await record.advance('commit')
    }
    for (const item of plan.items) if (!(await publishItem(item))) throw staleReadError(item)
  } catch (error) {
    if (record.state === 'commit') await record.advance('undo')
    await takeBack(plan, record)
    throw error
  }
  await finishTransaction(plan, record)
}

/**
 * Finishes or undoes the transactions of processes that have ended, removes locks of such processes, and
 * returns the results. Any number of processes may call it at once: a record is claimed by renaming it.
 * Records of living processes are left alone.
 */
export async function recoverJournals(dataDir: string): Promise<RecoveryResult[]> {
  const dir = join(dataDir, 'journal')
  const names = await readdir(dir).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw explainErrno(error, dir)
  })
  const done: RecoveryResult[] = []
  for (const name of names) {
    if (name.startsWith('lock.')) await breakLock(join(dir, name))
    const [, id, mark, state] = pattern.exec(name) ?? []
    if (id === undefined || mark === undefined) continue
    const path = join(dir, name)
    const age = await ageOf(path)
    if (age === undefined || isAlive(mark, age)) continue
    const record = new TransactionRecord(dir, id, state as TransactionState, mark)
    if (await record.claim()) done.push(await recoverRecord(record, age))
  }
  return done.filter(({ files }) => files.length > 0)
}

/** Age in milliseconds from which a record that cannot be recovered is removed; its disk may be unmounted. */
const lifetime = 7 * 86_400_000

async function recoverRecord(record: TransactionRecord, age: number): Promise<RecoveryResult> {
  let files: string[] = []
  try {
    const plan = await record.plan()
    files = plan.items.map(({ path }) => path)
    return await withLocks(record.dir, files, async () => {
      const keptFiles = record.state === 'commit' ? await goForward(plan, record) : undefined
      if (keptFiles) return { outcome: 'finished', files, kept: keptFiles }
      return { outcome: 'undone', files, kept: await takeBack(plan, record) }
    })
  } catch (error) {
    if (age > lifetime) await record.remove()
    return {
      outcome: 'failed',
      files: files.length > 0 ? files : [record.path],
      kept: [],
      why: messageOf(error),
    }
  }
}

/**
 * Finishes a transaction. Returns the files that were left alone because they had changed; undefined if it
 * cannot be finished, so that the caller has to undo it.
 */
async function goForward(plan: TransactionPlan, record: TransactionRecord): Promise<string[] | undefined> {
  const keptFiles = []
  try {
    for (const item of plan.items) if (!(await publishItem(item))) keptFiles.push(item.path)
  } catch (error) {
    // the error that stopped the dead process may occur here too; then everything is undone, as that process
    // would have done
    if (!(error instanceof FailureError)) throw error
    await record.advance('undo')
    return undefined
  }
  await finishTransaction(plan, record)
  return keptFiles
}

async function finishTransaction(plan: TransactionPlan, record: TransactionRecord): Promise<void> {
  await syncDirs(plan.items, 'all')
  for (const item of plan.items) await tidyItem(item, false)
  for (const item of plan.items) if (item.temp === null) await pruneDirectory(dirname(item.path), plan.keep)
  await record.remove()
}

/** Undoes a transaction. Returns the files that were left alone because another process has changed them. */
async function takeBack(plan: TransactionPlan, record: TransactionRecord): Promise<string[]> {
  const keptFiles = []
  const items = [...plan.items].reverse()
  if (record.state === 'undo') for (const i of items) if (!(await restoreItem(i))) keptFiles.push(i.path)
  for (const item of items) await tidyItem(item, true)
  await syncDirs(plan.items, 'all')
  await record.remove()
  return keptFiles
}

async function pruneDirectory(dir: string, keep: readonly string[]): Promise<void> {
  const below = keep.some((root) => isBelow(dir, root))
  const needed = keep.some((root) => root === dir || isBelow(root, dir))
  if (below && !needed && (await removeEmpty(dir))) await pruneDirectory(dirname(dir), keep)
}

/**
 * Records a planned transaction. A single file needs its record only to find its temporary file after
 * a crash. Its record is therefore not forced to disk, and an unwritable data directory does not
 * prevent the write.
 */
async function beginRecord(dir: string, plan: TransactionPlan, many: boolean): Promise<TransactionRecord> {
  const record = new TransactionRecord(dir, createUlid(), 'stage', processIdentity())
  try {
    makeDirectory(record.dir, 0o700)
    await record.write(JSON.stringify(plan), many)
  } catch (error) {
    if (many) throw explainErrno(error, record.dir)
    record.onDisk = false
  }
  return record
}

const pattern = /^([0-9A-Z]{26})\.([^.]+)\.(stage|commit|undo)$/

/**
 * The record of a transaction: a file named `<id>.<mark>.<state>`, whose mark identifies the process
 * that owns it.
 */
class TransactionRecord {
  readonly dir: string
  readonly id: string
  state: TransactionState
  mark: string
  /** False if the data directory could not be written. */
  onDisk = true

  constructor(dir: string, id: string, state: TransactionState, mark: string) {
    this.dir = dir
    this.id = id
    this.state = state
    this.mark = mark
  }

  get path(): string {
    return join(this.dir, `${this.id}.${this.mark}.${this.state}`)
  }

  /**
   * Writes the record as a new file. If writing fails, the file is removed. `durable`: waits until the record
   * is on disk.
   */
  async write(text: string, durable: boolean): Promise<void> {
    const handle = await open(this.path, 'wx', 0o600)
    try {
      await handle.writeFile(text)
      if (durable) await handle.sync()
    } catch (error) {
      await rm(this.path)
      throw error
    } finally {
      await handle.close()
    }
  }

  async plan(): Promise<TransactionPlan> {
    const text = await readFile(this.path, 'utf8')
    try {
      return JSON.parse(text) as TransactionPlan
    } catch (error) {
      // the process died while it wrote the record, so nothing was staged
      if (this.state === 'stage') return { items: [], keep: [] }
      throw error
    }
  }

  /** Changes the state of the record. The change is on disk when it resolves. */
  async advance(state: TransactionState): Promise<void> {
    try {
      await this.rename({ state, mark: this.mark })
      const dir = await open(this.dir)
      await dir.sync().finally(() => dir.close())
    } catch (error) {
      throw explainErrno(error, this.dir)
    }
  }

  /** Makes this process the owner of the record. Returns false if another process was faster. */
  async claim(): Promise<boolean> {
    try {
      await this.rename({ state: this.state, mark: processIdentity() })
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw explainErrno(error, this.dir)
    }
  }

  async remove(): Promise<void> {
    if (this.onDisk) await rm(this.path, { force: true })
  }

  private async rename(to: { state: TransactionState; mark: string }): Promise<void> {
    const from = this.path
    await rename(from, join(this.dir, `${this.id}.${to.mark}.${to.state}`))
    Object.assign(this, to)
  }
}

async function ageOf(path: string): Promise<number | undefined> {
  const there = await stat(path).catch(() => undefined)
  return there && Date.now() - there.mtimeMs
}

function staleReadError(item: TransactionFile): FailureError {
  return new FailureError({
    code: 'stale_read',
    message: `${item.shown} was changed by someone else while it was being written`,
    hint: 'Read it again and repeat the change on what it holds now.',
  })
}
