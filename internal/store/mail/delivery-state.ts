// The states of a delivery: queued -> leased -> acked or dead, and what time alone changes about them.
import type { DatabaseConnection } from '../connection.ts'

/** How often a message is handed out before it is set aside. */
export const maxAttempts = 5
export const leaseMs = 60_000
const day = 86_400_000
export const expiryMs = 7 * day

/**
 * How long finished messages are kept: read ones for a look back, dead ones longer because nobody has seen
 * them.
 */
const keptMs = { acked: 7 * day, dead: 30 * day }

/**
 * Brings every mailbox up to the time `now`: leases that are over, tries that are used up, what has expired.
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
 * Marks messages as read, also late ones: after the end of their lease, or when they were set aside
 * meanwhile. Finished messages whose time is over are removed along the way, a few at a time.
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

/** Removes at most 200 finished deliveries of each state, and messages that none is left of. */
export function pruneMessages(db: DatabaseConnection, now: number): void {
  for (const [state, kept] of Object.entries(keptMs)) {
    const rows = db.all<{ message: string; recipient: string }>(
      `SELECT message, recipient FROM delivery
       WHERE state IN ('acked', 'dead') AND state = ? AND changed < ? LIMIT 200`,
      state,
      now - kept,
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
