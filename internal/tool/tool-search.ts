// What the tool tool_search stands on: tools of servers that a model is told of only when they are found.

export interface ToolSearchRequest {
  /** Exact, or with `*` for any letters. */
  name?: string | undefined
  /** Words for what a tool should do. */
  query?: string | undefined
}

export interface ToolSearchResult {
  /** Best first; they can be called from the next request on. */
  loaded: readonly { name: string; summary: string }[]
  /** Names of further ones that fit and are not loaded. */
  more: readonly string[]
}

export interface ToolSearch {
  /** Loads what fits best. Rejects with FailureError where nothing does. */
  load(request: ToolSearchRequest): Promise<ToolSearchResult>
}
