// Everything in the mailboxes of a scope, for people to look at.
import type { DatabaseConnection } from '../connection.ts'
import type { MailDelivery, MailStore } from '../store.ts'
import { type MessageRow, messageColumns, readMessage } from './row.ts'

interface Row extends MessageRow {
  to: string
  state: MailDelivery['state']
  reason: string | null
  owner: string | null
  until: number | null
  attempts: number
}

type Query = Parameters<MailStore['list']>[0]

/** Oldest first; `limit` absent or 0: all. */
export function listDeliveries(
  db: DatabaseConnection,
  { scope, recipient, states, limit }: Query,
): MailDelivery[] {
  const rows = db.all<Row>(
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
