// Tokens by kind: fresh input, input read from a provider's cache, input written to it, and output.

export interface TokenKinds {
  fresh: number
  cacheRead: number
  cacheWrite: number
  output: number
}

/**
 * Returns the tokens of a request by kind. Tokens read from a cache and written to it are part of `input`;
 * the rest of `input` is fresh, at least 0.
 */
export function splitTokens(usage: {
  input: number
  output: number
  cached?: number | undefined
  cacheWrite?: number | undefined
}): TokenKinds {
  const { input, output, cached = 0, cacheWrite = 0 } = usage
  return { fresh: Math.max(0, input - cached - cacheWrite), cacheRead: cached, cacheWrite, output }
}

/** Tokens by kind as written to files and printed as JSON. */
export interface TokenFields {
  fresh: number
  cache_read: number
  cache_write: number
  output: number
}

export function tokenFields(usage: Parameters<typeof splitTokens>[0]): TokenFields {
  const { fresh, cacheRead, cacheWrite, output } = splitTokens(usage)
  return { fresh, cache_read: cacheRead, cache_write: cacheWrite, output }
}

/**
 * Returns a text such as `40 fresh, 960 cache read, 120 cache write, 35 output`. `write` formats one number.
 */
export function formatTokenKinds(kinds: TokenKinds, write: (n: number) => string = String): string {
  const { fresh, cacheRead, cacheWrite, output } = kinds
  return (
    `${write(fresh)} fresh, ${write(cacheRead)} cache read, ` +
    `${write(cacheWrite)} cache write, ${write(output)} output`
  )
}

/** Returns the share of the input that came from a cache, 0 to 1; undefined without input. */
export function cachedShare({ fresh, cacheRead, cacheWrite }: TokenKinds): number | undefined {
  const input = fresh + cacheRead + cacheWrite
  return input === 0 ? undefined : cacheRead / input
}
