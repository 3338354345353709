// The contract between a session and those who look at it: a screen, a page, an editor, a socket.
import type { Event } from '../event/event.ts'
import type { Mode, PermissionAction } from '../policy/level.ts'
import type { FileDiff } from '../tool/ask.ts'
import type { FileMention, SessionCommand } from './commands.ts'
import type { SessionSnapshot } from './snapshot.ts'
import type { BoardEvent, SessionTopic } from './topics.ts'

/** Everything up to this stored event of the thread is known; 0: nothing is. */
export type ThreadPosition = number

/**
 * What a client gets. Stored events bear `pos`; words as they come, progress and snapshots have none, are
 * never sent twice and may be merged or left out for a slow client.
 */
export type SessionEvent =
  | (Event & { pos?: ThreadPosition })
  | { type: 'session.snapshot'; payload: SessionSnapshot }

/** What comes of a topic. */
export type TopicEvent = SessionEvent | BoardEvent

/** How a session is begun; what is absent follows the configuration. */
export interface SessionWishes {
  profile?: string
  model?: string
  mode?: Mode
  /** Refused where the thread works with another one. */
  toolset?: SessionTools
}

/** Tools under the names of another program: which toolset, exactly these of it, or these besides. */
interface SessionTools {
  name?: string | undefined
  only?: readonly string[] | undefined
  extra?: readonly string[] | undefined
}

/** Which conversation: a new one, one that goes on, or a copy up to an event. */
export type SessionSource =
  /** `id`: the name of its thread, from whoever has to know it before. */
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
  /** That was checked out when the last run began. */
  branch?: string
  /** Text around what was searched for, on one line. */
  snippet?: string
}

/** Something that can be picked: usable, or the reason why not. */
interface SessionChoice {
  name: string
  about: string
  /** Absent: it can be used now. */
  unusable?: string
  /** A key is all that is missing. */
  needsKey?: true
}

export interface SessionChoices {
  models: readonly SessionChoice[]
  profiles: readonly SessionChoice[]
  skills: readonly SessionChoice[]
}

/** A file or folder that `@` may stand for; best first. */
export interface MentionChoice extends FileMention {
  kind: 'file' | 'directory' | 'resource'
}

/** What undoing would make of files; `left` names those that stay as they are, and why. */
export interface UndoPreview {
  id: string
  files: readonly FileDiff[]
  left: readonly { path: string; why: string }[]
}

/** A rule that ends with the session; `id` takes it back, `when` are its conditions in words. */
interface SessionRule {
  id: string
  action: PermissionAction
  tool: string
  when: string
}

/** What a workspace brings along, and whether it counts. */
export interface TrustView {
  state: 'trusted' | 'untrusted' | 'changed'
  files: readonly string[]
  /** Of exactly these files in this state. */
  digest?: string
}

/** What one of these files would do, a sentence each, and its text where it can be shown. */
export interface TrustFileView {
  path: string
  effects: readonly string[]
  text?: string
}

/** A reply comes once what was asked is on record; it does not wait for a run. */
export type CommandReply =
  /** `thread`: that of a copy that was made. */
  | {
      ok: true
      pos: ThreadPosition
      message?: string
      undo?: UndoPreview
      rules?: readonly SessionRule[]
      thread?: string
    }
  | { ok: false; code: string; message: string; hint?: string }

/** Throws UserError for a thread, profile, model or configuration that is not there. */
export interface SessionService {
  openSession(source: SessionSource, settings: SessionWishes): Promise<SessionClient>
  /** Newest first, of this workspace. */
  listThreads(query: { text?: string; limit: number }): Promise<ThreadSummary[]>
  /** The last events of a thread of this workspace, oldest first, at most 500; none of what is not there. */
  readThreadEnd?(thread: string, limit: number): Promise<SessionEvent[]>
  /** What the runs of a thread of this workspace have cost; null: a price was unknown. */
  readThreadCost?(thread: string): Promise<number | null>
  /** Another title for a thread, or out of the list and back into it. */
  changeThread?(change: { thread: string; title?: string; archived?: boolean }): Promise<CommandReply>
  readChoices(): Promise<SessionChoices>
  /** What `/NAME` stands for besides the commands of a screen. */
  listSkills?(): Promise<SessionChoices['skills']>
  /** What people said in the threads of this workspace, oldest first, each text once; the newest `limit`. */
  listPastMessages?(limit: number): Promise<string[]>
  /**
   * Keeps the key of a model provider for this user, after one request has shown that it is taken. A service
   * for people elsewhere has neither this nor what follows.
   */
  saveProvider?(setup: { provider: string; key: string }): Promise<CommandReply>
  readTrust?(): Promise<TrustView>
  /** What those files would do, for a look at them before they are trusted. */
  describeTrust?(files: TrustView['files']): Promise<TrustFileView[]>
  /** Trusts what was shown under `digest`; it counts for sessions that are opened from then on. */
  grantTrust?(digest: string | undefined): Promise<CommandReply>
  /** Runs another command of the program in this workspace; `output` gets its words as they come. */
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

/** Who waits until a run is handed over. */
export interface HandOverWait {
  /** Aborting leaves the run where it is, as long as it has not left. */
  stay: AbortSignal
  /** Aborting waits no longer for the end of a step: the call that runs is ended. */
  hurry: AbortSignal
}

/**
 * What became of a run that was to go on elsewhere. `ended`: it was over before, and nothing is left to do;
 * `refused`: it goes on here, unless the message says otherwise.
 */
export type HandOverReply =
  | { kind: 'handed_over' | 'ended' | 'stayed' }
  | { kind: 'refused'; message: string; hint?: string }

export interface SessionClient {
  readonly thread: string
  /** The session lives in another process, and stays when its clients leave. */
  readonly isElsewhere?: true
  /** Position of the thread when the session was opened: a screen reads from shortly before it. */
  readonly openedAt: ThreadPosition
  /**
   * Stored events after `after`, once and in order; then one snapshot; then what happens. Ends when the
   * session is closed. Throws FailureError `lagged` at 1,000 unread events or 4 MiB: read again from your
   * position.
   */
  readEvents(after: ThreadPosition, signal: AbortSignal): AsyncIterable<SessionEvent>
  /** Stored events before a position, oldest first, at most 500; for scrolling back. */
  readHistory(before: ThreadPosition, limit: number): Promise<SessionEvent[]>
  /**
   * What a topic holds now, then what comes, until it is over. Of a child the stored events after a position;
   * of a study and of experiments the whole board whenever it has changed, and nothing as long as there is
   * none; who reads slowly gets the newest. Throws FailureError `not_found` for a thread that is no child.
   */
  readTopic(topic: SessionTopic, after: ThreadPosition, signal: AbortSignal): AsyncIterable<TopicEvent>
  /**
   * The text of a blob of which an event of this thread, or of a child of it, shows a part: so many
   * characters from `offset` on, at most 1,048,576; empty behind its end. Throws FailureError `not_found`.
   */
  readBlob(hash: string, offset: number, limit: number): Promise<string>
  findMentions(query: string, limit: number, signal: AbortSignal): Promise<MentionChoice[]>
  /**
   * `id` is the client's own ULID: a command that is sent twice is done once. The first answer to a question
   * counts; a later one gets `already_answered`.
   */
  sendCommand(command: SessionCommand & { id: string }): Promise<CommandReply>
  /**
   * Lets what goes on and what is queued go on in a process of its own, from the end of the step on: once no
   * reply is open and no call runs, but those that wait for a person, which are asked there again. Resolves
   * when it goes on there; nothing can be said here from then on. Never rejects. Absent where a session is
   * looked at from elsewhere, or cannot be handed over.
   */
  handOver?(wait: HandOverWait): Promise<HandOverReply>
  /** Leaves the session; the last client to leave ends it. */
  detach(): Promise<void>
}
