// The language server capability: queries about positions in files, diagnostics, and notifications
// of written files.

export const lspOperations = [
  'goToDefinition',
  'findReferences',
  'hover',
  'documentSymbol',
  'workspaceSymbol',
  'goToImplementation',
  'diagnostics',
  'prepareCallHierarchy',
  'incomingCalls',
  'outgoingCalls',
] as const

export type LspOperation = Exclude<(typeof lspOperations)[number], 'diagnostics'>

/** A position in a text. Lines and characters count from 0, characters in UTF-16 code units. */
export interface LspPoint {
  line: number
  character: number
}

export interface LspQuery {
  operation: LspOperation
  /**
   * Real path of the file, already judged by the policy. Without a path, every available server that has a
   * file of its language in the workspace is queried.
   */
  file?: string
  at?: LspPoint
  /** Search text of a query for workspaceSymbol. If it is empty, the server decides what to list. */
  text: string
  includeDeclaration: boolean
  /** Returns the lines of a file that may be shown; undefined for any other file. */
  lines(path: string): Promise<readonly string[] | undefined>
}

/** One position in the answer of a server. */
export interface LspHit extends LspPoint {
  /** Absolute path of the hit, or its URI if it is not a file. */
  path: string
  name?: string
  /** Kind of the symbol in words: `function`, `class`. */
  kind?: string
  container?: string
  /** Depth of nesting of the symbol below the symbols before it; 0 at the top. */
  depth?: number
}

export interface LspAnswer {
  /** Names of the language servers that answered. */
  servers: string[]
  /** The hits, in the order of the servers. */
  hits: LspHit[]
  /** Text of a hover; undefined for other queries. */
  text?: string
  /**
   * Reasons why available servers gave no answer. A server without the feature is omitted if
   * another server answers.
   */
  notes: string[]
}

export const lspSeverities = ['error', 'warning', 'info', 'hint'] as const

export interface LspDiagnostic extends LspPoint {
  severity: (typeof lspSeverities)[number]
  message: string
  /** Name of the violated rule, as the server gives it. `source` is the tool that the rule comes from. */
  code?: string
  source?: string
  /**
   * True if the previous version of the file did not have the diagnostic; undefined if that
   * version is unknown.
   */
  isNew?: boolean
}

/** The known diagnostics of one file. Only a report in the state `fresh` is about the content on disk. */
export interface LspReport {
  file: string
  /** Name of the responsible language server; undefined if no server is responsible. */
  server?: string
  /**
   * `fresh`: the diagnostics are for this version of the file. `provisional`: the server has only sent
   * a first empty list, which may be incomplete. `pending`: the server has sent nothing for this
   * version yet. `timeout`: the server sent nothing during the wait. `none`: no server is responsible.
   * `failed`: see `why`.
   */
  state: 'fresh' | 'provisional' | 'pending' | 'timeout' | 'none' | 'failed'
  /** Diagnostics of the file; empty unless `state` is `fresh`. */
  diagnostics: LspDiagnostic[]
  /** Difference to the last version with known diagnostics; undefined without such a version. */
  change?: { added: number; fixed: number; unchanged: number }
  why?: string
}

/** A file that a tool of Anode has just created, changed or removed. */
export interface WrittenFile {
  /** Real path of the file. */
  path: string
  shown: string
  kind: 'created' | 'changed' | 'removed'
}

/**
 * Access to the language servers. Every promise is settled in bounded time, even if a server hangs. An abort
 * of `signal` settles it earlier.
 */
export interface LspServers {
  /** Returns true, or the reason why no language server is available. Only reads names of files. */
  usable(): true | string
  /**
   * Answers a query. Rejects with FailureError: `unavailable`, `timeout`, `cancelled`, `bad_args`,
   * `too_large`, `binary_or_encoding`, `io`, and other errors of opening a file.
   */
  query(query: LspQuery, signal: AbortSignal): Promise<LspAnswer>
  /**
   * Returns one report per file, in the order of the files. With `waitMs` 0, waits at most 300 ms, or 3
   * seconds if the call has to start the server. Rejects only if `signal` aborts or the session ends.
   */
  diagnose(files: readonly string[], waitMs: number, signal: AbortSignal): Promise<LspReport[]>
  /** Returns the real paths of the files about which a running server has reported. */
  known(): string[]
  /**
   * Notifies running servers of written or removed files and returns their messages, one line per file that
   * needs one. Starts no server, waits at most two seconds, never rejects.
   */
  edited(files: readonly WrittenFile[], signal: AbortSignal): Promise<string[]>
}
