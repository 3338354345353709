// Rows of threads and their events. Events are appended in one transaction together with their search index,
// and read in pages.
import { FailureError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import type { Event, EventType } from '../../event/event.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { RecordedEvent, Thread, ThreadEntry } from '../store.ts'
import { collectIndexText, scopeTokens, spaceCharacters } from './index-text.ts'

export type ThreadRow = Omit<Thread, 'archived'> & { archived: number }

/** Columns of a ThreadRow, for a query in which the table is called `t`. */
export const threadColumns =
  't.id, t.workspace, t.title, t.profile, t.model, t.parent, t.created, t.updated, t.archived, t.events'

export function readThread({ archived, ...row }: ThreadRow): Thread {
  return { ...row, archived: archived === 1 }
}

/** Returns the error for a call with the id of an unknown thread. */
export function noThread(id: string): FailureError {
  return new FailureError({ code: 'not_found', message: `unknown thread ${id}`, detail: { id } })
}

interface EventRow {
  pos: number
  id: string
  run: string
  seq: number
  ts: number
  type: EventType
  status: string | null
  json: string
}

const columns = 'e.pos, e.id, e.run, e.seq, e.ts, e.type, e.status, p.json'
const source = `thread_event e JOIN thread_payload p ON p.n = e.n`
/**
 * SQL that selects the events of the thread ?1 with one of the types ?2, or of any type if ?2 is null. Other
 * conditions may follow it.
 */
const ofThread =
  `SELECT ${columns} FROM ${source} WHERE e.thread = (SELECT n FROM thread WHERE id = ?1) ` +
  'AND (?2 IS NULL OR e.type IN (SELECT value FROM json_each(?2)))'

/**
 * Appends `entries` and returns the stored events. Adds missing ids, sequence numbers and times. Throws
 * FailureError `not_found` for an unknown thread. Empty `entries` return an empty list without any check.
 */
export function appendEvents(
  db: DatabaseConnection,
  now: () => number,
  thread: string,
  run: string,
  entries: readonly ThreadEntry[],
): RecordedEvent[] {
  if (entries.length === 0) return []
  return db.write(() => {
    const time = now()
    const [head] = db.all<{ n: number; events: number; workspace: string }>(
      'UPDATE thread SET events = events + ?, updated = ? WHERE id = ? RETURNING n, events, workspace',
      entries.length,
      time,
      thread,
    )
    if (!head) throw noThread(thread)
    let seq = db.get<{ seq: number }>(
      'SELECT seq FROM thread_run WHERE thread = ? AND run = ?',
      head.n,
      run,
    )?.seq
    seq ??= 0
    const scope = scopeTokens(head.workspace, head.n)
    const stored: RecordedEvent[] = []
    for (const [i, entry] of entries.entries()) {
      seq = entry.seq ?? seq + 1
      const event = {
        ...entry,
        id: entry.id ?? createUlid(),
        run_id: run,
        seq,
        ts: entry.ts ?? time,
        pos: head.events - entries.length + i + 1,
      } as RecordedEvent
      insertEvent(db, head.n, scope, event)
      stored.push(event)
    }
    db.run(
      'INSERT INTO thread_run (thread, run, seq) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET seq ' +
        '= excluded.seq',
      head.n,
      run,
      seq,
    )
    return stored
  })
}

function insertEvent(db: DatabaseConnection, thread: number, scope: string, event: RecordedEvent) {
  const whole = 'whole' in event.payload ? event.payload.whole : undefined
  const names = event.type === 'tool.call' || event.type === 'tool.result' || event.type === 'check.ran'
  const call = names ? event.payload.call : undefined
  const { rowid } = db.run(
    `INSERT INTO thread_event (thread, pos, id, run, seq, ts, type, status, call, whole)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    thread,
    event.pos,
    event.id,
    event.run_id,
    event.seq,
    event.ts,
    event.type,
    event.status ?? null,
    call ?? null,
    whole ?? null,
  )
  db.run('INSERT INTO thread_payload (n, json) VALUES (?, ?)', rowid, JSON.stringify(event.payload))
  const words = collectIndexText(event)
  if (words !== '') {
    db.run(
      'INSERT INTO thread_text (rowid, text, scope) VALUES (?, ?, ?)',
      rowid,
      spaceCharacters(words),
      scope,
    )
  }
}

/**
 * Returns at most `limit` events of a thread after position `after`, in order. With `types`, returns only
 * events of these types.
 */
export function readEventsAfter(
  db: DatabaseConnection,
  thread: string,
  after: number,
  limit: number,
  types: readonly EventType[] | undefined,
): RecordedEvent[] {
  const query = `${ofThread} AND e.pos > ?3 ORDER BY e.pos LIMIT ?4`
  return db.all<EventRow>(query, thread, types ? JSON.stringify(types) : null, after, limit).map(readEvent)
}

/**
 * Returns the last `limit` events of a thread, in order. With `types`, returns only events of these types.
 */
export function readLastEvents(
  db: DatabaseConnection,
  thread: string,
  limit: number,
  types: readonly EventType[] | undefined,
): RecordedEvent[] {
  const query = `${ofThread} ORDER BY e.pos DESC LIMIT ?3`
  const rows = db.all<EventRow>(query, thread, types ? JSON.stringify(types) : null, limit)
  return rows.reverse().map(readEvent)
}

/**
 * Returns the result of a call, or its latest other event if it has no result; undefined for an unknown id.
 * Providers use the same call ids in many conversations, so events of `thread` are preferred, then results,
 * then later events.
 */
export function findCall(
  db: DatabaseConnection,
  id: string,
  thread: string | undefined,
): { thread: string; event: RecordedEvent } | undefined {
  const row = db.get<EventRow & { thread: string }>(
    `SELECT ${columns}, t.id AS thread FROM ${source} JOIN thread t ON t.n = e.thread WHERE e.call = ?
     ORDER BY t.id = ? DESC, e.type = 'tool.result' DESC, e.n DESC LIMIT 1`,
    id,
    thread ?? '',
  )
  return row && { thread: row.thread, event: readEvent(row) }
}

/**
 * Returns true if a result, a job or a check in the thread shows a text whose complete form is stored
 * under this hash.
 */
export function namesKeptText(db: DatabaseConnection, thread: string, hash: string): boolean {
  const row = db.get(
    `SELECT 1 FROM thread_event e JOIN thread t ON t.n = e.thread WHERE e.whole = ? AND t.id = ?
     AND e.type IN ('tool.result', 'job.ended', 'check.ran') LIMIT 1`,
    hash,
    thread,
  )
  return row !== undefined
}

function readEvent(row: EventRow): RecordedEvent {
  const { json, run, status, pos, id, seq, ts, type } = row
  const event = { id, run_id: run, seq, ts, pos, type, payload: JSON.parse(json) as Event['payload'] }
  return (status === null ? event : { ...event, status }) as RecordedEvent
}
