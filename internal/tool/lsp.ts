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

/** A position. Lines and characters count from 0, characters in UTF-16 code units. */
export interface LspPoint {
  line: number
  character: number
}

export interface LspQuery {
  operation: LspOperation
  /** Real path, already judged. Without a path, every available server is queried. */
  file?: string
  at?: LspPoint
  /** Text for workspaceSymbol. If it is empty, the server decides what to list. */
  text: string
  includeDeclaration: boolean
  /** Returns the lines of a file that may be shown; undefined for any other file. */
  lines(path: string): Promise<readonly string[] | undefined>
}

/** One position in the answer of a server. */
export interface LspHit extends LspPoint {
  /** Absolute path, or the URI if it is not a file. */
  path: string
  name?: string
  /** Kind of the symbol in words: `function`, `class`. */
  kind?: string
  container?: string
  /** Nesting below the symbols before it; 0 at the top. */
  depth?: number
}

export interface LspAnswer {
  /** Names of the servers that answered. */
  servers: string[]
  /** Hits in the order of the servers. */
  hits: LspHit[]
  /** Text of a hover; undefined for other queries. */
  text?: string
  /** Why an available server gave no answer. */
  notes: string[]
}

export const lspSeverities = ['error', 'warning', 'info', 'hint'] as const

export interface LspDiagnostic extends LspPoint {
  severity: (typeof lspSeverities)[number]
  message: string
  /** The server's own name for the rule, and the tool that it comes from. */
  code?: string
  source?: string
  /** True if the previous version did not have it; undefined if that version is unknown. */
  isNew?: boolean
}

/** The known diagnostics of one file. Only `fresh` ones are for the content on disk. */
export interface LspReport {
  file: string
  /** Name of the server; undefined if no server is responsible. */
  server?: string
  /**
   * `fresh`: for this version. `provisional`: the server has only sent a first empty list, which may be
   * incomplete. `pending`: nothing for this version yet. `timeout`: still nothing after the wait. `none`: no
   * server is responsible. `failed`: see `why`.
   */
  state: 'fresh' | 'provisional' | 'pending' | 'timeout' | 'none' | 'failed'
  /** Diagnostics of the file; empty unless `state` is `fresh`. */
  diagnostics: LspDiagnostic[]
  /** Difference to the last version with known diagnostics; undefined without one. */
  change?: { added: number; fixed: number; unchanged: number }
  why?: string
}

/** A file that a tool of Anode has just written. */
export interface WrittenFile {
  /** Real path of the file. */
  path: string
  shown: string
  kind: 'created' | 'changed' | 'removed'
}

/**
 * The language servers. Every promise is settled in bounded time, even if a server hangs; `signal`
 * ends it earlier.
 */
export interface LspServers {
  /** Returns true, or why no server is available. Only reads names of files. */
  usable(): true | string
  /**
   * Answers a query. Rejects with FailureError: `unavailable`, `timeout`, `cancelled`,
   * `bad_args`, `too_large`, `io`.
   */
  query(query: LspQuery, signal: AbortSignal): Promise<LspAnswer>
  /** Returns one report per file, in order. With `waitMs` 0, returns the current state. */
  diagnose(files: readonly string[], waitMs: number, signal: AbortSignal): Promise<LspReport[]>
  /** Returns files with a report, as real paths. */
  known(): string[]
  /**
   * Notifies running servers of written or removed files and returns their messages, one line per file that
   * needs one. Starts nothing, waits at most two seconds, never rejects.
   */
  edited(files: readonly WrittenFile[], signal: AbortSignal): Promise<string[]>
}
