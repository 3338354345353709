// Contract between a session and its clients: a screen, a page, an editor, a socket.
import type { Event } from '../event/event.ts'
import type { Mode, PermissionAction } from '../policy/level.ts'
import type { FileDiff } from '../tool/ask.ts'
import type { FileMention, SessionCommand } from './commands.ts'
import type { SessionSnapshot } from './snapshot.ts'
import type { BoardEvent, SessionTopic } from './topics.ts'

/**
 * Position of a stored event in its thread, from 1. A reader at a position knows all events up to it; a
 * reader at 0 knows no event.
 */
export type ThreadPosition = number

/**
 * An event for a client. Stored events have `pos`. Pieces of an unfinished response, progress and snapshots
 * have no `pos`. They are never sent twice, and may be merged or dropped for a slow client.
 */
export type SessionEvent =
  | (Event & { pos?: ThreadPosition })
  | { type: 'session.snapshot'; payload: SessionSnapshot }

/** An event about a topic, which is a subagent, a study or the experiments of a workspace. */
export type TopicEvent = SessionEvent | BoardEvent

/** Settings of a session; missing ones are those of the thread or of the configuration. */
export interface SessionWishes {
  profile?: string
  model?: string
  mode?: Mode
  /** Toolset; rejected if the thread uses a different toolset. */
  toolset?: SessionTools
  /** Commands that have to pass before the first run may end as done. */
  until?: readonly string[] | undefined
}

/** Selection of tools: a toolset, only certain tools of it, or further tools in addition. */
interface SessionTools {
  name?: string | undefined
  only?: readonly string[] | undefined
  extra?: readonly string[] | undefined
}

/** Thread of a session: a new one, an existing one, or a fork up to an event. */
export type SessionSource =
  /** A new thread. `id` is set if a caller has to know the id in advance. */
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
  /** Branch that was checked out when the last run began; undefined if none was recorded. */
  branch?: string
  /** Text around the match of a search, on one line. */
  snippet?: string
}

/** A choice that the user can make, or that cannot be used for a reason. */
interface SessionChoice {
  name: string
  about: string
  /** Reason why the choice cannot be used. Default: it can be used. */
  unusable?: string
  /** True if the choice only lacks an API key. */
  needsKey?: true
}

export interface SessionChoices {
  models: readonly SessionChoice[]
  profiles: readonly SessionChoice[]
  skills: readonly SessionChoice[]
}

/**
 * A file, a directory or a resource of an MCP server that the text after `@` may mean. Lists of them begin
 * with the best one.
 */
export interface MentionChoice extends FileMention {
  kind: 'file' | 'directory' | 'resource'
}

/** What an undo or a redo would do to files. */
export interface UndoPreview {
  id: string
  files: readonly FileDiff[]
  /** Files that stay unchanged or are changed back only in part, with the reasons. */
  left: readonly { path: string; why: string }[]
  /**
   * The user's message that started the run whose changes are reverted; empty for a direct call, and if the
   * changes were selected by a position.
   */
  message?: string
  /**
   * The latest message, if its run has no changes left, so that an earlier run is reverted; otherwise empty.
   */
  skipped?: string
}

/**
 * A permission rule for this session. A command revokes the rule by its `id`; `when`
 * describes its conditions.
 */
interface SessionRule {
  id: string
  action: PermissionAction
  tool: string
  when: string
}

/**
 * Files that a workspace contains for Anode, and whether they are trusted. `changed`: they were trusted
 * in another state.
 */
export interface TrustView {
  state: 'trusted' | 'untrusted' | 'changed'
  files: readonly string[]
  /** Digest of these files in their current state. */
  digest?: string
}

/** Effects of one file, one sentence each, and the text of the file if it can be shown. */
export interface TrustFileView {
  path: string
  effects: readonly string[]
  text?: string
}

/** Reply to a command that was not accepted. */
export type CommandRefusal = Extract<CommandReply, { ok: false }>

/** Reply to a command. It is sent once the command is recorded, and does not wait for the end of a run. */
export type CommandReply =
  /** The command was accepted. `thread` is the thread of a new fork. */
  | {
      ok: true
      pos: ThreadPosition
      message?: string
      undo?: UndoPreview
      rules?: readonly SessionRule[]
      thread?: string
    }
  | { ok: false; code: string; message: string; hint?: string }

/**
 * Service that opens sessions and lists the threads of a workspace. Opening a session throws UserError for an
 * unknown thread, profile or model, or an invalid configuration.
 */
export interface SessionService {
  openSession(source: SessionSource, settings: SessionWishes): Promise<SessionClient>
  /**
   * Lists at most `limit` threads of this workspace, latest first; with `text` those that contain it, best
   * matches first. Subagents, direct tool calls and archived threads are left out.
   */
  listThreads(query: { text?: string; limit: number }): Promise<ThreadSummary[]>
  /**
   * Returns the last events of a thread of this workspace, oldest first, at most 500; empty for
   * an unknown thread.
   */
  readThreadEnd?(thread: string, limit: number): Promise<SessionEvent[]>
  /**
   * Returns the cost of a thread's ended runs in US dollars; null if a price was unknown, 0 for
   * an unknown thread.
   */
  readThreadCost?(thread: string): Promise<number | null>
  /** Renames a thread, or hides it from the list or shows it again. */
  changeThread?(change: { thread: string; title?: string; archived?: boolean }): Promise<CommandReply>
  /**
   * Returns the branch that is checked out, or `detached` and the beginning of the commit; undefined outside
   * of a git checkout, or if it cannot be read.
   */
  readBranch?(): Promise<string | undefined>
  readChoices(): Promise<SessionChoices>
  /** Lists the skills and commands that `/NAME` can mean, besides the commands of a screen. */
  listSkills?(): Promise<SessionChoices['skills']>
  /**
   * Returns at most `limit` latest user messages, oldest first, each text once. Searches the last 200
   * messages of each of this workspace's latest 50 threads.
   */
  listPastMessages?(limit: number): Promise<string[]>
  /**
   * Stores the user's key for a model provider, after one request has proved it valid. A service for remote
   * users lacks this method and the following optional ones.
   */
  saveProvider?(setup: { provider: string; key: string }): Promise<CommandReply>
  readTrust?(): Promise<TrustView>
  /**
   * Describes the effects of files for a check before they are trusted. Files that need no trust
   * are left out.
   */
  describeTrust?(files: TrustView['files']): Promise<TrustFileView[]>
  /** Trusts the files shown under `digest`, for sessions that are opened afterwards. */
  grantTrust?(digest: string | undefined): Promise<CommandReply>
  /** Runs another command of this program in the workspace. `output` gets its text as it arrives. */
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

/** Signals with which a client controls the wait until its run continues in another process. */
export interface HandOverWait {
  /** Aborting this signal cancels the handoff, if the run has not moved yet. */
  stay: AbortSignal
  /** Aborting this signal ends the running call, instead of waiting for the end of the step. */
  hurry: AbortSignal
}

/**
 * Result of a handoff. `handed_over`: the run continues after the screen has closed. `ended`: the run was
 * already over. `stayed`: the client cancelled the handoff. `refused`: the run continues in this process,
 * unless the message says otherwise.
 */
export type HandOverReply =
  | { kind: 'handed_over' | 'ended' | 'stayed' }
  | { kind: 'refused'; message: string; hint?: string }

export interface SessionClient {
  readonly thread: string
  /** True if the session is in another process and continues when its clients leave. */
  readonly isElsewhere?: true
  /**
   * Position of the thread when the session was opened. A screen reads events from shortly
   * before this position.
   */
  readonly openedAt: ThreadPosition
  /**
   * Yields stored events after `after`, once and in order, then one snapshot, then live events. Ends when
   * the session is closed, the client detaches or `signal` aborts. Throws FailureError `lagged` if the
   * client has more than 1,000 unread events, or more than 4 Mi characters in them; the reader then reads
   * again from its position.
   */
  readEvents(after: ThreadPosition, signal: AbortSignal): AsyncIterable<SessionEvent>
  /**
   * Returns at most `limit` stored events before a position, oldest first, for scrolling back; never
   * more than 500.
   */
  readHistory(before: ThreadPosition, limit: number): Promise<SessionEvent[]>
  /**
   * Yields a topic's current content, then changes until its end; experiments have no end. For a subagent
   * these are the stored events after a position. For a study and experiments it is the whole board, the
   * shown state, after each change. A slow reader gets only the latest board. Throws FailureError `not_found`
   * for a thread that is not a subagent.
   */
  readTopic(topic: SessionTopic, after: ThreadPosition, signal: AbortSignal): AsyncIterable<TopicEvent>
  /**
   * Returns `limit` characters from `offset` on, at most 1,048,576, of a stored text that an event of this
   * thread or its subagents shows in part; empty after its end. Throws FailureError `not_found` if no event
   * names the text or it is no longer stored, and `io` if the file is damaged.
   */
  readBlob(hash: string, offset: number, limit: number): Promise<string>
  findMentions(query: string, limit: number, signal: AbortSignal): Promise<MentionChoice[]>
  /**
   * Runs a command. `id` is the client's ULID: a command that is sent twice runs once. The first answer to a
   * question counts; a later one gets `already_answered`.
   */
  sendCommand(command: SessionCommand & { id: string }): Promise<CommandReply>
  /**
   * Lets the active run and the queue continue after the screen has closed. Below a shell with job control,
   * this process continues them. Otherwise another process continues them after the current step, and calls
   * that wait for the user ask again there; this session then accepts no messages. Resolves when the run
   * continues, or to the reason why it does not. Never rejects. Undefined for a session that cannot be handed
   * off, such as a remote one.
   */
  handOver?(wait: HandOverWait): Promise<HandOverReply>
  /** Leaves the session. A session of this process ends when its last client leaves. */
  detach(): Promise<void>
}
