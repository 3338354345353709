// Storing of a message in the mailboxes of its recipients.
import { FailureError } from '../../base/errors.ts'
import { createUlid } from '../../base/ids.ts'
import type { DatabaseConnection } from '../connection.ts'
import type { OutgoingMessage, SendReceipt } from '../store.ts'
import { expiryMs, pruneMessages, sweepDeliveries } from './receive.ts'
import { aggregatorMailbox } from './scope.ts'

/** Largest size of a body and its metadata together, in bytes of UTF-8. A larger message is rejected. */
export const maxBodyBytes = 65_536
/**
 * Largest number of messages in one mailbox that are neither acknowledged nor dead. A full mailbox
 * gets no more.
 */
const maxWaitingMessages = 10_000
/**
 * Milliseconds after its last reading for which a mailbox gets broadcasts even if it has not
 * joined the scope.
 */
const knownMs = 86_400_000

/**
 * Stores one message and a delivery for each recipient; a delivery to an ended mailbox is dead at once, and a
 * full mailbox gets none. Call it inside a write transaction. For a duplicate, stores nothing and returns the
 * id of the first message with empty lists. Throws as `checkMessage`, or `mailbox_full` if all mailboxes are
 * full, before it stores the message.
 */
export function sendMessage(db: DatabaseConnection, now: number, message: OutgoingMessage): SendReceipt {
  const { scope, from, to } = message
  checkMessage(message)
  const first = duplicateOf(db, now, message)
  if (first !== undefined) return { id: first, deliveredTo: [], duplicate: true, dead: [], full: [] }

  const names = to === 'broadcast' ? [...knownRecipients(db, now, scope, from), to] : [to]
  const dead: string[] = []
  const full: string[] = []
  const open: string[] = []
  for (const name of names) {
    const box = ensureMailbox(db, scope, name)
    if (box.ended !== null && box.ended <= now) dead.push(name)
    else if (box.waiting >= maxWaitingMessages && stillFull(db, now, scope, name)) full.push(name)
    else open.push(name)
  }
  if (open.length === 0 && dead.length === 0) throw makeMailboxFullError(scope, to)

  const id = createUlid()
  const expires = now + (message.expiresMs ?? expiryMs)
  const { rowid } = db.run(
    `INSERT INTO message (id, scope, sender, recipient, type, body, meta, dedupe_key, dedupe_until,
       created, expires)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    scope,
    from,
    to,
    message.type,
    // Texts are stored as JSON, because the driver would cut plain text at a NUL.
    JSON.stringify(message.body),
    JSON.stringify(message.meta ?? {}),
    message.dedupeKey ?? null,
    message.dedupeMs === undefined ? null : now + message.dedupeMs,
    now,
    expires,
  )
  for (const name of [...open, ...dead]) {
    const isDead = dead.includes(name)
    db.run(
      `INSERT INTO delivery (message, recipient, scope, sender, n, type, state, reason, expires, changed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      name,
      scope,
      from,
      rowid,
      message.type,
      isDead ? 'dead' : 'queued',
      isDead ? 'dead_recipient' : null,
      expires,
      now,
    )
  }
  // Acknowledging messages removes old ones. A mailbox that is never read gets no acknowledgement, so old
  // messages are removed here now and then.
  if (rowid % 256 === 0) pruneMessages(db, now)
  return { id, deliveredTo: open, duplicate: false, dead, full }
}

/** Throws FailureError `sender_read_only` or `too_large` for a message that no mailbox accepts. */
export function checkMessage({ from, body, meta = {} }: OutgoingMessage) {
  if (from === aggregatorMailbox) {
    throw new FailureError({
      code: 'sender_read_only',
      message: `${aggregatorMailbox} only reads messages; it cannot be their sender`,
      hint: 'Use another label in from.',
    })
  }
  const extra = Object.keys(meta).length > 0 ? Buffer.byteLength(JSON.stringify(meta)) : 0
  const bytes = Buffer.byteLength(body) + extra
  if (bytes <= maxBodyBytes) return
  throw new FailureError({
    code: 'too_large',
    message: `the message has ${bytes} bytes, at most ${maxBodyBytes} are carried`,
    hint: 'Write the content to a file and send its path.',
    detail: { bytes, limit: maxBodyBytes },
  })
}

/**
 * Returns the id of the message that already has this `dedupeKey`, scope and recipient; undefined without
 * one. If the key has expired, it is removed from the old message.
 */
function duplicateOf(
  db: DatabaseConnection,
  now: number,
  { scope, to, dedupeKey }: OutgoingMessage,
): string | undefined {
  if (dedupeKey === undefined) return undefined
  const first = db.get<{ id: string; dedupe_until: number | null }>(
    'SELECT id, dedupe_until FROM message WHERE scope = ? AND recipient = ? AND dedupe_key = ?',
    scope,
    to,
    dedupeKey,
  )
  if (first === undefined) return undefined
  if (first.dedupe_until === null || first.dedupe_until > now) return first.id
  db.run('UPDATE message SET dedupe_key = NULL WHERE id = ?', first.id)
  return undefined
}

function knownRecipients(db: DatabaseConnection, now: number, scope: string, sender: string): string[] {
  return db
    .all<{ name: string }>(
      `SELECT name FROM mailbox WHERE scope = ? AND name NOT IN (?, 'broadcast')
       AND (read_at > ? OR joined IS NOT NULL) AND ended IS NULL ORDER BY name`,
      scope,
      sender,
      now - knownMs,
    )
    .map((row) => row.name)
}

function ensureMailbox(
  db: DatabaseConnection,
  scope: string,
  name: string,
): { waiting: number; ended: number | null } {
  const find = () =>
    db.get<{ waiting: number; ended: number | null }>(
      'SELECT waiting, ended FROM mailbox WHERE scope = ? AND name = ?',
      scope,
      name,
    )
  const there = find()
  if (there) return there
  db.run('INSERT INTO mailbox (scope, name) VALUES (?, ?)', scope, name)
  return { waiting: 0, ended: null }
}

function stillFull(db: DatabaseConnection, now: number, scope: string, name: string): boolean {
  sweepDeliveries(db, now)
  return ensureMailbox(db, scope, name).waiting >= maxWaitingMessages
}

export function makeMailboxFullError(scope: string, to: string): FailureError {
  return new FailureError({
    code: 'mailbox_full',
    message: `the mailbox ${to} has ${maxWaitingMessages} unread messages`,
    hint: 'Wait until its reader has caught up, or send to another mailbox.',
    detail: { scope, recipient: to, limit: maxWaitingMessages },
  })
}
