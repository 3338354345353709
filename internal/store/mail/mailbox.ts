// Mailboxes for messages between processes. A message that its reader does not acknowledge before a lease
// ends is delivered again, at most 5 times in all.
import { FailureError } from '../../base/errors.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { MailDelivery, MailMessage, MailStore, OutgoingMessage, SendReceipt } from '../store.ts'
import { acknowledgeMessages, receiveMessages, sweepDeliveries } from './receive.ts'
import { type MessageRow, messageColumns, readMessage } from './row.ts'
import { sendMessage } from './send.ts'

export function createMail(db: DatabaseConnection, now: () => number): MailStore {
  const mark = (scope: string, name: string, joined: number | null, endedAt: number | null) =>
    db.write(() =>
      db.run(
        `INSERT INTO mailbox (scope, name, joined, ended) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET joined = coalesce(excluded.joined, joined), ended = excluded.ended`,
        scope,
        name,
        joined,
        endedAt,
      ),
    )
  return {
    send: (message) => db.write(() => sendMessage(db, now(), message)),
    sendBatched: createSendBatcher(db, (message) => sendMessage(db, now(), message)),
    receive: (query) => receiveMessages(db, now(), query),
    waiting: (scope, recipient) => {
      const row = db.get<{ queued: number; leased: number }>(
        `SELECT count(*) FILTER (WHERE state = 'queued' OR lease_until <= ?3) AS queued,
                count(*) FILTER (WHERE state = 'leased' AND lease_until > ?3) AS leased
         FROM delivery WHERE scope = ?1 AND recipient = ?2 AND state IN ('queued', 'leased')
         AND expires > ?3`,
        scope,
        recipient,
        now(),
      )
      return row ?? { queued: 0, leased: 0 }
    },
    acknowledge: (recipient, ids, step) => {
      if (ids.length > 0) db.write(() => acknowledgeMessages(db, now(), recipient, ids, step))
    },
    release: (recipient, ids) => {
      if (ids.length === 0) return
      db.write(() =>
        db.run(
          `UPDATE delivery SET state = 'queued', attempts = attempts - 1, lease_until = NULL,
             lease_owner = NULL
           WHERE recipient = ? AND state = 'leased' AND message IN (SELECT value FROM json_each(?))`,
          recipient,
          JSON.stringify(ids),
        ),
      )
    },
    join: (scope, name) => {
      mark(scope, name, now(), null)
    },
    leave: (scope, name) => {
      mark(scope, name, null, now())
    },
    list: (query) => {
      if (db.writable) db.write(() => sweepDeliveries(db, now()))
      return listDeliveries(db, query)
    },
  }
}

interface PendingSend {
  message: OutgoingMessage
  done: (receipt: SendReceipt) => void
  fail: (error: unknown) => void
}

/**
 * Returns a function that sends messages. Messages of one turn of the event loop share one transaction, in
 * which `store` writes each of them. If `store` rejects a message, it throws before it writes, and only the
 * promise of this message rejects. If the transaction fails, the promises of all its messages reject.
 */
export function createSendBatcher(
  db: DatabaseConnection,
  store: (message: OutgoingMessage) => SendReceipt,
): (message: OutgoingMessage) => Promise<SendReceipt> {
  let waiting: PendingSend[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    const replies: (() => void)[] = []
    try {
      db.write(() => {
        for (const { message, done, fail } of batch) {
          try {
            const receipt = store(message)
            replies.push(() => done(receipt))
          } catch (error) {
            if (!isRefusal(error)) throw error
            replies.push(() => fail(error))
          }
        }
      })
    } catch (error) {
      for (const { fail } of batch) fail(error)
      return
    }
    for (const answer of replies) answer()
  }
  return (message) =>
    new Promise((done, fail) => {
      waiting.push({ message, done, fail })
      if (waiting.length === 1) setImmediate(flush)
    })
}

/**
 * Returns true for a FailureError that concerns one message only. Codes `io` and `busy` and all other errors
 * concern the whole transaction.
 */
function isRefusal(error: unknown): boolean {
  return error instanceof FailureError && error.failure.code !== 'io' && error.failure.code !== 'busy'
}

interface DeliveryRow extends MessageRow {
  to: string
  state: MailDelivery['state']
  reason: string | null
  owner: string | null
  until: number | null
  attempts: number
}

type DeliveryQuery = Parameters<MailStore['list']>[0]

/** Returns deliveries, oldest first. Without `limit`, or if it is 0, returns all. */
function listDeliveries(
  db: DatabaseConnection,
  { scope, recipient, states, limit }: DeliveryQuery,
): MailDelivery[] {
  const rows = db.all<DeliveryRow>(
    `SELECT ${messageColumns}, d.recipient AS "to", d.state, d.reason, d.lease_owner AS owner,
       d.lease_until AS until, d.attempts
     FROM message m JOIN delivery d ON d.message = m.id
     WHERE m.scope = ?1 AND (?2 IS NULL OR d.recipient = ?2)
       AND (?3 IS NULL OR d.state IN (SELECT value FROM json_each(?3)))
     ORDER BY m.n, d.recipient LIMIT ?4`,
    scope,
    recipient ?? null,
    states ? JSON.stringify(states) : null,
    limit || -1,
  )
  return rows.map((row) => ({
    message: readMessage(row, row.attempts),
    recipient: row.to,
    state: row.state,
    reason: row.reason,
    leaseOwner: row.owner,
    leaseUntil: row.until,
  }))
}

/**
 * The calls of `MailStore` with promises. One server handles all mailboxes of a scope, so every call
 * names its scope.
 */
export interface Mailbox {
  send(message: OutgoingMessage): Promise<SendReceipt>
  receive(query: Parameters<MailStore['receive']>[0]): Promise<MailMessage[]>
  waiting(scope: string, recipient: string): Promise<{ queued: number; leased: number }>
  acknowledge(scope: string, recipient: string, ids: readonly string[], step?: string): Promise<void>
  release(scope: string, recipient: string, ids: readonly string[]): Promise<void>
  join(scope: string, name: string): Promise<void>
  leave(scope: string, name: string): Promise<void>
  list(query: Parameters<MailStore['list']>[0]): Promise<MailDelivery[]>
}

/** Returns the mailboxes of the local database. */
export function localMailbox(mail: MailStore): Mailbox {
  return {
    send: (message) => mail.sendBatched(message),
    receive: async (query) => mail.receive(query),
    waiting: async (scope, recipient) => mail.waiting(scope, recipient),
    acknowledge: async (_, recipient, ids, step) => mail.acknowledge(recipient, ids, step),
    release: async (_, recipient, ids) => mail.release(recipient, ids),
    join: async (scope, name) => mail.join(scope, name),
    leave: async (scope, name) => mail.leave(scope, name),
    list: async (query) => mail.list(query),
  }
}
