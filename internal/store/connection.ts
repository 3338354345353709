// The adapter of the SQLite driver: statements, transactions, and workarounds for the driver.
import type Driver from 'libsql'
import { isBusy, translateSqliteError } from './sqlite-errors.ts'

/** Values that can be bound. Booleans are excluded, because the driver ends the whole process on one. */
export type SqlValue = string | number | null | Uint8Array
type Row = Record<string, unknown>

/** An open database. Every method throws the driver's error as translated by `translateSqliteError`. */
export interface DatabaseConnection {
  readonly file: string
  readonly writable: boolean
  /** Returns all rows, also for statements with RETURNING. Blobs are Uint8Array. */
  all<T = Row>(sql: string, ...values: SqlValue[]): T[]
  /** Returns the first row. */
  get<T = Row>(sql: string, ...values: SqlValue[]): T | undefined
  /** Runs a statement without rows. A statement with RETURNING would stay open and keep its lock. */
  run(sql: string, ...values: SqlValue[]): { changes: number; rowid: number }
  /** Runs several statements without values. */
  exec(sql: string): void
  /**
   * Runs `work` in one BEGIN IMMEDIATE transaction: all of it is durable on return, or none. Calls may nest.
   */
  write<T>(work: () => T): T
  close(): void
}

type Database = InstanceType<typeof Driver>
type Statement = ReturnType<Database['prepare']>

/** Wraps an open driver handle. Errors mention `file`. */
export function wrapConnection(db: Database, file: string, writable: boolean): DatabaseConnection {
  const prepared = new Map<string, Statement>()
  const statement = (sql: string) => {
    const known = prepared.get(sql)
    if (known) return known
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
      guard(() => statement(sql).all(values.map(bindable)).map(plain) as T[]),
    get: <T>(sql: string, ...values: SqlValue[]) =>
      guard(() => {
        const row = statement(sql).get(values.map(bindable))
        return row === undefined ? undefined : (plain(row) as T)
      }),
    run: (sql, ...values) =>
      guard(() => {
        const { changes, lastInsertRowid } = statement(sql).run(values.map(bindable))
        return { changes, rowid: Number(lastInsertRowid) }
      }),
    exec: (sql) => guard(() => void db.exec(sql)),
    write: (work) => {
      if (depth > 0) return work()
      guard(() => begin(db))
      depth++
      try {
        const result = work()
        guard(() => void db.exec('COMMIT'))
        return result
      } catch (error) {
        // SQLite has already rolled back after some errors, such as a full disk
        if (db.inTransaction) guard(() => void db.exec('ROLLBACK'))
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
 * Begins a transaction. SQLite gives up early where waiting could deadlock (a log being recovered). This
 * connection has no locks yet, so it can wait.
 */
function begin(db: Database) {
  retryWhileBusy(() => void db.exec('BEGIN IMMEDIATE'))
}

/** Repeats `work` while another process has the lock, for at most `forMs`, then throws the error. */
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

/** Replaces NUL characters in a text, because the driver truncates it there when reading. */
function bindable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value
}

/** Removes the driver's own `_metadata` field and gives blobs one type. */
function plain(row: unknown): Row {
  const cells = row as Row
  delete cells['_metadata']
  for (const key in cells) {
    const cell = cells[key]
    if (cell instanceof ArrayBuffer) cells[key] = new Uint8Array(cell)
  }
  return cells
}
