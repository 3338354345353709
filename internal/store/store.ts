// What the store keeps and how it is asked. Everything acknowledged survives a crash.
import type { Draft, Event } from '../event/event.ts'

export interface Store {
  readonly threads: Threads
  readonly blobs: Blobs
  readonly todos: Todos
  readonly tasks: Tasks
  readonly mail: Mail
  readonly answers: Answers
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

export interface Threads {
  create(init: {
    workspace: string
    title: string
    profile: string
    model?: string
    parent?: string
    id?: string
  }): Thread
  get(id: string): Thread | undefined
  /** Newest first. A unique prefix of an id is enough for `find`. */
  list(query: { workspace?: string; limit?: number; archived?: boolean }): Thread[]
  find(prefix: string): Thread[]
  /** Appends in one transaction; returns the stored events with their sequence numbers. */
  append(thread: string, run: string, drafts: readonly Draft[]): Event[]
  /** Events after `after` in order, at most `limit`. */
  events(thread: string, after?: number, limit?: number): Event[]
  /** Full text over messages, arguments and results: best first, with a snippet around the hit. */
  search(
    query: string,
    options: { workspace?: string; limit: number },
  ): { thread: Thread; snippet: string; seq: number; score: number }[]
  /** The result of a call by its id, wherever it was recorded. */
  call(id: string): { thread: string; event: Event } | undefined
  rename(id: string, title: string): void
  archive(id: string, archived: boolean): void
  delete(id: string): void
}

/** Large texts by the SHA-256 of their bytes. */
export interface Blobs {
  put(bytes: Uint8Array): string
  get(hash: string): Uint8Array | undefined
}

export interface Todo {
  id: string
  content: string
  status: 'pending' | 'in_progress' | 'completed'
  active_form?: string
}

export interface Todos {
  read(thread: string): Todo[]
  replace(thread: string, todos: readonly Todo[]): void
}

export interface Task {
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

export interface Tasks {
  /** Throws FailureError `cycle` with the cycle as `a -> b -> a`, `not_found` for unknown dependencies or parent. */
  create(task: {
    id?: string
    repo: string
    title: string
    description?: string
    status?: Task['status']
    dependsOn?: string[]
    parent?: string
  }): Task
  get(id: string): Task | undefined
  list(query: { repo?: string; status?: Task['status']; limit?: number }): Task[]
  /** Absent fields stay; empty strings and [] clear. */
  update(
    id: string,
    change: Partial<Pick<Task, 'repo' | 'title' | 'description' | 'status' | 'dependsOn' | 'parent'>>,
  ): Task
  /** Also takes the task out of everything that depends on it; returns whether it was there. */
  delete(id: string): boolean
}

export interface Message {
  id: string
  scope: string
  from: string
  to: string
  type: 'status' | 'question' | 'result' | 'error' | 'broadcast'
  body: string
  meta: Record<string, unknown>
  created: number
  expires: number
  attempts: number
}

export interface Mail {
  send(message: {
    scope: string
    from: string
    to: string
    type: Message['type']
    body: string
    meta?: Record<string, unknown>
    dedupeKey?: string
    expiresMs?: number
  }): { id: string; deliveredTo: string[]; duplicate: boolean }
  /** Leases what is queued for a recipient, error, question, result, status, broadcast, then by time; `peek` leases nothing. */
  receive(query: {
    scope: string
    recipient: string
    owner: string
    limit: number
    peek: boolean
    leaseMs?: number
  }): Message[]
  acknowledge(recipient: string, ids: readonly string[], step?: string): void
}

/** Answers given as "always", per workspace. */
export interface Answers {
  list(workspace: string): { id: number; rule: Record<string, unknown>; created: number }[]
  add(workspace: string, rule: Record<string, unknown>): void
  forget(workspace: string, id: number): boolean
}
