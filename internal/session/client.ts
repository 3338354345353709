// Contract between a session and its clients: a screen, a page, an editor, a socket.
import type { Event } from '../event/event.ts'
import type { Mode, PermissionAction } from '../policy/level.ts'
import type { FileDiff } from '../tool/ask.ts'
import type { FileMention, SessionCommand } from './commands.ts'
import type { SessionSnapshot } from './snapshot.ts'
import type { BoardEvent, SessionTopic } from './topics.ts'

/** Position of a stored event in the thread up to which all events are known; 0: none. */
export type ThreadPosition = number

/**
 * An event for a client. Stored events have `pos`. Deltas, progress and snapshots have none, are never sent
 * twice, and may be merged or dropped for a slow client.
 */
export type SessionEvent =
  | (Event & { pos?: ThreadPosition })
  | { type: 'session.snapshot'; payload: SessionSnapshot }

/** An event of a topic. */
export type TopicEvent = SessionEvent | BoardEvent

/** Settings of a new session; missing ones follow the configuration. */
export interface SessionWishes {
  profile?: string
  model?: string
  mode?: Mode
  /** Toolset; rejected if the thread uses a different toolset. */
  toolset?: SessionTools
  /** Commands that have to pass before the first run may end as done. */
  until?: readonly string[] | undefined
}

/** Selection of tools: the toolset, exactly these tools of it, or these in addition. */
interface SessionTools {
  name?: string | undefined
  only?: readonly string[] | undefined
  extra?: readonly string[] | undefined
}

/** Thread of a session: a new one, an existing one, or a fork up to an event. */
export type SessionSource =
  /** A new thread; `id` is set if a caller has to know it in advance. */
  | { kind: 'new'; id?: string }
  | { kind: 'resume'; thread: string }
  | { kind: 'fork'; thread: string; at?: ThreadPosition }

export interface ThreadSummary {
  thread: string
  title: string
  profile: string
  model: string
  /** Milliseconds since 1970 of the last event. */
  updated: number
  events: number
  /** Branch that was checked out when the last run began. */
  branch?: string
  /** Text around the match of a search, on one line. */
  snippet?: string
}

/** A choice: usable, or with the reason why not. */
interface SessionChoice {
  name: string
  about: string
  /** Reason why it is not usable. Default: usable. */
  unusable?: string
  /** Set if only a key is missing. */
  needsKey?: true
}

export interface SessionChoices {
  models: readonly SessionChoice[]
  profiles: readonly SessionChoice[]
  skills: readonly SessionChoice[]
}

/** A file or directory that `@` may complete to; best first. */
export interface MentionChoice extends FileMention {
  kind: 'file' | 'directory' | 'resource'
}

/** The effect of an undo or a redo on files. */
export interface UndoPreview {
  id: string
  files: readonly FileDiff[]
  /** Files that stay as they are, and why. */
  left: readonly { path: string; why: string }[]
  /** The message of the run whose changes these are; empty if they belong to no single run. */
  message?: string
  /** The latest message, if its run has no changes left and an earlier run is undone instead. */
  skipped?: string
}

/** A rule for this session; `id` revokes it, `when` describes its conditions. */
interface SessionRule {
  id: string
  action: PermissionAction
  tool: string
  when: string
}

/** Files that a workspace contains for Anode, and whether they are trusted. */
export interface TrustView {
  state: 'trusted' | 'untrusted' | 'changed'
  files: readonly string[]
  /** Digest of these files in their current state. */
  digest?: string
}

/** Effects of one file, a sentence each, and its text if it can be shown. */
export interface TrustFileView {
  path: string
  effects: readonly string[]
  text?: string
}

/** Reply to a command, sent once the command is on record; it does not wait for a run. */
export type CommandReply =
  /** `thread` is the thread of a new fork. */
  | {
      ok: true
      pos: ThreadPosition
      message?: string
      undo?: UndoPreview
      rules?: readonly SessionRule[]
      thread?: string
    }
  | { ok: false; code: string; message: string; hint?: string }

/** Service that opens sessions. Throws UserError for an unknown thread, profile, model or configuration. */
export interface SessionService {
  openSession(source: SessionSource, settings: SessionWishes): Promise<SessionClient>
  /** Lists threads of this workspace, latest first. */
  listThreads(query: { text?: string; limit: number }): Promise<ThreadSummary[]>
  /**
   * Returns the last events of a thread of this workspace, oldest first, at most 500; empty for
   * an unknown thread.
   */
  readThreadEnd?(thread: string, limit: number): Promise<SessionEvent[]>
  /** Returns the cost of a thread's runs; null if a price was unknown. */
  readThreadCost?(thread: string): Promise<number | null>
  /** Renames a thread, or hides it from the list or shows it again. */
  changeThread?(change: { thread: string; title?: string; archived?: boolean }): Promise<CommandReply>
  /** Returns the branch that is checked out; undefined outside a git checkout. */
  readBranch?(): Promise<string | undefined>
  readChoices(): Promise<SessionChoices>
  /** Lists what `/NAME` means besides the commands of a screen. */
  listSkills?(): Promise<SessionChoices['skills']>
  /** Returns the latest `limit` user messages of this workspace's threads, oldest first, each text once. */
  listPastMessages?(limit: number): Promise<string[]>
  /**
   * Stores the user's key for a model provider, after one request has proved it valid. A service for remote
   * users lacks this method and the following ones.
   */
  saveProvider?(setup: { provider: string; key: string }): Promise<CommandReply>
  readTrust?(): Promise<TrustView>
  /** Describes the effects of files for a check before they are trusted. */
  describeTrust?(files: TrustView['files']): Promise<TrustFileView[]>
  /** Trusts the files shown under `digest`, for sessions that are opened afterwards. */
  grantTrust?(digest: string | undefined): Promise<CommandReply>
  /** Runs another command of the program in this workspace; `output` gets its text as it arrives. */
  runVerb?(
    words: readonly string[],
    options: {
      columns: number
      signal: AbortSignal
      output(text: string, stream: 'stdout' | 'stderr'): void
    },
  ): Promise<{ exit: number | null }>
  close(): Promise<void>
}

/** Signals of a client that waits for a handoff. */
export interface HandOverWait {
  /** Aborting cancels the handoff if the run has not moved yet. */
  stay: AbortSignal
  /** Aborting ends the running call instead of waiting for the end of the step. */
  hurry: AbortSignal
}

/**
 * Result of a handoff. `ended`: the run was over before. `refused`: it continues here, unless the
 * message says otherwise.
 */
export type HandOverReply =
  | { kind: 'handed_over' | 'ended' | 'stayed' }
  | { kind: 'refused'; message: string; hint?: string }

export interface SessionClient {
  readonly thread: string
  /** Set if the session is in another process and stays when its clients leave. */
  readonly isElsewhere?: true
  /** Position of the thread when the session was opened: a screen reads from shortly before it. */
  readonly openedAt: ThreadPosition
  /**
   * Yields stored events after `after`, once and in order, then one snapshot, then live events. Ends when the
   * session is closed. Throws FailureError `lagged` at 1,000 unread events or 4 MiB; the reader then reads
   * again from its position.
   */
  readEvents(after: ThreadPosition, signal: AbortSignal): AsyncIterable<SessionEvent>
  /** Returns at most 500 stored events before a position, oldest first, for scrolling back. */
  readHistory(before: ThreadPosition, limit: number): Promise<SessionEvent[]>
  /**
   * Yields a topic's current content, then changes until its end. For a subagent these are the stored events
   * after a position. For a study and experiments it is the whole board after each change, and nothing before
   * a board exists; a slow reader gets the latest board. Throws FailureError `not_found` for a thread that is
   * not a subagent.
   */
  readTopic(topic: SessionTopic, after: ThreadPosition, signal: AbortSignal): AsyncIterable<TopicEvent>
  /**
   * Returns the text of a blob that an event of this thread or its subagents shows in part: `limit`
   * characters from `offset` on, at most 1,048,576; empty after its end. Throws FailureError `not_found`.
   */
  readBlob(hash: string, offset: number, limit: number): Promise<string>
  findMentions(query: string, limit: number, signal: AbortSignal): Promise<MentionChoice[]>
  /**
   * Runs a command. `id` is the client's ULID: a command that is sent twice runs once. The first answer to a
   * question counts; a later one gets `already_answered`.
   */
  sendCommand(command: SessionCommand & { id: string }): Promise<CommandReply>
  /**
   * Lets the active run and the queue continue without a screen. Below a shell with job control, this process
   * keeps them at once. Otherwise they move to a separate process at the end of the step: once no response is
   * open and no call runs, except those that wait for a user, which are asked again there. Resolves when the
   * run continues there; this session then accepts no messages. Never rejects. Undefined for a remote
   * session, or one that cannot be handed off.
   */
  handOver?(wait: HandOverWait): Promise<HandOverReply>
  /** Leaves the session; the last client to leave ends it. */
  detach(): Promise<void>
}
