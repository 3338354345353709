// The language server capability: queries about places in files, diagnostics, and notice of written files.

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

/** Lines and characters count from 0, characters in UTF-16 code units. */
export interface LspPoint {
  line: number
  character: number
}

export interface LspQuery {
  operation: LspOperation
  /** Real path, already judged; without one every server that can be asked is asked. */
  file?: string
  at?: LspPoint
  /** What workspaceSymbol looks for; empty: whatever the server lists then. */
  text: string
  includeDeclaration: boolean
  /** Lines of a file that may be shown, undefined for any other. */
  lines(path: string): Promise<readonly string[] | undefined>
}

/** One place that a server named. */
export interface LspHit extends LspPoint {
  /** Absolute path, or the URI where it is no file. */
  path: string
  name?: string
  /** What the name stands for, in words: `function`, `class`. */
  kind?: string
  container?: string
  /** Nesting below the symbols before it; 0 at the top. */
  depth?: number
}

export interface LspAnswer {
  /** Names of the servers that answered. */
  servers: string[]
  /** In the order of the servers. */
  hits: LspHit[]
  /** What hover says; absent for everything else. */
  text?: string
  /** Why a server that could have been asked gave no answer. */
  notes: string[]
}

export const lspSeverities = ['error', 'warning', 'info', 'hint'] as const

export interface LspDiagnostic extends LspPoint {
  severity: (typeof lspSeverities)[number]
  message: string
  /** The server's own name for the rule, and which tool it comes from. */
  code?: string
  source?: string
  /** Not among those of the version before; absent when that one is not known. */
  isNew?: boolean
}

/** What is known of one file. Only `fresh` diagnostics are those of the content as it is on disk. */
export interface LspReport {
  file: string
  /** Absent when no server is responsible. */
  server?: string
  /**
   * `fresh`: of this version. `provisional`: the server has only sent a first empty list, which may not be
   * its last word. `pending`: nothing for this version yet. `timeout`: neither, though it was waited for.
   * `none`: no server is responsible. `failed`: see `why`.
   */
  state: 'fresh' | 'provisional' | 'pending' | 'timeout' | 'none' | 'failed'
  /** Empty unless fresh. */
  diagnostics: LspDiagnostic[]
  /** Against the last version whose diagnostics are known; absent when there is none. */
  change?: { added: number; fixed: number; unchanged: number }
  why?: string
}

/** A file that one of our tools has just written. */
export interface WrittenFile {
  /** Real path. */
  path: string
  shown: string
  kind: 'created' | 'changed' | 'removed'
}

/** Every promise is settled in bounded time, whatever a server does; `signal` ends it earlier. */
export interface LspServers {
  /** True, or why there is nothing to ask. Looks at names of files only. */
  usable(): true | string
  /** Rejects with FailureError: `unavailable`, `timeout`, `cancelled`, `bad_args`, `too_large`, `io`. */
  query(query: LspQuery, signal: AbortSignal): Promise<LspAnswer>
  /** One report per file, in order. With `waitMs` 0 it is what is known now. */
  diagnose(files: readonly string[], waitMs: number, signal: AbortSignal): Promise<LspReport[]>
  /** Files with a report, as real paths. */
  known(): string[]
  /**
   * Tells running servers about files that were written or removed, and what they say to it, a line per
   * file that is worth one. Starts nothing, waits at most two seconds, never rejects.
   */
  edited(files: readonly WrittenFile[], signal: AbortSignal): Promise<string[]>
}
