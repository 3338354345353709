// The database of a data directory, opened and joined with its parts into a Store.
import { chmodSync, closeSync, existsSync, openSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { UserError } from '../base/errors.ts'
import { makeDirectory } from '../base/files/make-directory.ts'
import { makeDataDirectoryError } from '../base/files/own-directories.ts'
import { once } from '../base/once.ts'
import { createBlobs } from './blobs.ts'
import {
  type DatabaseConnection,
  defaultSqliteEngine,
  openDriver,
  retryWhileBusy,
  type SqliteEngine,
  wrapConnection,
} from './connection.ts'
import { createCronStore } from './cron/cron-tables.ts'
import { createMail } from './mail/mailbox.ts'
import { migrateDatabase } from './migrations.ts'
import { createPermissionAnswers } from './permission-answers.ts'
import { findResultCode, translateSqliteError } from './sqlite-errors.ts'
import type { Store } from './store.ts'
import { createTasks } from './task/tasks.ts'
import { createThreads, removeLeftBlobs } from './thread/threads.ts'
import { createTodos } from './todos.ts'

export interface StoreOptions {
  /** True to create and change nothing. A missing database reads as an empty one. */
  readOnly?: boolean
  /**
   * Called once, with one line, if the location of the database is unreliable, for example on a network file
   * system. Not called with `readOnly`.
   */
  warn?: (line: string) => void
  /** Returns the time in milliseconds since 1970. Tests pass their own clock. */
  now?: () => number
  /**
   * Engine to use. Default: the one inside Node if it is new enough, otherwise the native module.
   * Tests pass each.
   */
  engine?: SqliteEngine
}

/**
 * Opens `<dir>/anode.db` and, unless `readOnly` is true, creates or migrates it if necessary. Throws
 * UserError if the directory cannot be used, if the database is damaged, from another program or from a newer
 * Anode, and with `readOnly` if it is from an older one. The caller closes the store.
 */
export async function openStore(dir: string, options: StoreOptions = {}): Promise<Store> {
  const db = await openDatabase(dir, options)
  const now = options.now ?? Date.now
  const texts = resolve(dir, 'blob')
  // Most runs use none of these parts, so their functions are created on first use.
  const blobs = once(() => createBlobs(texts, now))
  if (!options.readOnly && existsSync(texts)) {
    if (existsSync(join(texts, 'tmp'))) blobs().sweep()
    try {
      removeLeftBlobs(db, blobs(), now())
    } catch {
      // A file that cannot be removed now must not keep the store closed. The next opening tries it again.
    }
  }
  const todos = once(() => createTodos(db))
  const tasks = once(() => createTasks(db, now))
  const mail = once(() => createMail(db, now))
  const answers = once(() => createPermissionAnswers(db, now))
  const cron = once(() => createCronStore(db, now))
  return {
    threads: createThreads(db, blobs, now),
    get blobs() {
      return blobs()
    },
    get todos() {
      return todos()
    },
    get tasks() {
      return tasks()
    },
    get mail() {
      return mail()
    },
    get answers() {
      return answers()
    },
    get cron() {
      return cron()
    },
    close: db.close,
  }
}

/**
 * Opens a connection to the migrated database without the parts of the store, for features with
 * their own tables.
 */
export async function openDatabase(dir: string, options: StoreOptions = {}): Promise<DatabaseConnection> {
  const openFile = await openDriver(options.engine ?? defaultSqliteEngine())
  const open = (name: string, file: string) => {
    try {
      return wrapConnection(
        retryWhileBusy(() => openFile(name, busyMs)),
        file,
        !options.readOnly,
      )
    } catch (error) {
      throw translateSqliteError(error, file)
    }
  }
  if (options.readOnly) return openForReading(resolve(dir), open)

  const file = prepareDataDir(resolve(dir))
  const network = networkFileSystem(dir)
  if (network) options.warn?.(`${dir} is on ${network}: databases get damaged there; set ANODE_DATA_DIR`)
  const db = open(file, file)
  return configureConnection(db, () => {
    retryWhileBusy(() => db.exec('PRAGMA journal_mode = WAL'))
    // With FULL, a commit has reached the disk when it returns. The size limit frees disk space after
    // a large transaction. With `secure_delete`, a changed row leaves no copy of its old text in its page.
    db.exec(
      `PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA secure_delete = FAST;
       PRAGMA journal_size_limit = ${16 << 20}`,
    )
    migrateDatabase(db)
  })
}

/** Milliseconds that a statement waits for the lock of another process before it fails. */
const busyMs = 30_000

function openForReading(
  dir: string,
  open: (name: string, file: string) => DatabaseConnection,
): DatabaseConnection {
  const file = join(dir, databaseName)
  if (!existsSync(file) || statSync(file).size === 0) {
    const empty = open(':memory:', file)
    return configureConnection(empty, () => {
      migrateDatabase(empty)
      empty.exec('PRAGMA query_only = ON')
    })
  }
  const read = (query: string) => {
    const db = open(`file:${encodeURI(file).replaceAll('?', '%3f').replaceAll('#', '%23')}?${query}`, file)
    return configureConnection(db, () => {
      db.exec('PRAGMA query_only = ON')
      migrateDatabase(db, true)
    })
  }
  try {
    return read('mode=ro')
  } catch (error) {
    // In a read-only directory, SQLite cannot create the index for the log. Without a log no index is
    // necessary, so the file is opened as immutable.
    const log = existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0
    if (log || !isUnopened(error)) throw error
    return read('immutable=1')
  }
}

function isUnopened(error: unknown): boolean {
  const code = findResultCode(error)
  return code !== undefined && /^SQLITE_(CANTOPEN|READONLY)/.test(code)
}

/**
 * Runs `setUp` and returns `db`. If `setUp` throws, closes the connection and throws the error in the form
 * that `toUserError` gives it.
 */
function configureConnection(db: DatabaseConnection, setUp: () => void): DatabaseConnection {
  try {
    setUp()
    return db
  } catch (error) {
    db.close()
    throw toUserError(error)
  }
}

/**
 * Returns a UserError for a FailureError `io` that occurs while the file is opened, because the user can fix
 * its cause. Returns other errors unchanged.
 */
function toUserError(error: unknown): unknown {
  const failure = (error as { failure?: { code: string; message: string; hint?: string } }).failure
  if (failure?.code !== 'io') return error
  return new UserError(failure.message, { hint: failure.hint || undefined, cause: error })
}

/** Name of the database in the data directory. */
const databaseName = 'anode.db'

/**
 * Creates the directory (0700) and an empty database file (0600) if they are missing; existing ones keep
 * their modes. Returns the path of the file. Throws UserError with the directory if this fails.
 */
export function prepareDataDir(dir: string): string {
  const file = join(dir, databaseName)
  try {
    // The umask may remove bits from the mode of mkdir, so the mode is set again. New parent directories get
    // the same mode.
    const newDirectory = makeDirectory(dir, 0o700)
    if (newDirectory !== undefined) chmodSync(dir, 0o700)
    // SQLite would create the file readable for all users, so it is created here. The files -wal and -shm get
    // the same mode.
    if (!existsSync(file)) closeSync(openSync(file, 'a', 0o600))
    return file
  } catch (error) {
    throw makeDataDirectoryError(dir, error)
  }
}

/**
 * Returns the name of the network file system of `dir`; undefined on a local disk, for an unknown file
 * system, and on systems other than Linux.
 */
export function networkFileSystem(dir: string, type = statfsSync(dir).type): string | undefined {
  return process.platform === 'linux' ? remote[type >>> 0] : undefined
}

/** Numbers that statfs(2) returns for file systems whose locks or shared memory are unreliable. */
const remote: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'CIFS',
  4266872130: 'SMB2',
  16914839: '9P',
  1397113167: 'AFS',
  1937076805: 'Coda',
  12805120: 'Ceph',
  198183888: 'Lustre',
}
