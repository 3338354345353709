// Connections to a database through the SQLite of Node or a native module, with cached
// statements and transactions.
import { isBusy, translateSqliteError } from './sqlite-errors.ts'

/** Values that a statement can get. SQLite has no booleans. */
export type SqlValue = string | number | null | Uint8Array

/** An open database. Errors of its statements are translated by `translateSqliteError`. */
export interface DatabaseConnection {
  readonly file: string
  readonly writable: boolean
  /** Returns all rows, also for statements with RETURNING. Blobs are Uint8Array. */
  all<T = SqlRow>(sql: string, ...values: SqlValue[]): T[]
  /** Returns the first row; undefined without a row. */
  get<T = SqlRow>(sql: string, ...values: SqlValue[]): T | undefined
  /**
   * Runs a statement that returns no rows. Returns the number of changed rows and the last inserted row id.
   * Do not use it with RETURNING: the statement would stay open and keep its lock.
   */
  run(sql: string, ...values: SqlValue[]): { changes: number; rowid: number }
  /** Runs one or more statements that have no parameters, and returns no rows. */
  exec(sql: string): void
  /**
   * Runs `work` in one BEGIN IMMEDIATE transaction and returns its result. If `work` throws, nothing is
   * stored and the error is rethrown. A nested call joins the outer transaction, so its changes are undone
   * only if the outer `work` throws.
   */
  write<T>(work: () => T): T
  close(): void
}

/** Wraps an open driver handle. Errors mention `file`. */
export function wrapConnection(db: SqliteDriver, file: string, writable: boolean): DatabaseConnection {
  const prepared = new Map<string, SqlStatement>()
  const statement = (sql: string) => {
    const preparedStatement = prepared.get(sql)
    if (preparedStatement) return preparedStatement
    const fresh = db.prepare(sql)
    prepared.set(sql, fresh)
    return fresh
  }
  const guard = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw translateSqliteError(error, file)
    }
  }
  let depth = 0

  return {
    file,
    writable,
    all: <T>(sql: string, ...values: SqlValue[]) =>
      guard(() => statement(sql).all(values.map(replaceNuls)) as T[]),
    get: <T>(sql: string, ...values: SqlValue[]) =>
      guard(() => statement(sql).get(values.map(replaceNuls)) as T | undefined),
    run: (sql, ...values) =>
      guard(() => {
        const { changes, lastInsertRowid } = statement(sql).run(values.map(replaceNuls))
        return { changes: Number(changes), rowid: Number(lastInsertRowid) }
      }),
    exec: (sql) => guard(() => db.exec(sql)),
    write: (work) => {
      if (depth > 0) return work()
      guard(() => beginTransaction(db))
      depth++
      try {
        const result = work()
        guard(() => db.exec('COMMIT'))
        return result
      } catch (error) {
        // After some errors, such as a full disk, SQLite has already rolled the transaction back.
        if (db.isInTransaction()) guard(() => db.exec('ROLLBACK'))
        throw error
      } finally {
        depth--
      }
    },
    close: () => {
      prepared.clear()
      db.close()
    },
  }
}

/**
 * Begins a transaction and waits at most 30 seconds for a lock. SQLite itself does not wait if a wait
 * could cause a deadlock, for example during the recovery of a log. This connection has no locks yet, so a
 * wait is safe.
 */
function beginTransaction(db: SqliteDriver) {
  retryWhileBusy(() => db.exec('BEGIN IMMEDIATE'))
}

/**
 * Calls `work` and returns its result. While another process has the lock, repeats the call for at most
 * `forMs` milliseconds, then throws the last error. Throws any other error immediately.
 */
export function retryWhileBusy<T>(work: () => T, forMs = 30_000): T {
  const end = Date.now() + forMs
  for (let wait = 1; ; wait = Math.min(wait * 2, 50)) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || Date.now() >= end) throw error
      Atomics.wait(nobody, 0, 0, wait * (0.5 + Math.random()))
    }
  }
}

const nobody = new Int32Array(new SharedArrayBuffer(4))

/** Replaces NUL characters in a text by U+FFFD, because SQLite's text functions stop at a NUL. */
function replaceNuls(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

/** A compiled statement. It returns rows as objects, with blobs as Uint8Array. */
interface SqlStatement {
  all(values: readonly SqlValue[]): SqlRow[]
  get(values: readonly SqlValue[]): SqlRow | undefined
  /** Returns counts as bigints. */
  run(values: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
}
export type SqlRow = Record<string, unknown>

/** An open database file. */
export interface SqliteDriver {
  prepare(sql: string): SqlStatement
  exec(sql: string): void
  isInTransaction(): boolean
  /** Closes the file. A second call does nothing. */
  close(): void
}

/** `node` is the module node:sqlite, `addon` a native module with the same classes. */
export type SqliteEngine = 'node' | 'addon'

/** Returns the engine that this process uses by default. */
export function defaultSqliteEngine(): SqliteEngine {
  return nodeSqlite() ? 'node' : 'addon'
}

/**
 * Loads an engine; the native module also if this Node has no usable node:sqlite. Returns a function that
 * opens `name`, a path or a `file:` URI; a statement then waits at most `timeoutMs` for the lock of another
 * process. Throws UserError if the native module is needed and cannot be loaded.
 */
export async function openDriver(
  engine: SqliteEngine,
): Promise<(name: string, timeoutMs: number) => SqliteDriver> {
  const Database = (engine === 'node' ? nodeSqlite() : undefined) ?? (await importAddon())
  return (name, timeout) => wrapDatabase(new Database(name, { timeout }))
}

/** The methods of both engines that are used here, because the types of Node 20 lack the module. */
interface NodeDatabase {
  readonly isTransaction: boolean
  prepare(sql: string): {
    all(...values: readonly SqlValue[]): SqlRow[]
    get(...values: readonly SqlValue[]): SqlRow | undefined
    run(...values: readonly SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint }
    setReadBigInts(wanted: boolean): void
  }
  exec(sql: string): void
  close(): void
}
type NodeDatabaseClass = new (name: string, options: { timeout: number }) => NodeDatabase

/**
 * Returns the class of node:sqlite. Undefined if this Node has no such module or is older than 22.16, where
 * the module has no time limit for locks.
 */
function nodeSqlite(): NodeDatabaseClass | undefined {
  const warn = process.emitWarning
  // Some versions of Node warn on standard error that the module is experimental, so warnings are turned off
  // while it loads.
  process.emitWarning = () => undefined
  try {
    const sqliteModule = process.getBuiltinModule('node:sqlite' as 'node:fs') as unknown as
      | { DatabaseSync: NodeDatabaseClass }
      | undefined
    // Whether the class has a time limit for locks cannot be seen directly. The method `aggregate` was added
    // in the same version, so it is checked instead.
    return sqliteModule && 'aggregate' in sqliteModule.DatabaseSync.prototype
      ? sqliteModule.DatabaseSync
      : undefined
  } finally {
    process.emitWarning = warn
  }
}

async function importAddon(): Promise<NodeDatabaseClass> {
  const { loadSqliteAddon } = await import('./sqlite-addon.ts')
  return (loadSqliteAddon() as { DatabaseSync: NodeDatabaseClass }).DatabaseSync
}

function wrapDatabase(db: NodeDatabase): SqliteDriver {
  let isOpen = true
  return {
    prepare(sql) {
      const statement = db.prepare(sql)
      let hasBigInts = false
      // Full-text search may return row ids above 2^53. Some versions of Node throw for such numbers, so
      // bigints are read then.
      const withBigInts = (needsBigInts: boolean) => {
        if (needsBigInts !== hasBigInts) statement.setReadBigInts(needsBigInts)
        hasBigInts = needsBigInts
        return statement
      }
      return {
        all: (values) => withBigInts(false).all(...values),
        get: (values) => withBigInts(false).get(...values),
        run: (values) => withBigInts(true).run(...values),
      }
    },
    exec: (sql) => db.exec(sql),
    isInTransaction: () => db.isTransaction,
    close() {
      // A second `close` of the driver throws. Parts of a session that end at the same time may share a
      // store, so only the first call closes it.
      if (isOpen) db.close()
      isOpen = false
    },
  }
}
