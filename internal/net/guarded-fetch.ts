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
  /** Whether this server may lie anywhere, this machine included, because a person has written so. */
  allows?(url: URL): boolean
  /** Judges where a redirect leads before anything is sent there; what it throws ends the request. */
  judge?(url: URL): Promise<void>
}

export interface FetchResponse {
  status: number
  /** Where the answer came from after redirects. */
  url: string
  headers: Readonly<Record<string, string>>
  /** Decoded as the headers say. */
  readonly body: string
  /** The body as it came, decompressed. */
  bytes: Buffer
  /** Addresses that redirects led through, the last one being `url`; empty without any. */
  redirects: readonly string[]
  /** True when the body was longer than maxBytes and is cut. */
  cut: boolean
}

/** Rejects with FailureError `blocked_address`, `network`, `timeout`, `cancelled`. */
export type GuardedFetch = (request: FetchRequest) => Promise<FetchResponse>
