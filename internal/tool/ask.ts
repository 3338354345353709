// Questions to a user and the replies, for questionnaires of tools and servers and for approvals of calls.
import type { DecisionPart, RuleOffer } from '../policy/policy.ts'

export interface UserQuestion {
  id: string
  question: string
  reason?: string
  topic?: string
  options: readonly { id: string; label: string; description?: string }[]
  allowFreeform: boolean
  required: boolean
}

/** One questionnaire of one to four questions that the user answers together. */
export interface UserQuestionnaire {
  /** The source of the questions, as the user sees it: `the model`, `the MCP server NAME`. */
  from: string
  /** Id of the call that asks; undefined if a server asks. */
  call?: string
  questions: readonly UserQuestion[]
}

/** The answer to one question: a chosen option or a text. */
export interface AnsweredQuestion {
  id: string
  option?: string
  text?: string
}

/**
 * The reply of a user to a questionnaire. `dismissed` is a status, not an error; with `messageFollows`, the
 * user sent a message instead of an answer, which the model gets before its next step.
 */
export type UserReply =
  | { status: 'answered'; answers: readonly AnsweredQuestion[] }
  | { status: 'dismissed'; messageFollows?: true }
  | { status: 'no_user_available'; why: string }

/**
 * The question whether one call may run. The answer allows or denies only this call; "always" also
 * stores rules for later calls.
 */
export interface ApprovalRequest {
  /** Anode's own id of the call, which is unique. */
  call: string
  tool: string
  /** Source of the tool, as in the tool catalog: `native`, `mcp <server>` … */
  origin: string
  /** Title of the subagent or branch that makes the call; undefined for a call of the main agent. */
  child?: string | undefined
  /** All arguments of the call, as the tool will get them, but without the values of secret parameters. */
  args: Readonly<Record<string, unknown>>
  /** Names of the arguments that have their default value. */
  defaults?: readonly string[]
  /** Directory in which the call starts. */
  cwd: string
  reasons: readonly string[]
  /** The simple commands and redirections of a compound command, each with the policy's decision. */
  parts?: readonly DecisionPart[] | undefined
  /** The rules that the answer "always" would store; undefined if no rule may allow the call. */
  always: readonly RuleOffer[] | undefined
  /**
   * Returns the file changes that the call would make; undefined if the tool has no preview. Called only if
   * an approval shows them.
   */
  preview(): Promise<FilePreview | undefined>
  /** Signal that aborts when the run ends, because an answer then has no effect. */
  signal: AbortSignal
}

/** The changes that a call would make to files. */
export interface FilePreview {
  files: readonly FileDiff[]
  /** Names of the arguments whose values the diffs show in full. */
  shows: readonly string[]
}

export interface FileDiff {
  path: string
  /** What happens to the file: `created`, `renamed from x` … */
  what: string
  /** Hunks of a unified diff, without the two lines with the file names. */
  hunks: string
  added: number
  removed: number
}

/** A call that needs approval, as the model `approvals.reviewer` gets it before the user is asked. */
export interface ReviewedCallRequest
  extends Pick<ApprovalRequest, 'tool' | 'child' | 'args' | 'cwd' | 'reasons'> {
  /**
   * Hash of the call, its directory, rules and preview. The answer of the reviewer's model has to repeat its
   * first 12 characters.
   */
  hash: string
  parts?: readonly DecisionPart[] | undefined
  files?: readonly FileDiff[] | undefined
  signal: AbortSignal
}

export interface ReviewReply {
  verdict: 'allow' | 'pass' | 'failed'
  /** Reason for the reviewer's verdict, in one line. */
  reason: string
}

/** A model that may answer some approvals with yes, as `approvals.reviewer` of the configuration allows. */
export interface ApprovalReviewer {
  readonly model: string
  /** Further calls that the user lets the reviewer allow: `network:HOST` and `tool:NAME`. */
  readonly also: readonly string[]
  /**
   * Reviews a call; a failure is the verdict `failed`. After the second failure of the run, further calls of
   * this function resolve to undefined.
   */
  review(request: ReviewedCallRequest): Promise<ReviewReply | undefined>
}

export interface ApprovalReply {
  allow: boolean
  why: string
  /**
   * True to store all shown rules of an allowed call, or the positions (from 0) of the rules to store. With
   * positions, a user may store rules for single parts of a compound command that is denied as a whole.
   */
  always?: boolean | readonly number[]
  /** True if no user or client could answer. */
  unanswered?: boolean
}
