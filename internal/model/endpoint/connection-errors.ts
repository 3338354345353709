// Ways in which a connection to an endpoint fails.

/** The base of all failures of a connection. */
export abstract class ConnectionError extends Error {}

/**
 * The response is incomplete or unreadable: the connection was never made or ended early, no event ended in
 * time, the content cannot be decoded, or the response does not say why it ended.
 */
export class BrokenConnectionError extends ConnectionError {
  /** True if the connection failed before any byte of a response had arrived. */
  readonly early: boolean
  constructor(early: boolean, cause: unknown) {
    super(cause instanceof Error ? cause.message : 'the connection closed early', { cause })
    this.early = early
  }
}

/** No byte came for `ms` milliseconds. */
export class StalledConnectionError extends ConnectionError {
  readonly ms: number
  constructor(ms: number) {
    super(`no byte for ${ms >= 1000 ? `${Math.round(ms / 100) / 10} s` : `${ms} ms`}`)
    this.ms = ms
  }
}

/** A response that exceeds the limits of size. Another attempt would only cost the same again. */
export class EndlessReplyError extends ConnectionError {}
