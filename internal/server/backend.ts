// Interface between the HTTP server and the program that provides its data: runs, threads, studies and more
// of one data directory.
import type { CodeRun } from '../base/code/code-runs.ts'
import type { RecordedActivity } from '../event/recorded-activity.ts'
import type { BuildBoard, BuildRecord } from '../session/board/build-board.ts'
import type { ListedResearch, ResearchBoard, ResearchRecord } from '../session/board/research-board.ts'
import type { EvidenceLines, StudyBoard, StudyRecord } from '../session/board/study-board.ts'
import type {
  SessionChoices,
  SessionClient,
  SessionEvent,
  ThreadSummary,
  TopicEvent,
} from '../session/client.ts'
import type { SessionTopic } from '../session/topics.ts'
import type { PermissionOverview } from './permission-overview.ts'
import type { RunSummary } from './run-summary.ts'

export interface RunWishes {
  task: string
  /** Absolute path of the workspace. */
  workspace: string
  profile?: string | undefined
  model?: string | undefined
  mode: 'ask' | 'edits' | 'auto' | 'unrestricted'
  /** Thread to fork, up to the event at position `at`, by default to its end; the run continues the fork. */
  fork?: { thread: string; at?: number | undefined } | undefined
  /** Commands that have to pass before the run may end as done. */
  until?: readonly string[] | undefined
}

export interface StudyWishes {
  question: string
  /** Absolute path of the workspace. */
  workspace: string
  model?: string | undefined
}

export interface ResearchWishes {
  /** Absolute path of the workspace. */
  workspace: string
  name: string
  metric: string
  direction: 'lower' | 'higher'
  /** Shell command of the benchmark. */
  command: string
  /** Paths that the changes of the experiment may touch. Default: all paths. */
  scope?: readonly string[] | undefined
  model?: string | undefined
  /** Largest number of runs of the benchmark. Default: that of the experiment loop. */
  runs?: number | undefined
}

export interface BuildWishes {
  /** Absolute path of the workspace. */
  workspace: string
  goal?: string | undefined
  /** Plan file, relative to the workspace. Default: an agent makes the plan. */
  plan?: string | undefined
  until?: readonly string[] | undefined
  workers?: number | undefined
  model?: string | undefined
}

export interface ToolWishes {
  /** Absolute path of the workspace. */
  workspace: string
  profile?: string | undefined
  signal: AbortSignal
}

export interface UsageWishes {
  by: 'day' | 'model' | 'profile' | 'thread' | 'tool'
  /** Start of the period to report, in milliseconds since 1970. Default: all that is recorded. */
  since?: number | undefined
}

/**
 * One line of the description of a call for the user who has to approve the call. `foreign` marks text that
 * is copied from the call; a bar is shown before it.
 */
export interface ApprovalLine {
  text: string
  foreign?: true
  tone?: 'head' | 'title' | 'added' | 'removed' | 'hunk'
  /**
   * Start and end positions of the parts that differ from the line that this line replaces, in
   * UTF-16 code units.
   */
  marks?: readonly (readonly [number, number])[]
  /** The text as pieces of code with their colors; the pieces together equal `text`. */
  runs?: readonly CodeRun[]
}

/** Description of a call that waits for approval, in the same words as on the terminal. */
export interface ApprovalDescription {
  call: string
  lines: readonly ApprovalLine[]
}

/** A conversation in a list or in the results of a search. `snippet` is set only in a search. */
export interface FoundThread
  extends ThreadSummary,
    Pick<RunSummary, 'workspace' | 'state' | 'end' | 'reason' | 'waits' | 'started' | 'tokens' | 'usd'> {}

/** A tool call that a client requests directly, without an agent. */
export interface ToolCallWishes extends ToolWishes {
  args: Readonly<Record<string, unknown>>
  /** True if the request counts as approval of the call. Otherwise the call may only read. */
  allow: boolean
}

/** Function that reads the events of a topic, for example of a subagent, as `readTopic` of a session does. */
export type TopicReader = (after: number, signal: AbortSignal) => AsyncIterable<TopicEvent>

/** A part of a text, and the number of characters of the whole text. */
interface TextPart {
  text: string
  total: number
}

/** Runs of one data directory, with the stored events of their threads. */
export interface RunAccess {
  /** Lists the latest 200 runs, latest first. */
  list(): Promise<RunSummary[]>
  /** Returns the current state of a run, or undefined for an unknown one. */
  read(thread: string): Promise<RunSummary | undefined>
  /** Returns true if the thread has a run in this data directory. */
  has(thread: string): Promise<boolean>
  /** Starts a run. Throws UserError if it cannot start, and FailureError if its process ends at once. */
  start(wishes: RunWishes): Promise<{ thread: string }>
  cancel(thread: string): Promise<'cancelled' | 'ended'>
  /**
   * Returns a client of the session of a run; undefined if the process of the run does not exist or
   * does not listen.
   */
  watch(thread: string): Promise<SessionClient | undefined>
  /** Returns the approvals that a run waits for; empty if its process has ended or does not answer. */
  describeApprovals(thread: string): Promise<ApprovalDescription[]>
  /**
   * Returns a client of the session of a run. A run that has ended is resumed in mode `ask`. Returns
   * undefined for an unknown thread. Throws UserError or FailureError if the run cannot be resumed.
   */
  join(thread: string): Promise<SessionClient | undefined>
  /** Returns at most 500 stored events after a position, or undefined if the thread is not stored. */
  readStored(thread: string, after: number): Promise<SessionEvent[] | undefined>
  /**
   * Returns the function that reads a topic, such as a subagent of the thread; undefined for an unknown
   * thread. Throws FailureError `not_found` for a subagent of another thread.
   */
  findTopic(thread: string, topic: SessionTopic): Promise<TopicReader | undefined>
  /**
   * Reads a text, as `readBlob` of a session does. Throws FailureError `not_found` if no event of the thread
   * names the text or it is no longer stored, and `io` if the file is damaged.
   */
  readText(thread: string, hash: string, range: { offset: number; limit: number }): Promise<TextPart>
  listThreads(query: { workspace?: string | undefined; text?: string | undefined }): Promise<FoundThread[]>
}

/** Studies of all workspaces. */
export interface StudyAccess {
  list(): Promise<unknown[]>
  /** Starts a study in another process. Resolves to its id, and throws UserError if it cannot start. */
  start(wishes: StudyWishes): Promise<string>
  /**
   * Returns a study by its full id. This method, `records`, `evidence` and `report` return
   * undefined if the study, or the evidence in it, does not exist.
   */
  board(id: string): Promise<StudyBoard | undefined>
  /** Returns at most 500 records whose numbers are above `after`. */
  records(id: string, after: number): Promise<StudyRecord[] | undefined>
  evidence(id: string, evidence: string): Promise<EvidenceLines | undefined>
  /** Returns the report as Markdown. */
  report(id: string): Promise<string | undefined>
  /** Cancels a study. Resolves to `ended` if it had ended before, and to undefined if it is unknown. */
  cancel(id: string, isForced: boolean): Promise<'cancelled' | 'ended' | undefined>
  /**
   * Stops a worker of a study, whose task another worker then gets. Resolves to `ended` if no worker has the
   * task, and to undefined for an unknown study. Throws UserError for a worker on another machine, and for a
   * study on a server.
   */
  stopWorker(id: string, task: string): Promise<'stopped' | 'ended' | undefined>
}

/** Experiment sessions of all workspaces. */
export interface ResearchAccess {
  /**
   * Lists the experiment sessions that have an active segment (series of runs with the same settings).
   * Sessions whose ledger changed last come first.
   */
  list(): Promise<ListedResearch[]>
  /**
   * Starts an experiment session in another process. Resolves to its id, and throws UserError if
   * it cannot start.
   */
  start(wishes: ResearchWishes): Promise<string>
  /**
   * Returns an experiment session; undefined for an unknown id, and for a session without an active segment
   * (series of runs with the same settings).
   */
  board(id: string): Promise<ResearchBoard | undefined>
  /** Returns at most 500 records whose numbers are above `after`; undefined for an unknown session. */
  records(id: string, after: number): Promise<ResearchRecord[] | undefined>
  /**
   * Continues, pauses or stops the loop of an experiment session. Resolves to `ended` without an active loop,
   * and to undefined for an unknown session. Throws UserError if the loop has to stop but its process cannot
   * be reached, for example on another machine.
   */
  control(id: string, wish: 'go' | 'pause' | 'stop'): Promise<'done' | 'ended' | undefined>
}

/** Builds of all workspaces. Methods return undefined for an unknown id. */
export interface BuildAccess {
  /** Lists the latest 200 builds, latest first. */
  list(): Promise<BuildBoard[]>
  /** Starts a build in another process. Resolves to its id, and throws UserError if it cannot start. */
  start(wishes: BuildWishes): Promise<string>
  board(id: string): Promise<BuildBoard | undefined>
  /** Returns at most 500 records whose numbers are above `after`. */
  records(id: string, after: number): Promise<BuildRecord[] | undefined>
  /**
   * Cancels a build; steps that run are finished first. Resolves to `ended` if the build had ended before.
   */
  cancel(id: string): Promise<'cancelled' | 'ended' | undefined>
}

/** Tools of a workspace, called without an agent. */
interface ToolAccess {
  /**
   * Lists the tools of a workspace, including hidden ones. Throws UserError for an unknown profile, or a
   * directory that does not exist.
   */
  list(wishes: ToolWishes): Promise<unknown[]>
  /** Returns a tool, or undefined for an unknown one. Throws UserError as `list` does. */
  show(name: string, wishes: ToolWishes): Promise<unknown>
  /**
   * Calls a tool; returns the result as `tools use --output json` prints it. Throws UserError if the call has
   * no result, such as for an unknown tool, after 10 minutes, and for a result of more than 8 MiB.
   */
  use(name: string, wishes: ToolCallWishes): Promise<{ ok: boolean }>
}

export interface ServerBackend {
  version: string
  runs: RunAccess
  studies: StudyAccess
  research: ResearchAccess
  builds: BuildAccess
  tools: ToolAccess
  /**
   * Returns true if a workspace is trusted or has threads. Throws UserError for a directory that does not
   * exist or belongs to Anode.
   */
  isKnownWorkspace(path: string): Promise<boolean>
  /**
   * Returns the settings to which a run can be switched, for a workspace or a thread; undefined for an
   * unknown thread. Throws UserError for a directory that does not exist.
   */
  readChoices(
    where: { workspace: string } | { thread: string },
  ): Promise<Pick<SessionChoices, 'models' | 'profiles'> | undefined>
  /**
   * Returns the permissions of a workspace, or undefined for one that has neither runs nor threads. Throws
   * UserError if its directory does not exist any more.
   */
  readPermissions(workspace: string): Promise<PermissionOverview | undefined>
  readUsage(wishes: UsageWishes): Promise<unknown>
  readActivity(): Promise<RecordedActivity>
  close(): Promise<void>
}
