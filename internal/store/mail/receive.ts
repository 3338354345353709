// Delivery of the queued messages of a mailbox in the order that `MailStore.receive` describes. A reader gets
// a lease on each message.
import type { DatabaseConnection } from '../connection.ts'
import type { MailMessage, MailStore } from '../store.ts'
import { type MessageRow, messageColumns, readMessage } from './row.ts'

type ReceiveQuery = Parameters<MailStore['receive']>[0]

/**
 * Leases messages in one transaction and returns them, so that two readers do not get the same message while
 * its lease lasts. With `peek`, returns them without leases.
 */
export function receiveMessages(db: DatabaseConnection, now: number, query: ReceiveQuery): MailMessage[] {
  if (query.peek) return pickMessages(db, now, query)
  return db.write(() => {
    sweepDeliveries(db, now)
    recordReader(db, now, query)
    const picked = pickMessages(db, now, query)
    if (picked.length > 0) {
      db.run(
        `UPDATE delivery SET state = 'leased', lease_until = ?, lease_owner = ?, attempts = attempts + 1,
         changed = ?
         WHERE recipient = ? AND message IN (SELECT value FROM json_each(?))`,
        now + (query.leaseMs ?? leaseMs),
        query.owner,
        now,
        query.recipient,
        JSON.stringify(picked.map((message) => message.id)),
      )
    }
    return picked.map((message) => ({ ...message, attempts: message.attempts + 1 }))
  })
}

/**
 * Records that a reader exists, so that it gets broadcasts. Writes at most once a minute, so that waiting
 * causes few writes.
 */
function recordReader(db: DatabaseConnection, now: number, { scope, recipient }: ReceiveQuery) {
  db.run(
    `INSERT INTO mailbox (scope, name, read_at) VALUES (?1, ?2, ?3)
     ON CONFLICT DO UPDATE SET read_at = excluded.read_at WHERE read_at IS NULL OR read_at < ?3 - 60000`,
    scope,
    recipient,
    now,
  )
}

/**
 * Condition for the deliveries of a mailbox that are not finished. The text has to match that of
 * the index `delivery_next`.
 */
const box = `scope = ?1 AND recipient = ?2 AND state IN ('queued', 'leased')`

function pickMessages(db: DatabaseConnection, now: number, query: ReceiveQuery): MailMessage[] {
  const { scope, recipient, owner, limit } = query
  const senders = db.all<{ sender: string }>(
    // This query takes one step in the index for each sender, however many messages each one has.
    `WITH RECURSIVE known (sender) AS (
       SELECT min(sender) FROM delivery WHERE ${box}
       UNION ALL SELECT (SELECT min(sender) FROM delivery WHERE ${box} AND sender > known.sender)
       FROM known WHERE known.sender IS NOT NULL
     ) SELECT sender FROM known WHERE sender IS NOT NULL`,
    scope,
    recipient,
  )
  const queues = senders.map(({ sender }) => {
    const rows = db.all<WaitingMessage & { held: number }>(
      `SELECT n, message, type, state = 'leased' AND lease_until > ?4 AS held FROM delivery
       WHERE ${box} AND sender = ?3 AND expires > ?4
         AND NOT (state = 'leased' AND lease_until <= ?4 AND attempts >= ${maxAttempts})
         AND NOT (state = 'leased' AND lease_until > ?4 AND lease_owner = ?5)
       ORDER BY n LIMIT ?6`,
      scope,
      recipient,
      sender,
      now,
      owner,
      limit,
    )
    const blocked = rows.findIndex((row) => row.held === 1)
    return blocked < 0 ? rows : rows.slice(0, blocked)
  })

  const messages: MailMessage[] = []
  let room = query.maxBytes ?? Number.POSITIVE_INFINITY
  for (const { message: id } of mergeQueues(queues, limit)) {
    const row = db.get<MessageRow & { attempts: number }>(
      `SELECT ${messageColumns}, d.attempts FROM message m JOIN delivery d ON d.message = m.id
       WHERE m.id = ? AND d.recipient = ?`,
      id,
      recipient,
    )
    if (!row) continue
    const message = readMessage(row, row.attempts)
    room -= Buffer.byteLength(row.body) + Buffer.byteLength(row.meta)
    if (room < 0 && messages.length > 0) break
    messages.push(message)
  }
  return messages
}

/** A message in its sender's queue; `n` is its order of arrival. */
export interface WaitingMessage {
  n: number
  message: string
  type: MailMessage['type']
}

const rank: Readonly<Record<MailMessage['type'], number>> = {
  error: 0,
  question: 1,
  result: 2,
  status: 3,
  broadcast: 4,
}

/**
 * Merges the queues of the senders. Messages of one sender stay in the order of their arrival. Among the
 * first messages of all queues, the more urgent type comes first, then the earlier message. Returns at
 * most `limit` messages.
 */
export function mergeQueues(queues: readonly (readonly WaitingMessage[])[], limit: number): WaitingMessage[] {
  const at = queues.map(() => 0)
  const merged: WaitingMessage[] = []
  while (merged.length < limit) {
    let best: { queue: number; head: WaitingMessage } | undefined
    for (const [queue, messages] of queues.entries()) {
      const head = messages[at[queue] as number]
      if (head && (!best || isBefore(head, best.head))) best = { queue, head }
    }
    if (!best) break
    at[best.queue] = (at[best.queue] as number) + 1
    merged.push(best.head)
  }
  return merged
}

function isBefore(a: WaitingMessage, b: WaitingMessage): boolean {
  return rank[a.type] < rank[b.type] || (rank[a.type] === rank[b.type] && a.n < b.n)
}

/** Number of deliveries after which a message becomes dead because no reader acknowledged it. */
const maxAttempts = 5
export const leaseMs = 60_000
const day = 86_400_000
export const expiryMs = 7 * day

/**
 * How long finished messages are stored, in milliseconds. Dead ones are stored longer, because no reader
 * has acknowledged them.
 */
const keptMs = { acked: 7 * day, dead: 30 * day }

/**
 * Updates all mailboxes to the time `now`: ends expired leases, and makes messages dead that have expired or
 * were delivered too often.
 */
export function sweepDeliveries(db: DatabaseConnection, now: number): void {
  db.run(
    `UPDATE delivery SET state = 'dead', reason = 'expired', changed = ?1
     WHERE state IN ('queued', 'leased') AND expires <= ?1`,
    now,
  )
  db.run(
    `UPDATE delivery SET state = 'dead', reason = 'attempts', changed = ?1
     WHERE state = 'leased' AND lease_until <= ?1 AND attempts >= ${maxAttempts}`,
    now,
  )
  db.run(
    `UPDATE delivery SET state = 'queued', lease_until = NULL, lease_owner = NULL
     WHERE state = 'leased' AND lease_until <= ?1`,
    now,
  )
}

/**
 * Marks messages of `recipient` as acknowledged, also if their lease has ended or they are dead. Also removes
 * old finished messages of all recipients, as `pruneMessages` does.
 */
export function acknowledgeMessages(
  db: DatabaseConnection,
  now: number,
  recipient: string,
  ids: readonly string[],
  step: string | undefined,
): void {
  db.run(
    `UPDATE delivery SET state = 'acked', reason = NULL, lease_until = NULL, acked_step = ?, changed = ?
     WHERE recipient = ? AND state <> 'acked' AND message IN (SELECT value FROM json_each(?))`,
    step ?? null,
    now,
    recipient,
    JSON.stringify(ids),
  )
  pruneMessages(db, now)
}

/**
 * Removes at most 200 acked and 200 dead deliveries that are older than `keptMs` allows, and those of their
 * messages that have no other delivery.
 */
export function pruneMessages(db: DatabaseConnection, now: number): void {
  for (const [state, retentionMs] of Object.entries(keptMs)) {
    const rows = db.all<{ message: string; recipient: string }>(
      `SELECT message, recipient FROM delivery
       WHERE state IN ('acked', 'dead') AND state = ? AND changed < ? LIMIT 200`,
      state,
      now - retentionMs,
    )
    for (const { message, recipient } of rows) {
      db.run('DELETE FROM delivery WHERE message = ? AND recipient = ?', message, recipient)
      db.run(
        'DELETE FROM message WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM delivery WHERE message = ?1)',
        message,
      )
    }
  }
}
