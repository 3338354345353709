// The context of a call: all that a tool may use, in one small readonly object.
import type { EventDraft } from '../event/event.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Policy } from '../policy/decide.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Mailbox } from '../store/mail/mailbox.ts'
import type { Store } from '../store/store.ts'
import type { AgentSpawner, BranchRunner } from './agents.ts'
import type { ApprovalReply, ApprovalRequest, UserQuestionnaire, UserReply } from './ask.ts'
import type { CallMiddleware } from './call-middleware.ts'
import type { TurnRoom } from './clip/turn-room.ts'
import type { CronJobs } from './cron-jobs.ts'
import type { EditorFiles } from './editor-files.ts'
import type { ExperimentCapability } from './experiments.ts'
import type { SessionJobs } from './jobs.ts'
import type { KnownUrls } from './known-urls.ts'
import type { LspServers } from './lsp.ts'
import type { PlanCapability } from './planning.ts'
import type { ResultMedia } from './result.ts'
import type { ReviewRunner } from './review.ts'
import type { SandboxState } from './sandbox-state.ts'
import type { SessionTerminals } from './terminals.ts'
import type { ToolSettings } from './tool-settings.ts'

export type { ToolSettings } from './tool-settings.ts'

/** How a session starts commands, and what it keeps of those that last. */
interface ProcessCapabilities {
  readonly run?: RunCommand
  sandbox?(): Promise<SandboxState>
  /** Shells that last from call to call. */
  readonly terminals?: SessionTerminals
  /** Commands in the background; present where a further call can look after them. */
  readonly jobs?: SessionJobs
  /** Takes what the command of a call prints, as it comes; present where a screen or a client shows it. */
  readonly showOutput?: (call: string, chunk: Uint8Array) => void
}

/** Where a session keeps what outlives it. */
interface RecordCapabilities {
  /** Opens the database on first use. */
  readonly store?: () => Promise<Store>
  /** Where the mailboxes of a study are kept, by their scope; absent: in the store, as all others. */
  readonly mail?: (scope: string) => Promise<Mailbox>
}

/** Present where agents may start agents: a subagent never has it. */
interface AgentCapabilities {
  readonly spawn?: AgentSpawner
  /** Present where there is a conversation. */
  readonly branch?: BranchRunner
  readonly review?: ReviewRunner
}

/** What the tools of one session may use. A subagent gets a smaller `can`. */
export interface Capabilities {
  readonly processes: ProcessCapabilities
  readonly records: RecordCapabilities
  readonly agents?: AgentCapabilities
  readonly fetch?: GuardedFetch
  readonly skills?: SkillCatalog
  readonly lsp?: LspServers
  /** Present where an editor says what it has open; its buffers come before the disk. */
  readonly editor?: EditorFiles
  readonly resources?: ResourceReader
  /** Present when somebody can answer questions. */
  readonly user?: UserChannel
  /** Measured experiments in this workspace. */
  readonly research?: ExperimentCapability
  /** Present in the session of an agent that the user has started. */
  readonly plan?: PlanCapability
  /** Scheduled jobs of this workspace. */
  readonly cron?: () => Promise<CronJobs>
  /** Present where an agent works, which may not be offered all tools at once. */
  readonly toolSearch?: ToolSearch
  /** Resolves when something has come that is worth waking a call for; rejects when `signal` aborts. */
  readonly interruption?: (signal: AbortSignal) => Promise<void>
}

/** The call in progress. All but `id` is absent outside of a call. */
interface CallFacts {
  /** Outside of a call an empty string. */
  readonly id: string
  /** Name of the tool. */
  readonly tool?: string
  /** Id that a model's reply gave the call; tells calls apart within that reply only. */
  readonly modelCall?: string
  /** The real paths that were judged, by the paths that the call gives. */
  readonly judgedPaths?: ReadonlyMap<string, string>
  /**
   * True when no user, rule or class has allowed its command, and only because the sandbox contains all that
   * it does.
   */
  readonly held?: boolean
  /** Whether the user was asked and has approved it. */
  readonly approved?: boolean
}

/** The agent that calls. */
interface CallingAgent {
  readonly model?: string
  /** Title of the task of a subagent; absent for the agent that the user has started. */
  readonly child?: string
  /** Most characters of one result that the model reads. */
  readonly resultRoom?: number
  /** What the results of the current turn share of `resultRoom`. */
  readonly turnRoom?: TurnRoom
}

/** What judges, numbers and ends calls. */
interface CallGate {
  readonly ask: ApprovalHandler
  /** Rules stored for answers given as "always"; looked up only when a call would otherwise ask. */
  readonly answers: () => Promise<readonly PermissionRule[]>
  /** Stores the rule of an "always" for this workspace. */
  readonly remember: (rule: PermissionRule) => Promise<void>
  /** Runs around every call, for example hooks; in order, the first refusal wins. */
  readonly middleware: readonly CallMiddleware[]
  /** What ends one call; absent: only what ends its agent. */
  readonly callSignal?: (call: string, signal: AbortSignal) => AbortSignal
  /** Numbers the calls of this thread; absent: each gets a ULID. */
  readonly nextCall?: () => string
  /** URLs that need no approval; absent: none but documentation. */
  readonly urls?: KnownUrls
  /** The user typed the call itself, with all its arguments. */
  readonly isTyped?: boolean
}

export interface Ctx {
  /** Real path that relative names start from. */
  readonly cwd: string
  readonly signal: AbortSignal
  /** Thread that todo lists and records belong to; absent for direct calls that belong to none. */
  readonly thread: string | undefined
  readonly policy: Policy
  readonly env: Readonly<Record<string, string | undefined>>
  /** Settings that tools read, by section; see config/schema.ts. */
  readonly settings: ToolSettings
  /** Checksums of files as last read, by real path, against `stale_read`; absent where no call can follow. */
  readonly seen: Map<string, string> | undefined
  readonly log: CallLog
  readonly call: CallFacts
  /** Absent for direct calls. */
  readonly agent?: CallingAgent
  readonly gate: CallGate
  readonly can: Capabilities
}

/** Where calls and results are recorded. An append has happened on disk when its promise resolves. */
export interface CallLog {
  append(draft: EventDraft): Promise<void>
  /**
   * Keeps the whole of a clipped text for `result` to page by the call's id, or a file's content; resolves to
   * its hash, empty where nothing is kept.
   */
  keep(call: string, content: string | Uint8Array): Promise<string>
  /** Where calls have no thread of their own: the one that they are recorded in, once there is one. */
  thread?(): string | undefined
}

/**
 * Answers an `ask` decision. No answerer is an answer: not allowed, with the reason, and `unanswered`.
 * `always` keeps the rule.
 */
export type ApprovalHandler = (request: ApprovalRequest) => Promise<ApprovalReply>

export interface UserChannel {
  ask(prompt: UserQuestionnaire, signal: AbortSignal): Promise<UserReply>
}

/** Something that a server offers to be read. */
export interface ResourceMention {
  server: string
  uri: string
}

/** A resource as a model reads it. */
export interface ResourceContent {
  text: string
  media: ResultMedia[]
}

/** What servers offer to be read. */
export interface ResourceReader {
  /** Rejects with FailureError, also for a server that does not exist. */
  read(mention: ResourceMention, signal: AbortSignal): Promise<ResourceContent>
}

export interface SkillCatalog {
  list(): Promise<{ name: string; description: string; origin: string; path: string }[]>
  /** The instructions with `$INPUT` filled and the bundled files, or undefined. */
  load(name: string, input: string | undefined): Promise<{ text: string; files: string[] } | undefined>
}

/** Finds tools that a model has not been told of, by a name or some words. */
export interface ToolSearch {
  /**
   * Best first; `more` are names that fit too, `starting` servers that may have more. Waits for these where
   * nothing fits, then rejects with FailureError.
   */
  load(request: { name?: string | undefined; query?: string | undefined }, stop: AbortSignal): FoundTools
}
type FoundTool = { name: string; about: string; schema: Readonly<Record<string, unknown>> }
type FoundTools = Promise<Record<'more' | 'starting', readonly string[]> & { loaded: readonly FoundTool[] }>
