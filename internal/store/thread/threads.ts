// Operations on whole threads: create, find, list, rename, archive, delete.

import { FailureError } from '../../base/errors.ts'
import { createId as newId, noteCreated } from '../../base/ids.ts'
import { type BlobFiles, minBlobAge } from '../blobs.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { Thread, ThreadInit, ThreadStore } from '../store.ts'
import {
  appendEvents,
  findCall,
  namesKeptText,
  noThread,
  readEventsAfter,
  readLastEvents,
  readThread,
  type ThreadRow,
  threadColumns,
} from './events.ts'
import { searchThreads } from './search.ts'

export function createThreads(
  db: DatabaseConnection,
  blobs: () => BlobFiles,
  now: () => number,
): ThreadStore {
  /** Threads that have an id but no row in the database yet, with the time at which they were created. */
  const reserved = new Map<string, { time: number; init: ThreadInit }>()
  /**
   * Runs `work` and returns its result. First inserts the threads without a row, in the same transaction, so
   * that the first commit of a run also contains its first events.
   */
  const withReserved = <T>(work: () => T): T => {
    if (reserved.size === 0) return work()
    const done = db.write(() => {
      for (const { time, init } of reserved.values()) insertThread(db, time, init)
      return work()
    })
    reserved.clear()
    return done
  }
  return {
    create: (init) =>
      withReserved(() => db.write(() => getThread(db, insertThread(db, now(), init)) as Thread)),
    reserve(init) {
      const id = newId('sess')
      reserved.set(id, { time: now(), init: { ...init, id } })
      return id
    },
    get: (id) => withReserved(() => getThread(db, id)),
    list: (filter) => withReserved(() => listThreads(db, filter)),
    find: (prefix) => withReserved(() => findThreads(db, prefix)),
    append: (thread, run, entries) => withReserved(() => appendEvents(db, now, thread, run, entries)),
    events: (thread, after = 0, limit = 500, types) =>
      reserved.has(thread) ? [] : readEventsAfter(db, thread, after, limit, types),
    tail: (thread, limit, types) => (reserved.has(thread) ? [] : readLastEvents(db, thread, limit, types)),
    search: (query, options) => searchThreads(db, query, options),
    call: (id, thread) => findCall(db, id, thread),
    namesText: (thread, hash) => namesKeptText(db, thread, hash),
    rename: (id, title) => {
      withReserved(() => changeThread(db, id, 'UPDATE thread SET title = ? WHERE id = ?', title))
    },
    archive: (id, archived) => {
      withReserved(() =>
        changeThread(db, id, 'UPDATE thread SET archived = ? WHERE id = ?', archived ? 1 : 0),
      )
    },
    trim: (workspace, keep) => withReserved(() => db.write(() => archiveOld(db, workspace, keep))),
    delete: (id) => withReserved(() => eraseThread(db, blobs(), id, now())),
  }
}

function getThread(db: DatabaseConnection, id: string): Thread | undefined {
  const row = db.get<ThreadRow>(`SELECT ${threadColumns} FROM thread t WHERE t.id = ?`, id)
  return row && readThread(row)
}

function insertThread(
  db: DatabaseConnection,
  time: number,
  { workspace, title, profile, model, parent, id = newId('sess') }: ThreadInit,
): string {
  if (getThread(db, id)) {
    throw new FailureError({ code: 'bad_args', message: `a thread ${id} exists already` })
  }
  db.run(
    `INSERT INTO thread (id, workspace, title, profile, model, parent, created, updated)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7)`,
    id,
    workspace,
    title,
    profile,
    model ?? null,
    parent ?? null,
    time,
  )
  noteCreated({ kind: 'thread', id })
  return id
}

function listThreads(
  db: DatabaseConnection,
  { workspace, limit, archived }: Parameters<ThreadStore['list']>[0],
): Thread[] {
  return db
    .all<ThreadRow>(
      `SELECT ${threadColumns} FROM thread t
       WHERE (?1 IS NULL OR t.workspace = ?1) AND t.archived = ?2
       ORDER BY t.updated DESC, t.n DESC LIMIT ?3`,
      workspace ?? null,
      archived ? 1 : 0,
      limit || -1,
    )
    .map(readThread)
}

function findThreads(db: DatabaseConnection, prefix: string): Thread[] {
  const start = `sess_${prefix.replace(/^sess_/i, '').toUpperCase()}`
  return db
    .all<ThreadRow>(
      `SELECT ${threadColumns} FROM thread t
       WHERE (t.id >= ?1 AND t.id < ?1 || char(1114111)) OR t.id = ?2
       ORDER BY t.updated DESC, t.n DESC LIMIT 20`,
      start,
      prefix,
    )
    .map(readThread)
}

/**
 * Archives all but the `keep` last updated root threads of a workspace, and the subagents and forks below
 * those that it archives. Returns the number of archived threads.
 */
function archiveOld(db: DatabaseConnection, workspace: string, keep: number): number {
  return db.run(
    `WITH RECURSIVE old (id) AS (
       SELECT id FROM (SELECT id FROM thread WHERE workspace = ?1 AND parent IS NULL AND archived = 0
                       ORDER BY updated DESC, n DESC LIMIT -1 OFFSET ?2)
       UNION SELECT t.id FROM thread t JOIN old ON t.parent = old.id
     )
     UPDATE thread SET archived = 1 WHERE archived = 0 AND id IN (SELECT id FROM old)`,
    workspace,
    keep,
  ).changes
}

function changeThread(db: DatabaseConnection, id: string, sql: string, value: string | number) {
  if (db.write(() => db.run(sql, value, id).changes) === 0) throw noThread(id)
}

/**
 * Deletes a thread. Deletes its events in batches, newest first, so that no other writer waits for long. If
 * the process dies before the end, a second call deletes the rest.
 */
function eraseThread(db: DatabaseConnection, blobs: BlobFiles, id: string, now: number) {
  const thread = db.get<{ n: number }>('SELECT n FROM thread WHERE id = ?', id)
  if (!thread) throw noThread(id)
  // Deleted text is overwritten with zeros, so that it does not stay in free pages of the file. Only the
  // search index may keep single words until its next merge.
  db.exec('PRAGMA secure_delete = ON')
  for (;;) {
    const isErased = db.write(() => {
      const rows = db.all<{ n: number; whole: string | null }>(
        'SELECT n, whole FROM thread_event WHERE thread = ? ORDER BY pos DESC LIMIT 200',
        thread.n,
      )
      for (const { n, whole } of rows) {
        db.run('DELETE FROM thread_text WHERE rowid = ?', n)
        db.run('DELETE FROM thread_event WHERE n = ?', n)
        // The file is removed later, so that this list must survive the death of the process.
        if (whole !== null) db.run('INSERT OR IGNORE INTO left_blob (hash, due) VALUES (?, ?)', whole, now)
      }
      db.run('UPDATE thread SET events = events - ? WHERE n = ?', rows.length, thread.n)
      if (rows.length > 0) return false
      db.run('DELETE FROM todo WHERE list = ?', id)
      db.run('DELETE FROM thread WHERE n = ?', thread.n)
      return true
    })
    if (isErased) break
  }
  db.exec('PRAGMA secure_delete = FAST')
  emptyLog(db)
  removeLeftBlobs(db, blobs, now)
}

/**
 * Moves the write-ahead log into the database and empties it. Leaves it as it is if another process still
 * reads from it after a second.
 */
function emptyLog(db: DatabaseConnection): void {
  const [usual = 0] = Object.values(db.get<Record<string, number>>('PRAGMA busy_timeout') ?? {})
  db.exec(`PRAGMA busy_timeout = 1000; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA busy_timeout = ${usual}`)
}

/**
 * Removes the blobs of deleted events that no other event names. A blob that was put during the last hour
 * stays until a call an hour later. `now` is in milliseconds since 1970.
 */
export function removeLeftBlobs(db: DatabaseConnection, blobs: BlobFiles, now: number): void {
  for (const { hash } of db.all<{ hash: string }>('SELECT hash FROM left_blob WHERE due <= ?', now)) {
    const isNamed = db.get('SELECT 1 FROM thread_event WHERE whole = ?', hash) !== undefined
    if (isNamed || blobs.drop(hash)) db.run('DELETE FROM left_blob WHERE hash = ?', hash)
    else db.run('UPDATE left_blob SET due = ? WHERE hash = ?', now + minBlobAge, hash)
  }
}
