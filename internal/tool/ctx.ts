// The context of a call: everything that a tool may use, in one small readonly object.
import type { EventDraft } from '../event/event.ts'
import type { GuardedFetch } from '../net/guarded-fetch.ts'
import type { Policy } from '../policy/decide.ts'
import type { PermissionRule } from '../policy/rules/permission-rule.ts'
import type { RunCommand } from '../process/process-command.ts'
import type { Mailbox } from '../store/mail/mailbox.ts'
import type { Store } from '../store/store.ts'
import type { AgentSpawner, BranchRunner } from './agents.ts'
import type { ApprovalReply, ApprovalRequest, ApprovalReviewer, UserQuestionnaire, UserReply } from './ask.ts'
import type { CallMiddleware } from './call-middleware.ts'
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
import type { VerificationCapability } from './verification.ts'

export type { ToolSettings } from './tool-settings.ts'

/** Means to start commands in a session, and access to the commands that continue after their call. */
interface ProcessCapabilities {
  readonly run?: RunCommand
  sandbox?(): Promise<SandboxState>
  /** Shells in terminals that last from call to call. */
  readonly terminals?: SessionTerminals
  /** Background commands of the session. Set if a later call can read their output. */
  readonly jobs?: SessionJobs
  /** Receives the output of a call's command as it arrives. Set if a screen or a client shows it. */
  readonly showOutput?: (call: string, chunk: Uint8Array) => void
  /** Largest number of worker threads that read files for one search. Default: one for each processor. */
  readonly readers?: number
}

/** Storage for data that outlives the session. */
interface RecordCapabilities {
  /** Opens the store database on first use. */
  readonly store?: () => Promise<Store>
  /**
   * Returns the mailboxes of a study. `scope` is the name of its group of mailboxes. Other groups, and
   * studies in a session without this function, use the store database.
   */
  readonly mail?: (scope: string) => Promise<Mailbox>
  /** Proofs, comparisons and studies of this workspace. */
  readonly verification?: () => Promise<VerificationCapability>
}

/** Means to start agents. Set if the agent may start subagents; a subagent itself never has them. */
interface AgentCapabilities {
  readonly spawn?: AgentSpawner
  /** Runs a branch of the conversation. Set only in a conversation. */
  readonly branch?: BranchRunner
  readonly review?: ReviewRunner
}

/** The capabilities that the tools of one session may use. A subagent gets a smaller `can`. */
export interface Capabilities {
  readonly processes: ProcessCapabilities
  readonly records: RecordCapabilities
  readonly agents?: AgentCapabilities
  readonly fetch?: GuardedFetch
  readonly skills?: SkillCatalog
  readonly lsp?: LspServers
  /** Files that an editor has open. The text in the editor takes precedence over that on disk. */
  readonly editor?: EditorFiles
  readonly resources?: ResourceReader
  /** Channel for questions to the user. Set if a user can answer. */
  readonly user?: UserChannel
  /** Measured experiments in this workspace. */
  readonly research?: ExperimentCapability
  /** Capability for planning. Set in the session of an agent that the user has started. */
  readonly plan?: PlanCapability
  /** Scheduled jobs of this workspace. */
  readonly cron?: () => Promise<CronJobs>
  /**
   * Search for deferred tools; undefined for direct calls. It fails for an agent that gets all tools at once.
   */
  readonly toolSearch?: ToolSearch
  /**
   * Resolves when a call should stop waiting, for example because the user has sent a message; rejects
   * when `signal` aborts.
   */
  readonly interruption?: (signal: AbortSignal) => Promise<void>
}

/**
 * The call in progress. Outside a call, `id` is empty. While a call is checked, only `id` and
 * `modelCall` are set.
 */
interface CallFacts {
  /** Id of the call; empty outside a call. */
  readonly id: string
  /** Name of the tool that is called; undefined until the tool runs. */
  readonly tool?: string
  /** Id of the call in a model's response. It identifies the call only within that response. */
  readonly modelCall?: string
  /** The real paths that the policy judged, by the paths that the call names. */
  readonly judgedPaths?: ReadonlyMap<string, string>
  /**
   * True if the command of the call is allowed only because the sandbox contains all its effects, and not by
   * the user, a rule or the command's class. Undefined until the tool runs.
   */
  readonly held?: boolean
  /** True if the user has approved the call. */
  readonly approved?: boolean
}

/** Counter of the characters that all results of one turn may have together. */
export interface TurnRoom {
  /** Reserves room for one more result and returns the reserved room, in characters. */
  reserve(): number
  /** Releases the room that a result did not use. */
  release(reserved: number, used: number): void
}

/** Facts about the agent that makes the call. */
interface CallingAgent {
  readonly model?: string
  /** Title of the task of a subagent; undefined for the agent that the user has started. */
  readonly child?: string
  /** Largest number of characters of one result that the model gets. */
  readonly resultRoom?: number
  /**
   * Room that the results of the current turn share: `resultRoom` characters, but at least 1,500 for each.
   */
  readonly turnRoom?: TurnRoom
}

/** The parts of a context that judge, number and end calls. */
interface CallGate {
  readonly ask: ApprovalHandler
  /**
   * Model that may decide before the user is asked: about calls in a sandbox, and about further calls that
   * the user lets it allow.
   */
  readonly reviewer?: ApprovalReviewer | undefined
  /**
   * Returns the rules that users stored with the answer "always". Read only when a call would otherwise ask.
   */
  readonly answers: () => Promise<readonly PermissionRule[]>
  /** Stores the rule of an answer "always" for this workspace. */
  readonly remember: (rule: PermissionRule) => Promise<void>
  /**
   * Code that runs around each allowed call, for example hooks, in this order. The first refusal
   * ends the call.
   */
  readonly middleware: readonly CallMiddleware[]
  /** Returns the signal that ends one call. Default: the signal of its agent. */
  readonly callSignal?: (call: string, signal: AbortSignal) => AbortSignal
  /**
   * Returns the id of the next call of this thread, such as `call_7`. Default: `call_` and a ULID (an id
   * sorted by time).
   */
  readonly nextCall?: () => string
  /** URLs that may be fetched without approval. Default: only documentation. */
  readonly urls?: KnownUrls
  /** True if the user typed the call itself, with all its arguments. */
  readonly isTyped?: boolean
}

export interface Ctx {
  /** Real path of the directory that relative names start from. */
  readonly cwd: string
  readonly signal: AbortSignal
  /** Id of the thread that stores todo lists and records; undefined for direct calls without a thread. */
  readonly thread: string | undefined
  readonly policy: Policy
  readonly env: Readonly<Record<string, string | undefined>>
  /** Settings of the configuration that tools read, by section; see config/schema.ts. */
  readonly settings: ToolSettings
  /**
   * Checksums of files as last read or written, by real path. For a file that was read in part, the value is
   * its device, inode, size and times. A different value shows that the file has changed since
   * (`stale_read`). Undefined if no call can follow.
   */
  readonly seen: Map<string, string> | undefined
  readonly log: CallLog
  readonly call: CallFacts
  /** The agent that makes the call. Undefined for direct calls. */
  readonly agent?: CallingAgent
  readonly gate: CallGate
  readonly can: Capabilities
}

/** The log of calls and results. An append is on disk when its promise resolves. */
export interface CallLog {
  append(draft: EventDraft): Promise<void>
  /**
   * Stores the content of a file, or the complete text of a truncated result, which the tool `result` shows
   * in pages. Resolves to the content's hash, or to an empty text if nothing is stored.
   */
  keep(call: string, content: string | Uint8Array): Promise<string>
  /** Returns the id of the thread in which direct calls are recorded; undefined until that thread exists. */
  thread?(): string | undefined
}

/**
 * Answers the decision `ask` for a call. Without a user, the reply is a denial with the reason and
 * `unanswered`. The caller stores the rules that `always` selects.
 */
export type ApprovalHandler = (request: ApprovalRequest) => Promise<ApprovalReply>

export interface UserChannel {
  ask(prompt: UserQuestionnaire, signal: AbortSignal): Promise<UserReply>
}

/** A resource (a document by URI) that an MCP server offers. */
export interface ResourceMention {
  server: string
  uri: string
}

/** The content of a server's resource as a model reads it. */
export interface ResourceContent {
  text: string
  media: ResultMedia[]
}

/** Reader of the resources of MCP servers. */
export interface ResourceReader {
  /** Reads a resource. Rejects with FailureError, also for a server that does not exist. */
  read(mention: ResourceMention, signal: AbortSignal): Promise<ResourceContent>
}

export interface SkillCatalog {
  list(): Promise<{ name: string; description: string; origin: string; path: string }[]>
  /**
   * Returns the instructions of a skill with `input` inserted, and the paths of its bundled files; undefined
   * for an unknown skill.
   */
  load(name: string, input: string | undefined): Promise<{ text: string; files: string[] } | undefined>
}

/** The search for deferred tools, which a model finds by a name or some words. */
export interface ToolSearch {
  /**
   * Returns at most 10 matching tools, best match first. `more` contains the names of up to 20 further ones,
   * `starting` the servers that may have more tools. If nothing matches, waits for these servers and searches
   * again. Rejects with FailureError if there is still no match.
   */
  load(request: { name?: string | undefined; query?: string | undefined }, stop: AbortSignal): FoundTools
}
type FoundTool = { name: string; about: string; schema: Readonly<Record<string, unknown>> }
type FoundTools = Promise<Record<'more' | 'starting', readonly string[]> & { loaded: readonly FoundTool[] }>
