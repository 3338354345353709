// The states of a message's delivery: queued, leased to a reader, and then acknowledged (acked) or dead. The
// passing of time also changes them.
import type { DatabaseConnection } from '../connection.ts'

/** Number of deliveries after which a message becomes dead because no reader acknowledged it. */
export const maxAttempts = 5
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
