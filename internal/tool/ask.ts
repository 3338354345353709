// Questions to a person and the replies: questionnaires of tools and servers, and approvals of calls.
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

/** One questionnaire: a root question and at most three more. */
export interface UserQuestionnaire {
  /** Whose questions these are, in words that a person is shown: `the model`, `the MCP server NAME`. */
  from: string
  /** The call that asks; absent where a server does. */
  call?: string
  questions: readonly UserQuestion[]
}

/** `dismissed` is a status, not an error. */
export type UserReply =
  | { status: 'answered'; answers: readonly { id: string; option?: string; text?: string }[] }
  | { status: 'dismissed' }
  | { status: 'no_user_available'; why: string }

/** Whether one call may run. It answers for this call and no other. */
export interface ApprovalRequest {
  /** The program's own id of the call. */
  call: string
  tool: string
  /** Where the tool comes from, as the catalog has it. */
  origin: string
  /** Title of the task of the child agent that asks. */
  child?: string | undefined
  /** All arguments, as they will be used. */
  args: Readonly<Record<string, unknown>>
  /** Directory that the call starts in. */
  cwd: string
  reasons: readonly string[]
  /** The commands and redirections of a line that has several, each with what was made of it. */
  parts?: readonly DecisionPart[] | undefined
  /** What would be stored for "always"; absent where no rule may allow the call. */
  always: readonly RuleOffer[] | undefined
  /** What the call makes of files; looked up only for somebody who is going to see it. */
  preview(): Promise<FilePreview | undefined>
  /** Aborts when the run ends: then nobody waits for the answer. */
  signal: AbortSignal
}

/** What a call would make of the files that it writes. */
export interface FilePreview {
  files: readonly FileDiff[]
  /** Names of the arguments that the diffs show in full. */
  shows: readonly string[]
}

export interface FileDiff {
  path: string
  /** `created`, `renamed from x` … */
  what: string
  /** Hunks of a unified diff, without the two lines that name the file. */
  hunks: string
  added: number
  removed: number
}

export interface ApprovalReply {
  allow: boolean
  why: string
  /**
   * Store the rules that were shown: all of them, or those at these places, which a person may also keep for
   * single parts of a line that as a whole is denied.
   */
  always?: boolean | readonly number[]
  /** Nobody was there to answer. */
  unanswered?: boolean
}
