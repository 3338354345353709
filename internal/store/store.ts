// The interface of the store. All data whose writing has returned survives a crash.
import type { Event, EventDraft, EventType } from '../event/event.ts'
import type { CronStore } from './cron/cron-store.ts'

/**
 * Calls are durable when they return, except `reserve`, and `sendBatched` when it resolves. They throw
 * FailureError `io` or `busy` for problems with the disk or a lock, UserError for a damaged database.
 */
export interface Store {
  readonly threads: ThreadStore
  readonly blobs: BlobStore
  readonly todos: TodoStore
  readonly tasks: RepositoryTasks
  readonly mail: MailStore
  readonly answers: PermissionAnswers
  readonly cron: CronStore
  close(): void
}

export interface Thread {
  id: string
  /** Real path of the workspace root. */
  workspace: string
  title: string
  profile: string
  model: string | null
  parent: string | null
  /** Creation and last change of the thread, in milliseconds since 1970. */
  created: number
  updated: number
  archived: boolean
  events: number
}

/** A stored event. `pos` counts from 1 in its thread, without gaps; `seq` counts in its run. */
export type RecordedEvent = Event & { pos: number }

/** An event to append. A recorder that has already numbered its events passes the numbers. */
export type ThreadEntry = EventDraft & Partial<Pick<Event, 'id' | 'seq' | 'ts'>>

export interface ThreadHit {
  thread: Thread
  /** Text around the best match on one line. */
  snippet: string
  /** Position of the matching event in the thread. */
  pos: number
  /** Score relative to the best hit, 0 to 1. From 0.5 on, the event contains all terms. */
  score: number
}

export interface ThreadInit {
  workspace: string
  title: string
  profile: string
  model?: string
  parent?: string
  id?: string
}

export interface ThreadStore {
  /** Creates a thread and returns it. Throws FailureError `bad_args` if the id exists. */
  create(init: ThreadInit): Thread
  /**
   * Returns the id of a new thread. The thread is written in one transaction with its first events, or before
   * the next call of a method that writes, finds or lists threads. Otherwise it is never written.
   */
  reserve(init: Omit<ThreadInit, 'id'>): string
  get(id: string): Thread | undefined
  /**
   * Returns at most `limit` threads (default: all), last updated first. If `archived` is true, returns only
   * archived threads; otherwise only threads that are not archived.
   */
  list(query: { workspace?: string; limit?: number; archived?: boolean }): Thread[]
  /**
   * Returns at most 20 threads, archived ones included, whose id begins with `prefix`, with or without
   * `sess_`. The last updated one is first.
   */
  find(prefix: string): Thread[]
  /** Appends events in one transaction. Throws FailureError `not_found` for an unknown thread. */
  append(thread: string, run: string, entries: readonly ThreadEntry[]): RecordedEvent[]
  /** Returns at most `limit` (default: 500) events after `after`, in order. Default of `types`: all. */
  events(thread: string, after?: number, limit?: number, types?: readonly EventType[]): RecordedEvent[]
  /** Returns the last `limit` events in order, only of the passed types. Default: all types. */
  tail(thread: string, limit: number, types?: readonly EventType[]): RecordedEvent[]
  /**
   * Searches messages except those of the system, and arguments and results of tools. Returns at most `limit`
   * hits, best first: one per thread, or with `thread` those in that thread. `except` is the id of a thread
   * to skip. Any text is a valid query: words, and "phrases in quotes".
   */
  search(
    query: string,
    options: { workspace?: string; limit: number; thread?: string; except?: string },
  ): ThreadHit[]
  /**
   * Returns the latest result of the tool call `id`, else its latest other event, such as the call itself;
   * undefined for an unknown id. If `thread` has an event with this id, the event comes from that thread.
   */
  call(id: string, thread?: string): { thread: string; event: RecordedEvent } | undefined
  /**
   * Returns true if this hash belongs to the complete text of an event that the thread shows truncated: a
   * result, or the output of a job or a check. The earlier content of a file does not count.
   */
  namesText(thread: string, hash: string): boolean
  rename(id: string, title: string): void
  archive(id: string, archived: boolean): void
  /**
   * Archives the root threads of a workspace except the `keep` last updated ones, and the subagents and forks
   * below those that it archives. Returns the number of archived threads.
   */
  trim(workspace: string, keep: number): number
  /**
   * Deletes a thread, its todos, and its blobs that no other event names. Blobs that were put during
   * the last hour are deleted when a store is opened an hour later. Throws FailureError `not_found` for
   * an unknown thread.
   */
  delete(id: string): void
}

/** Large texts by the SHA-256 of their bytes, in hex. */
export interface BlobStore {
  put(bytes: Uint8Array): string
  /**
   * Returns undefined if the blob does not exist or the hash is malformed. Throws FailureError `io` if the
   * file cannot be read or does not match the hash.
   */
  get(hash: string): Uint8Array | undefined
  /** Returns the path at which the blob with this hash is or would be stored. */
  path(hash: string): string
}

export interface StoredTodo {
  id: string
  content: string
  status: 'pending' | 'in_progress' | 'completed'
  active_form?: string
  priority?: 'high' | 'medium' | 'low'
}

export interface TodoStore {
  /**
   * Returns the todos of a list in order; empty for an unknown list. `list` is a thread's id, or
   * `workspace:<path>` for a list that belongs to no thread.
   */
  read(list: string): StoredTodo[]
  /** Replaces a list. Ids must be distinct. */
  replace(list: string, todos: readonly StoredTodo[]): void
}

export interface RepositoryTask {
  id: string
  repo: string
  title: string
  description: string
  status: 'open' | 'in_progress' | 'completed'
  dependsOn: string[]
  parent: string | null
  created: number
  updated: number
}

export interface RepositoryTasks {
  /**
   * Stores a task and returns it. Throws FailureError `cycle` with the cycle as `a -> b -> a`, `not_found`
   * for unknown dependencies or parent, `bad_args` if the id exists.
   */
  create(task: {
    id?: string
    repo: string
    title: string
    description?: string
    status?: RepositoryTask['status']
    dependsOn?: readonly string[]
    parent?: string
  }): RepositoryTask
  get(id: string): RepositoryTask | undefined
  /** Returns tasks in order of creation. Without `limit`, or if it is 0, returns all. */
  list(query: { repo?: string; status?: RepositoryTask['status']; limit?: number }): RepositoryTask[]
  /**
   * Changes a task and returns it. Missing fields stay; empty strings and [] clear. Throws the errors of
   * `create`, and `not_found` for an unknown id.
   */
  update(id: string, change: TaskChange): RepositoryTask
  /** Deletes a task, also as the parent or a dependency of others. Returns true if it existed. */
  delete(id: string): boolean
}

export interface TaskChange {
  repo?: string
  title?: string
  description?: string
  status?: RepositoryTask['status']
  dependsOn?: readonly string[]
  /** Id of the parent task. null and the empty string remove the parent. */
  parent?: string | null
}

export interface MailMessage {
  id: string
  scope: string
  from: string
  to: string
  type: 'status' | 'question' | 'result' | 'error' | 'broadcast'
  body: string
  meta: Record<string, unknown>
  created: number
  expires: number
  /** How often a reader has leased the message, this time included, except for leases released early. */
  attempts: number
}

export interface OutgoingMessage {
  scope: string
  from: string
  to: string
  type: MailMessage['type']
  body: string
  meta?: Record<string, unknown>
  /** Key of duplicates: a second message with this key for the same recipient and scope is not stored. */
  dedupeKey?: string
  /** Milliseconds for which the key is valid. Default: while the message is stored. */
  dedupeMs?: number
  /** Milliseconds until the message expires. Default: 7 days. */
  expiresMs?: number
}

/** Result of sending a message. For a duplicate, `id` is the id of the first message. */
export interface SendReceipt {
  id: string
  deliveredTo: string[]
  duplicate: boolean
  /** Recipients whose mailbox has ended for good. The message is stored as dead for them. */
  dead: string[]
  /** Recipients of a broadcast that did not get it because their mailbox was full. */
  full: string[]
}

/** A message in one mailbox, with the state of its delivery there. */
export interface MailDelivery {
  message: MailMessage
  recipient: string
  state: 'queued' | 'leased' | 'acked' | 'dead'
  /** Why the message is dead: `expired`, `attempts`, `dead_recipient`. */
  reason: string | null
  leaseOwner: string | null
  leaseUntil: number | null
}

export interface MailStore {
  /**
   * Stores a message. Throws FailureError `too_large` (body and metadata over 64 KiB), `mailbox_full` (10,000
   * messages neither acknowledged nor dead), `sender_read_only` (from `aggman`). The recipient `broadcast`
   * means the mailbox `broadcast` and each name of the scope that has joined or has read in the last 24
   * hours, except the sender and names that have left.
   */
  send(message: OutgoingMessage): SendReceipt
  /** Sends like `send`. Calls in the same turn of the event loop share one transaction. */
  sendBatched(message: OutgoingMessage): Promise<SendReceipt>
  /**
   * Leases queued messages of a recipient and returns them. Messages of one sender keep their order; across
   * senders: error, question, result, status, broadcast, then the earlier one. While another owner has a
   * lease on a message, later ones of its sender wait. Bodies and metadata have at most `maxBytes` together,
   * but a larger first one is returned. With `peek`, nothing is leased and `attempts` does not grow.
   */
  receive(query: {
    scope: string
    recipient: string
    owner: string
    limit: number
    peek: boolean
    leaseMs?: number
    maxBytes?: number
  }): MailMessage[]
  /**
   * Returns how many messages of a mailbox are queued, and how many a reader has leased and not acknowledged.
   */
  waiting(scope: string, recipient: string): { queued: number; leased: number }
  acknowledge(recipient: string, ids: readonly string[], step?: string): void
  /**
   * Ends the lease of messages early, so that they are queued again. This delivery does not
   * count in `attempts`.
   */
  release(recipient: string, ids: readonly string[]): void
  /** Makes a name get broadcasts of the scope. `leave` records that its reader has ended for good. */
  join(scope: string, name: string): void
  leave(scope: string, name: string): void
  /** Returns the stored deliveries of a scope, oldest first, in these states (default: in any state). */
  list(query: {
    scope: string
    recipient?: string
    states?: MailDelivery['state'][]
    limit?: number
  }): MailDelivery[]
}

/** The rules that users stored with the answer "always", by workspace. */
export interface PermissionAnswers {
  list(workspace: string): { id: number; rule: Record<string, unknown>; created: number }[]
  add(workspace: string, rule: Record<string, unknown>): void
  forget(workspace: string, id: number): boolean
}
