// The price of the tokens of a model, in US dollars for a million tokens.

/**
 * US dollars for a million tokens. `above` replaces the prices for requests with more input than `tokens`.
 */
export interface ModelPrice {
  input: number
  output: number
  cached?: number
  /**
   * Price of tokens written to the provider's cache for minutes (default: as `input`); `cacheWrite1h`: for an
   * hour (default: as `cacheWrite`).
   */
  cacheWrite?: number
  cacheWrite1h?: number
  above?: Omit<ModelPrice, 'above'> & { tokens: number }
}
