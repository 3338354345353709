// Mailboxes with one interface, for the local database and for a server.
import type { MailDelivery, MailMessage, MailStore, OutgoingMessage, SendReceipt } from '../store.ts'

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
