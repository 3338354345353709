// Types of the library interface. The build includes these types in the package.

/** A tool that is a function of the program that uses the library. */
export interface FunctionTool {
  /** The name: a letter, then letters, digits, `_` and `-`. Rules and records use `fn__<name>`. */
  name: string
  /** The description for the model; the first line is the summary. */
  description: string
  /** Usage instructions for the model. Only some toolsets put them into the system prompt. */
  system_prompt?: string
  /** JSON Schema of type object: plain types, lists and lists of objects, without unions and references. */
  input_schema?: Readonly<Record<string, unknown>>
  /** Runs a call. Returns a text, any JSON value, or `{result, is_error}`. If it throws, the call fails. */
  execute(input: Record<string, unknown>, context: FunctionToolContext): unknown
  /** The permission level. Default: `confirm_execute`, which needs approval. */
  permission?: 'auto_read' | 'external_read' | 'state_write' | 'confirm_write' | 'confirm_execute'
  /** Time limit of a call in seconds. Default: 120. The call ends then, but the function is not stopped. */
  timeout_seconds?: number
}

export interface FunctionToolContext {
  workspace_root: string
  /**
   * Time at which the call has to end, by its own time limit or that of the run, in milliseconds since 1970.
   */
  runtime_deadline: number
  model_name: string | null
}

export interface LibraryOptions {
  /** The model in the form of `--model`: `openai/gpt-5`, `script:replies.jsonl`. */
  model: string
  workspaceRoot: string
  /**
   * The toolset with another program's tool names. Default: the toolset of the profile or of the
   * configuration, else the native tools.
   */
  toolset?: string
  /**
   * The complete list of tools, in the order in which the model gets them: names of tools, or your own tools.
   * Not allowed together with `extraTools`.
   */
  tools?: readonly (string | FunctionTool)[]
  /** Tools in addition to the default tools. */
  extraTools?: readonly (string | FunctionTool)[]
  profile?: string
  /** Mode that decides which calls run without approval. Default: `ask`, in which only reads do. */
  approval?: 'ask' | 'edits' | 'auto' | 'unrestricted'
  /** Decides about one call that needs approval. Default: the call is denied. */
  approve?(question: ApprovalQuestion): ApprovalAnswer | Promise<ApprovalAnswer>
  /** Directories besides the workspace that may be read and written. */
  addDirs?: readonly string[]
  maxTurns?: number
  /** Environment variables. Default: those of this process. */
  env?: Readonly<Record<string, string | undefined>>
  /**
   * Called with every event of a run, in order. A stored event arrives after it is stored. Parts of responses
   * (deltas) and progress are never stored.
   */
  onEvent?(event: LibraryEvent): void
}

export interface ApprovalQuestion {
  tool: string
  args: Readonly<Record<string, unknown>>
  /** Directory in which the call starts. */
  cwd: string
  reasons: readonly string[]
}

/** The decision on one call. `why` is a reason that the model can read. */
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
  /** Reason of the end, unless the end is `done`. */
  reason?: string
  message?: string
  text: string
  thread: string
  model: string
  spent: { input: number; output: number; usd: number | null; requests: number; calls: number }
  /** Calls that were denied because no approval was possible. */
  unanswered: readonly { tool: string; subject: string; count: number }[]
  notes: readonly string[]
}

export interface LibraryAgent {
  /** The tools that the model gets. */
  readonly tools: readonly FunctionDeclaration[]
  /**
   * Runs one task. Later tasks wait for it and continue the same thread. Rejects if the run cannot start,
   * such as for an empty task.
   */
  run(task: string, limits?: LibraryRunLimits): Promise<LibraryRunResult>
}

/** A tool declaration in the form of language model APIs. */
export interface FunctionDeclaration {
  type: 'function'
  function: { name: string; description: string; parameters: Readonly<Record<string, unknown>> }
}

/**
 * The library. Errors that the caller can correct are thrown before anything runs, most of them
 * with a `hint`.
 */
export interface AnodeLibrary {
  /** Creates an agent. Checks options, tools, profile and model, but runs nothing. */
  createAgent(options: LibraryOptions): Promise<LibraryAgent>
  /** Checks a tool and returns it unchanged. Throws for an invalid tool. */
  defineTool<T extends FunctionTool>(tool: T): T
  /** Returns the declarations of tools: names of a toolset, `TOOLSET/NAME`, or your own tools. */
  toolSchemas(
    list: readonly (string | FunctionTool)[],
    options?: { toolset?: string },
  ): Promise<FunctionDeclaration[]>
}
