// What programs that use Anode as a library give and get; the build hands these types out with the package.

/** A tool that is a function of the program. */
export interface FunctionTool {
  /** A letter, then letters, digits, `_` and `-`; rules and records know it as `fn__<name>`. */
  name: string
  /** What the model is told; the first line is the summary. */
  description: string
  /** How it is to be used; said where a toolset lists its tools in the prompt. */
  system_prompt?: string
  /** JSON Schema of type object: plain types, lists, lists of objects; no unions, no references. */
  input_schema?: Readonly<Record<string, unknown>>
  /** A text, or any value of JSON, or `{result, is_error}`; what it throws is a failed call. */
  execute(input: Record<string, unknown>, context: FunctionToolContext): unknown
  /** A level of permissions; without one `confirm_execute`, which asks. */
  permission?: 'auto_read' | 'external_read' | 'state_write' | 'confirm_write' | 'confirm_execute'
  /** How long a call may take; without it 120. The function is not stopped, its call ends. */
  timeout_seconds?: number
}

export interface FunctionToolContext {
  workspace_root: string
  /** Milliseconds since 1970. */
  runtime_deadline: number
  model_name: string | null
}

export interface LibraryOptions {
  /** As `--model` takes it: `openai/gpt-5`, `script:replies.jsonl`. */
  model: string
  workspaceRoot: string
  /** Tools under the names of another program; absent: as configured, else the native ones. */
  toolset?: string
  /** The whole set, in this order: names, or tools of your own. Not with `extraTools`. */
  tools?: readonly (string | FunctionTool)[]
  /** The usual tools and these. */
  extraTools?: readonly (string | FunctionTool)[]
  profile?: string
  /** What runs without a question; absent: only what reads. */
  approval?: 'ask' | 'edits' | 'auto' | 'unrestricted'
  /** Answers a question about one call; absent: nobody answers, and the call is denied. */
  approve?(question: ApprovalQuestion): ApprovalAnswer | Promise<ApprovalAnswer>
  /** Folders besides the workspace that may be read and written. */
  addDirs?: readonly string[]
  maxTurns?: number
  /** Variables in place of those of this process. */
  env?: Readonly<Record<string, string | undefined>>
  /** Every event of a run, in order, after it is stored. */
  onEvent?(event: LibraryEvent): void
}

export interface ApprovalQuestion {
  tool: string
  args: Readonly<Record<string, unknown>>
  /** Folder that the call starts in. */
  cwd: string
  reasons: readonly string[]
}

/** It holds for this one call; the words are for the model. */
export type ApprovalAnswer = boolean | { allow: boolean; why?: string }

export interface LibraryEvent {
  type: string
  payload: object
}

export interface LibraryRunLimits {
  signal?: AbortSignal
  timeoutSeconds?: number
  tokens?: number
  usd?: number
}

export interface LibraryRunResult {
  end: 'done' | 'partial' | 'limit' | 'cancelled' | 'failed'
  /** Why it is not `done`. */
  reason?: string
  message?: string
  text: string
  thread: string
  model: string
  spent: { input: number; output: number; usd: number | null; requests: number; calls: number }
  /** Calls that were denied because nobody could answer. */
  unanswered: readonly { tool: string; subject: string; count: number }[]
  notes: readonly string[]
}

export interface LibraryAgent {
  /** What the model is offered. */
  readonly tools: readonly FunctionDeclaration[]
  /** One task; the next one goes on in the same thread, after this one. */
  run(task: string, limits?: LibraryRunLimits): Promise<LibraryRunResult>
}

/** As endpoints of language models take it. */
export interface FunctionDeclaration {
  type: 'function'
  function: { name: string; description: string; parameters: Readonly<Record<string, unknown>> }
}

/** Whatever a person can mend is an Error with a `hint`, before anything has run. */
export interface AnodeLibrary {
  /** Checks options, tools, profile and model, and runs nothing yet. */
  createAgent(options: LibraryOptions): Promise<LibraryAgent>
  /** The same tool, checked. */
  defineTool<T extends FunctionTool>(tool: T): T
  /** The declarations of these tools: names of a toolset, `TOOLSET/NAME`, or tools of your own. */
  toolSchemas(
    list: readonly (string | FunctionTool)[],
    options?: { toolset?: string },
  ): Promise<FunctionDeclaration[]>
}
