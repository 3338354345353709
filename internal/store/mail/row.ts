// Conversion of a message to and from a row of its table.
import type { MailMessage } from '../store.ts'

export interface MessageRow {
  id: string
  scope: string
  sender: string
  recipient: string
  type: MailMessage['type']
  body: string
  meta: string
  created: number
  expires: number
}

/** Columns of a MessageRow, for a query in which the table is called `m`. */
export const messageColumns =
  'm.id, m.scope, m.sender, m.recipient, m.type, m.body, m.meta, m.created, m.expires'

export function readMessage(row: MessageRow, attempts: number): MailMessage {
  const { id, scope, type, created, expires } = row
  return {
    id,
    scope,
    from: row.sender,
    to: row.recipient,
    type,
    body: JSON.parse(row.body) as string,
    meta: JSON.parse(row.meta) as Record<string, unknown>,
    created,
    expires,
    attempts,
  }
}
