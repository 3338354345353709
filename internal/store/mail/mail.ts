// Mailboxes: at-least-once delivery between processes, through leases.
import type { DatabaseConnection } from '../connection.ts'
import type { MailStore } from '../store.ts'
import { acknowledgeMessages, sweepDeliveries } from './delivery-state.ts'
import { listDeliveries } from './list.ts'
import { receiveMessages } from './receive.ts'
import { sendMessage } from './send.ts'
import { createSendBatcher } from './send-batch.ts'

export function createMail(db: DatabaseConnection, now: () => number): MailStore {
  const mark = (scope: string, name: string, joined: number | null, ended: number | null) =>
    db.write(() =>
      db.run(
        `INSERT INTO mailbox (scope, name, joined, ended) VALUES (?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET joined = coalesce(excluded.joined, joined), ended = excluded.ended`,
        scope,
        name,
        joined,
        ended,
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
