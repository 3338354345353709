// The price of the tokens of a model, in US dollars for a million tokens.

/**
 * US dollars for a million tokens. `above` replaces the prices for requests with more input than `tokens`.
 */
export interface ModelPrice {
  input: number
  output: number
  cached?: number
  /** Prices of tokens written to the provider's cache for minutes, and for an hour. Default: as `input`. */
  cacheWrite?: number
  cacheWrite1h?: number
  above?: Omit<ModelPrice, 'above'> & { tokens: number }
}
