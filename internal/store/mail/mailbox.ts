// Mailboxes wherever they are kept: the same calls over the local database and over a server that is asked by wire.
import type { Delivery, Mail, Message, Outgoing, Posted } from '../store.ts'

/** As `Mail`, with promises. One scope is always served by one place, so every call names its scope. */
export interface Mailbox {
  post(message: Outgoing): Promise<Posted>
  receive(query: Parameters<Mail['receive']>[0]): Promise<Message[]>
  waiting(scope: string, recipient: string): Promise<{ queued: number; leased: number }>
  acknowledge(scope: string, recipient: string, ids: readonly string[], step?: string): Promise<void>
  release(scope: string, recipient: string, ids: readonly string[]): Promise<void>
  join(scope: string, name: string): Promise<void>
  leave(scope: string, name: string): Promise<void>
  list(query: Parameters<Mail['list']>[0]): Promise<Delivery[]>
}

/** The mailboxes of the local database. */
export function localMailbox(mail: Mail): Mailbox {
  return {
    post: (message) => mail.post(message),
    receive: async (query) => mail.receive(query),
    waiting: async (scope, recipient) => mail.waiting(scope, recipient),
    acknowledge: async (_, recipient, ids, step) => mail.acknowledge(recipient, ids, step),
    release: async (_, recipient, ids) => mail.release(recipient, ids),
    join: async (scope, name) => mail.join(scope, name),
    leave: async (scope, name) => mail.leave(scope, name),
    list: async (query) => mail.list(query),
  }
}
