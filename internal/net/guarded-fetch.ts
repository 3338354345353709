// Types of the guarded fetch, which checks every connection and redirect. It connects only to public
// addresses and to servers that the user configured.

export interface FetchRequest {
  url: string
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  timeoutMs?: number
  maxBytes?: number
  signal?: AbortSignal
  /**
   * Returns true if the server of the URL may have any address, such as this machine, because the
   * user configured it.
   */
  allows?(url: URL): boolean
  /**
   * Checks the target of a redirect before a request is sent there. An error that it throws ends the request.
   */
  judge?(url: URL): Promise<void>
}

export interface FetchResponse {
  status: number
  /** URL of the response after redirects. */
  url: string
  headers: Readonly<Record<string, string>>
  /** Body, decoded as the headers state. */
  readonly body: string
  /** Bytes of the body after decompression. */
  bytes: Buffer
  /** URLs of the redirects that were followed, of which the last equals `url`; empty without redirects. */
  redirects: readonly string[]
  /** True if the body was longer than `maxBytes` and was truncated. */
  cut: boolean
}

/**
 * Sends a request and resolves to the response after redirects. Rejects with FailureError `blocked_address`,
 * `network`, `timeout` or `cancelled`, and with an error of `judge`.
 */
export type GuardedFetch = (request: FetchRequest) => Promise<FetchResponse>
