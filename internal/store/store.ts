// What the store keeps and how it is asked. Everything acknowledged survives a crash.
import type { Event, EventDraft, EventType } from '../event/event.ts'
import type { CronStore } from './cron/cron-store.ts'

/**
 * All calls are synchronous and durable when they return. They throw FailureError `io` or `busy` for trouble
 * with the disk or a lock, UserError for a damaged database.
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
  /** Milliseconds since 1970. */
  created: number
  updated: number
  archived: boolean
  events: number
}

/** A stored event. `pos` is its place in the thread, from 1 without gaps; `seq` counts within its run. */
export type RecordedEvent = Event & { pos: number }

/** What is to be appended; a recorder that has numbered its events already passes its numbers along. */
export type ThreadEntry = EventDraft & Partial<Pick<Event, 'id' | 'seq' | 'ts'>>

export interface ThreadHit {
  thread: Thread
  /** Text around the best match on one line. */
  snippet: string
  /** Place of the matching event in the thread. */
  pos: number
  /** Relative to the best hit, 0 to 1; from 0.5 on the event holds all terms. */
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
  /** Throws FailureError `bad_args` when the id is taken. */
  create(init: ThreadInit): Thread
  /**
   * The id of a thread that is written in one transaction with its first events, or before anything else that
   * is asked of threads; a thread in which nothing happens is never written.
   */
  reserve(init: Omit<ThreadInit, 'id'>): string
  get(id: string): Thread | undefined
  /** Newest first: those that are not archived, or only those that are. */
  list(query: { workspace?: string; limit?: number; archived?: boolean }): Thread[]
  /** Threads whose id begins with `prefix`, with or without `sess_`, newest first, at most 20. */
  find(prefix: string): Thread[]
  /** Appends in one transaction and returns what was stored. Throws FailureError `not_found`. */
  append(thread: string, run: string, entries: readonly ThreadEntry[]): RecordedEvent[]
  /** Events after place `after` in order, at most `limit` (500), of the given types only. */
  events(thread: string, after?: number, limit?: number, types?: readonly EventType[]): RecordedEvent[]
  /** The last `limit` events in order, of the given types only. */
  tail(thread: string, limit: number, types?: readonly EventType[]): RecordedEvent[]
  /**
   * Full text over messages, arguments and results, best first, one hit per thread; with `thread`, the hits
   * within that thread instead. Any text is a valid query: words, and "phrases in quotes".
   */
  search(
    query: string,
    options: { workspace?: string; limit: number; thread?: string; except?: string },
  ): ThreadHit[]
  /** The newest result of a call by its id, else the call itself; `thread` says where to look first. */
  call(id: string, thread?: string): { thread: string; event: RecordedEvent } | undefined
  /**
   * Whether this hash is that of a blob with the whole of a text that an event of the thread shows cut: a
   * result or the output of a job. What files held before they were written is no such text.
   */
  namesText(thread: string, hash: string): boolean
  rename(id: string, title: string): void
  archive(id: string, archived: boolean): void
  /**
   * Archives all but the newest `keep` threads of a workspace; children follow their parents. Returns how
   * many.
   */
  trim(workspace: string, keep: number): number
  /** Also removes its todo list and the blobs that nothing else points to. */
  delete(id: string): void
}

/** Large texts by the SHA-256 of their bytes, in hex. */
export interface BlobStore {
  put(bytes: Uint8Array): string
  /** Throws FailureError `io` when the content no longer fits the hash. */
  get(hash: string): Uint8Array | undefined
  /** Where such a blob is kept, whether or not it is. */
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
  /** `list` is a thread's id, or `workspace:<path>` where there is no thread. */
  read(list: string): StoredTodo[]
  /** Ids must differ from one another. */
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
   * Throws FailureError `cycle` with the cycle as `a -> b -> a`, `not_found` for unknown dependencies or
   * parent, `bad_args` for an id that is taken.
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
  /** In order of creation; `limit` 0 or absent: all. */
  list(query: { repo?: string; status?: RepositoryTask['status']; limit?: number }): RepositoryTask[]
  /** Absent fields stay; empty strings and [] clear. Throws as `create` does, also for an unknown id. */
  update(id: string, change: TaskChange): RepositoryTask
  /** Also takes the task out of everything that depends on it; returns whether it was there. */
  delete(id: string): boolean
}

export interface TaskChange {
  repo?: string
  title?: string
  description?: string
  status?: RepositoryTask['status']
  dependsOn?: readonly string[]
  /** null and the empty string clear. */
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
  /** How often it has been handed out, this time included. */
  attempts: number
}

export interface OutgoingMessage {
  scope: string
  from: string
  to: string
  type: MailMessage['type']
  body: string
  meta?: Record<string, unknown>
  /** A second message with the same key for the same recipient is a duplicate of the first and not stored. */
  dedupeKey?: string
  /** How long the key counts; absent: as long as the message is kept. */
  dedupeMs?: number
  /** Default 7 days. */
  expiresMs?: number
}

/** `id` is that of the first message when this is a duplicate. */
export interface SendReceipt {
  id: string
  deliveredTo: string[]
  duplicate: boolean
  /** Recipients that have ended; the message is kept as dead. */
  dead: string[]
  /** Recipients of a broadcast whose mailbox was full. */
  full: string[]
}

/** One message in one mailbox, as seen from outside. */
export interface MailDelivery {
  message: MailMessage
  recipient: string
  state: 'queued' | 'leased' | 'acked' | 'dead'
  /** Why it is dead: `expired`, `attempts`, `dead_recipient`. */
  reason: string | null
  leaseOwner: string | null
  leaseUntil: number | null
}

export interface MailStore {
  /**
   * Throws FailureError `too_large` (body over 64 KiB), `mailbox_full` (10,000 undelivered),
   * `sender_read_only` (from `aggman`). The recipient `broadcast` stands for every known name of the scope
   * but the sender.
   */
  send(message: OutgoingMessage): SendReceipt
  /** Like `send`, but messages posted in the same tick share one transaction; each is answered on its own. */
  sendBatched(message: OutgoingMessage): Promise<SendReceipt>
  /**
   * Leases what is queued for a recipient: first in, first out per sender; across senders error, question,
   * result, status, broadcast, then by time. While a message is leased to another owner, later ones of its
   * sender wait. Stops before `maxBytes` of bodies, yet gives at least one message. `peek` neither leases nor
   * counts.
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
  /** How many messages a mailbox holds that are still to be acknowledged. */
  waiting(scope: string, recipient: string): { queued: number; leased: number }
  acknowledge(recipient: string, ids: readonly string[], step?: string): void
  /** Gives messages back before the lease ends; the try does not count. */
  release(recipient: string, ids: readonly string[]): void
  /** Makes a name a known recipient of the scope, or says that its reader has ended for good. */
  join(scope: string, name: string): void
  leave(scope: string, name: string): void
  /** Everything kept, oldest first, for people: dead and acknowledged messages too. */
  list(query: {
    scope: string
    recipient?: string
    states?: MailDelivery['state'][]
    limit?: number
  }): MailDelivery[]
}

/** Answers given as "always", per workspace. */
export interface PermissionAnswers {
  list(workspace: string): { id: number; rule: Record<string, unknown>; created: number }[]
  add(workspace: string, rule: Record<string, unknown>): void
  forget(workspace: string, id: number): boolean
}
