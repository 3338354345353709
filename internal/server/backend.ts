// What the server stands on, as its host hands it in: runs, threads and studies of one data directory.
import type { RecordedActivity } from '../event/recorded-activity.ts'
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
  /** Absolute path. */
  workspace: string
  profile?: string | undefined
  model?: string | undefined
  mode: 'ask' | 'edits' | 'auto' | 'unrestricted'
  /** Goes on with a copy of this conversation, up to this event. */
  fork?: { thread: string; at?: number | undefined } | undefined
}

export interface ToolWishes {
  /** Absolute path. */
  workspace: string
  profile?: string | undefined
  signal: AbortSignal
}

export interface UsageWishes {
  by: 'day' | 'model' | 'profile' | 'thread' | 'tool'
  /** Milliseconds since 1970. */
  since?: number | undefined
}

/** One line of what has to be seen of a call; `foreign`: written by others, shown behind a bar. */
export interface ApprovalLine {
  text: string
  foreign?: true
  tone?: 'head' | 'title' | 'added' | 'removed' | 'hunk'
}

/** A call that waits, in the words of the terminal. */
export interface ApprovalDescription {
  call: string
  lines: readonly ApprovalLine[]
}

/** A conversation that a search has found. */
export interface FoundThread extends ThreadSummary {
  /** Where the words stand; absent where nothing was searched for. */
  snippet?: string
}

/** A call that somebody makes who is no agent. */
export interface ToolCallWishes extends ToolWishes {
  args: Readonly<Record<string, unknown>>
  /** It may do more than read, and is approved by asking for it. */
  allow: boolean
}

/** As `readTopic` of a session. */
export type TopicReader = (after: number, signal: AbortSignal) => AsyncIterable<TopicEvent>

/** A part of a text, and how many characters it has in all. */
interface TextPart {
  text: string
  total: number
}

export interface ServerBackend {
  version: string
  /** Newest first. */
  listRuns(): Promise<RunSummary[]>
  /** One as it stands at this moment; undefined for an unknown one. */
  readRun(thread: string): Promise<RunSummary | undefined>
  /** Whether there is a run of this thread. */
  hasRun(thread: string): Promise<boolean>
  /** Whether a workspace is trusted or was worked in before; false for one that does not exist. */
  isKnownWorkspace(path: string): Promise<boolean>
  /** Throws UserError when it cannot begin. */
  startRun(wishes: RunWishes): Promise<{ thread: string }>
  cancelRun(thread: string): Promise<'cancelled' | 'ended'>
  /** A client of a run whose process lives; undefined where none does. */
  watchRun(thread: string): Promise<SessionClient | undefined>
  /** None of a run whose process is gone. */
  describeApprovals(thread: string): Promise<ApprovalDescription[]>
  /** The same, but one that has ended goes on, in mode `ask`. Undefined for an unknown thread. */
  joinRun(thread: string): Promise<SessionClient | undefined>
  /** Stored events after a position, at most 500; undefined where no such thread is stored. */
  readStored(thread: string, after: number): Promise<SessionEvent[] | undefined>
  /** Undefined for an unknown thread. Throws FailureError `not_found` for a thread that is no child of it. */
  findTopic(thread: string, topic: SessionTopic): Promise<TopicReader | undefined>
  /** As `readBlob` of a session. Throws FailureError `not_found`. */
  readText(thread: string, hash: string, range: { offset: number; limit: number }): Promise<TextPart>
  listThreads(query: { workspace?: string | undefined; text?: string | undefined }): Promise<FoundThread[]>
  listStudies(): Promise<unknown[]>
  /** The four of them by its whole id: undefined for what is not there. */
  readStudy(id: string): Promise<StudyBoard | undefined>
  /** Entries after a number, at most 500. */
  readStudyRecords(id: string, after: number): Promise<StudyRecord[] | undefined>
  readEvidence(id: string, evidence: string): Promise<EvidenceLines | undefined>
  /** Markdown. */
  readStudyReport(id: string): Promise<string | undefined>
  /** Both: undefined for what is not there. */
  cancelStudy(id: string, isForced: boolean): Promise<'cancelled' | 'ended' | undefined>
  /** Its task goes to another one. Throws UserError for a worker that is out of reach. */
  stopStudyWorker(id: string, task: string): Promise<'stopped' | 'ended' | undefined>
  /** Newest first. */
  listResearch(): Promise<ListedResearch[]>
  /** Both: undefined for what is not there. */
  readResearch(id: string): Promise<ResearchBoard | undefined>
  /** Lines after a number, at most 500. */
  readResearchRecords(id: string, after: number): Promise<ResearchRecord[] | undefined>
  /** Undefined for what is not there. Throws UserError for a loop that is out of reach. */
  controlResearch(id: string, wish: 'go' | 'pause' | 'stop'): Promise<'done' | 'ended' | undefined>
  /** What runs can be switched to, by a workspace or a thread; undefined for an unknown thread. */
  readChoices(
    where: { workspace: string } | { thread: string },
  ): Promise<Pick<SessionChoices, 'models' | 'profiles'> | undefined>
  /** What a workspace offers, hidden ones too. Throws UserError for an unknown profile. */
  listTools(wishes: ToolWishes): Promise<unknown[]>
  /** Undefined for an unknown one. */
  showTool(name: string, wishes: ToolWishes): Promise<unknown>
  /** The result as `tools use --output json` prints it. Throws UserError where there is none. */
  useTool(name: string, wishes: ToolCallWishes): Promise<{ ok: boolean }>
  /** Undefined for a workspace without runs. */
  readPermissions(workspace: string): Promise<PermissionOverview | undefined>
  readUsage(wishes: UsageWishes): Promise<unknown>
  readActivity(): Promise<RecordedActivity>
  close(): Promise<void>
}
