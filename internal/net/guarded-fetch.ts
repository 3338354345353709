// The one guarded way to the network: public addresses only, judged again at connect time and on every
// redirect.

export interface FetchRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
}

export interface FetchResponse {
  status: number
  /** Where the answer came from after redirects. */
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** True when the body was longer than maxBytes and is cut. */
  cut: boolean
}

/** Rejects with FailureError `blocked_address`, `network`, `timeout`, `cancelled`. */
export type GuardedFetch = (request: FetchRequest) => Promise<FetchResponse>
